//! One line a command: keys are not taken away, however their folder is spelled.

use super::{refused, refused_in};

const LOST: &[&str] = &[
    "rm -rf ~/.ssh",
    "rm -r ~/.ssh/",
    "rm -rf ~/.s\"\"sh",
    "rm -rf ~/.s''sh",
    "rm -rf ~/\".ssh\"",
    "rm -rf ~/.\\ssh",
    "rm -rf $HOME/.ssh",
    "rm -rf ${HOME}/.ssh",
    "rm -rf \"$HOME/.s\"\"sh\"",
    "rm -rf ~/.ss?",
    "rm -rf ~/.s*",
    "rm -rf ~/.[s]sh",
    "rm -rf /home/ann/./.ssh",
    "rm -rf /home/ann//.ssh",
    "rm -rf ~/x/../.ssh",
    "rm -rf ../.ssh",
    "rm -rf ~ann/.ssh",
    "rm -rf ~/.SSH",
    "rm -rf ~/.{ssh,cache}",
    "rm -rf ~/{.cache,.ssh}",
    "rm -rf ~/.ssh/*",
    "rm -f ~/.ssh/*",
    "rm ~/.s''sh/*",
    "D=.ssh; rm -rf ~/$D",
    "cd ~ && rm -rf .ssh",
    "cd && rm -r .ss?",
    "cd ~/.ssh && rm -rf *",
    "sudo rm -rf ~/.ssh",
    "sh -c 'rm -rf ~/.ssh'",
    "find ~/.ssh -delete",
    "find ~/.ssh -type f -exec rm {} +",
    "find ~/.ssh -type f | xargs rm",
    "rsync -a --delete empty/ ~/.ssh/",
    "rm -rf ~/.gnupg",
    "rm -rf ~/.GnuPG",
    "rm -rf ~/.password-store",
    "python3 -c \"import shutil; shutil.rmtree('/home/ann/.ssh')\"",
];

#[test]
fn keys_are_not_taken_away_however_their_folder_is_spelled() {
    let missed: Vec<&&str> = LOST.iter().filter(|command| refused(command).is_none()).collect();
    assert!(missed.is_empty(), "{missed:?}");
    let why = "it would remove the user's keys; name exactly the files that are meant";
    assert_eq!(refused("rm -rf ~/.s''sh").as_deref(), Some(why));
    assert!(refused_in("/home/ann", "rm -rf .ssh").is_some());
}

const LEFT_TO_THE_PERSON: &[&str] = &[
    "cat ~/.ssh/config",
    "cat ~/.s\"\"sh/id_rsa",
    "ls -la ~/.ssh",
    "rm ~/.ssh/known_hosts.old",
    "rm -f ~/.ssh/id_old ~/.ssh/id_old.pub",
    "rm -rf ~/.ssh/tmp",
    "rm -rf .ssh",
    "rm -rf test/fixtures/.ssh",
    "rm -rf /tmp/x/.ssh",
    "mv ~/.ssh ~/.ssh.old",
    "cp -r ~/.ssh /tmp/x",
    "chmod 700 ~/.ssh",
    "chmod -R go= ~/.ssh",
    "ssh-keygen -R host",
    "find ~/.ssh -name '*.old' -delete",
    "find ~/.ssh -type f",
    "rm -rf ~/.sshrc.d",
    "rm -rf ~/.cache/{a,b}",
    "rm ~/.ssh",
    "echo 'rm -rf ~/.ssh'",
    "rm -rf '~/.ssh'",
];

#[test]
fn what_reads_moves_or_picks_among_keys_is_left_to_the_person() {
    for command in LEFT_TO_THE_PERSON {
        assert_eq!(refused(command), None, "{command:?}");
    }
}
