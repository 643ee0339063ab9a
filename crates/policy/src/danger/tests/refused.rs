//! One line a command: what is refused, and what is not.

use super::{refused, refused_in};
use crate::danger::{Places, WritablePlaces, refusal};
use std::path::Path;

const CATASTROPHES: &[&str] = &[
    "rm -rf /",
    "rm -rf /home/u",
    "rm -rf /Users/u/",
    "rm -rf ~/../u",
    "rm -rf ~root",
    "rm -rf ~bob",
    "python3 -c \"import os; os.system('rm -rf /')\"",
    "python3 -c \"import shutil; shutil.rmtree('/')\"",
    "perl -e 'system(\"rm -rf ~\")'",
    "ruby -e 'FileUtils.rm_rf(\"/\")'",
    "node -e 'require(\"fs\").rmSync(\"/\", {recursive: true})'",
    "echo / | xargs rm -rf",
    "xargs rm -rf <<< /",
    "for d in /; do rm -rf $d; done",
    "rm -rf /{bin,etc,usr}",
    "rm -rf ~/{a,b}",
    "rm -rf ${X:-/}",
    "function f { f | f & }; f",
    "function f() { f | f & }; f",
    "$(which rm) -rf /",
    "rsync -a --delete empty/ /",
    "rsync -a --delete empty/ ~/",
    "rm -fr //",
    "rm -r -f /.",
    "rm --recursive --force /",
    "rm --recu /",
    "rm / -rf",
    "rm -rf -- /",
    "rm -rf /*",
    "rm -rf /{,}; rm -rf /",
    "rm -rf $HOME",
    "rm -rf ${HOME}",
    "rm -rf \"$HOME\"/",
    "rm -rf ${HOME:?}",
    "rm -rf ~/",
    "rm -rf ~ann",
    "rm -rf ~/*",
    "rm -rf ~/.*",
    "rm -rf /home/ann",
    "rm -rf /home",
    "rm -rf /home/*",
    "rm -rf /home/a*",
    "rm -rf /h?me",
    "rm -rf ./",
    "rm -rf ../project",
    "rm -rf ..",
    "rm -rf ../..",
    "rm -rf ../*",
    "rm -rf $PWD",
    "rm -rf \"$(pwd)\"",
    "rm -rf `pwd`",
    "rm -rf ~+",
    "rm -rf src/..",
    "rm -rf .git/",
    "rm -rf .g*",
    "rm -rf ./.git",
    "rm -rf .*",
    "rm -rf \".git\"",
    "rm -rf .git/*",
    "rm -rf .git/objects",
    "rm -rf /etc",
    "rm -rf /usr",
    "sudo rm -rf /",
    "sudo -u root rm -rf /",
    "env -i A=b rm -rf /",
    "nohup nice -n 5 rm -rf ~",
    "timeout 5 rm -rf ~",
    "timeout -k 1 5 rm -rf ~",
    "command rm -rf ~",
    "\\rm -rf ~",
    "/bin/rm -rf ~",
    "r''m -rf ~",
    "busybox rm -rf /",
    "sh -c 'rm -rf /'",
    "bash -lc \"rm -rf ~\"",
    "bash -c 'sh -c \"rm -rf ~\"'",
    "eval rm -rf /",
    "eval 'rm -rf /'",
    "echo 'rm -rf /' | sh",
    "sh <<< 'rm -rf /'",
    "sh <<EOF\nrm -rf /\nEOF",
    "cat <<'X' | bash\nrm -rf ~\nX",
    "true && rm -rf /",
    "true; rm -rf ~",
    "if true; then rm -rf ~; fi",
    "{ rm -rf ~; }",
    "(rm -rf ~)",
    "! rm -rf ~",
    "echo $(rm -rf ~)",
    "echo `rm -rf ~`",
    "cat <(rm -rf ~)",
    "echo \"${x:-$(rm -rf ~)}\"",
    "f() { rm -rf ~; }; f",
    "cd / && rm -rf *",
    "cd ~; rm -rf *",
    "cd ..; rm -rf project",
    "pushd / && rm -rf *",
    "cd && rm -rf *",
    "(cd /; rm -rf *)",
    "D=~; rm -rf $D",
    "export D=/; rm -rf \"$D\"",
    "X=/ && rm -rf $X*",
    "rm${IFS}-rf${IFS}/",
    "$'\\x72m' -rf /",
    "rm -rf /proc/self/root",
    "rm -rf /proc/self/cwd",
    "LANG=C rm -rf ~",
    "2>/dev/null rm -rf ~",
    "echo / | xargs; rm -rf / # tidy",
    "trap 'rm -rf ~' EXIT",
    "su -c 'rm -rf /'",
    "xargs -n1 rm -rf / < x",
    "find / -delete",
    "find / -type f -delete",
    "find . -delete",
    "find -delete",
    "find ~ -exec rm -rf {} +",
    "find . -type f -exec rm {} \\;",
    "find / -name '*' -delete",
    "find $HOME -print0 | xargs -0 rm -rf",
    "mkfs /dev/sda",
    "mkfs.ext4 -F /dev/nvme0n1p1",
    "wipefs -a /dev/sdb",
    "dd if=x of=/dev/nvme0n1 bs=1M",
    "cp x.img /dev/sdb",
    "cat x.img > /dev/sda",
    "shred /dev/sda",
    "tee /dev/sda < x",
    "echo b > /proc/sysrq-trigger",
    "shutdown now",
    "reboot",
    "sudo halt",
    "poweroff -f",
    "init 0",
    "telinit 6",
    "systemctl poweroff",
    "systemctl reboot",
    "kill -9 -1",
    "kill -- -1",
    "kill -KILL -1",
    "kill -s KILL -1",
    "kill 1",
    "sudo kill -9 1",
    "pkill -9 -u ann",
    "chmod -R 777 /",
    "chmod -R 000 ~",
    "chown -R ann /",
    "chgrp -R ann /home",
    "sudo chown -R ann:ann /usr",
    "mv ~ /tmp/x",
    "mv /home/ann /tmp",
    "mv ~/* /tmp/x",
    "mv / x",
    "mv ../project ../other",
    ":(){ :|:& };:",
    ":(){:|:&};:",
    "b() { b | b & }; b",
    "perl -e 'fork while fork'",
    "rm -rf ~/.[!.]*",
    "rm -rf \"$HOME\"/*",
    "rm -rf /./",
    "exec rm -rf /",
    "function f(){ f|f& };f",
];

#[test]
fn catastrophes_are_refused_however_they_are_spelled() {
    for command in CATASTROPHES {
        assert!(refused(command).is_some(), "{command:?}");
    }
}

const EVERY_DAY: &[&str] = &[
    "rm -rf node_modules",
    "rm -rf target/ build",
    "rm -rf ./dist/*",
    "rm -rf *",
    "rm -rf ./*",
    "rm -rf \"$BUILD\"",
    "rm -rf $BUILD/*",
    "rm -rf /tmp/build",
    "rm -rf .venv",
    "rm -rf .github",
    "rm -rf vendor/x/.git",
    "rm -r .gitignore",
    "rm -rf '$HOME'",
    "rm -rf '~'",
    "rm -rf \\~",
    "rm -rf '*'",
    "rm -rf ~/.cache/pip",
    "rm a.txt",
    "rm ../x",
    "rm -f /tmp/*",
    "rm -rf \"$(mktemp -d)\"",
    "cd build && rm -rf *",
    "cd build && rm -rf .",
    "(cd /; ls); rm -rf *",
    "cd - && rm -rf *",
    "cd build && rm -rf $PWD",
    "cd \"$(mktemp -d)\" && rm -rf ./*",
    "T=$(mktemp -d); rm -rf $T",
    "git rm -r --cached .",
    "find . -name '*.o' -delete",
    "find . -name '*.pyc' -exec rm {} +",
    "find build -delete",
    "find . -type d -empty -delete",
    "find . -name __pycache__ -type d -exec rm -rf {} +",
    "find . -name '*.o' | xargs rm -f",
    "find . -type f | xargs wc -l",
    "find / -name x",
    "find . -mtime +7 -delete",
    "find . -type f -print",
    "rm -rf /tmp/*",
    "find /tmp -delete",
    "rm -rf src/{a,b}",
    "rm -rf ${X:-/tmp/x}",
    "rm -rf /home/u/x",
    "for d in a b; do rm -rf $d; done",
    "echo a b | xargs rm -rf",
    "ls / | xargs rm -rf build",
    "python3 -c \"print('rm -rf /')\"",
    "python3 -c \"print('filesystem', 'rm -rf /')\"",
    "node -e \"/x/.exec('reboot')\"",
    "python3 -c \"import shutil; shutil.rmtree('/tmp/x')\"",
    "rsync -a --delete src/ /tmp/x/",
    "rsync -an --delete src/ ~/",
    "function f { echo f; }; f",
    "chown -R u:u /home/u",
    "git clean -fdx",
    "git reset --hard",
    "chmod -R u+w src",
    "chmod -R u+w .",
    "chmod +x x.sh",
    "chown -R ann .",
    "chmod 755 /tmp/x",
    "kill -9 1234",
    "kill 12345",
    "kill %1",
    "kill -l",
    "kill -1 1234",
    "kill 0",
    "pkill -f server",
    "killall node",
    "mv a b",
    "mv src lib",
    "mv ~/x .",
    "mv * old/",
    "mv .git/hooks/x.sample /tmp",
    "dd if=/dev/zero of=disk.img",
    "dd if=/dev/sda of=x",
    "cat /dev/sda1",
    "ls /dev",
    "ls > /dev/null 2>&1",
    "echo x >&2",
    "echo hi > /dev/stderr",
    "mkfs.ext4 disk.img",
    "echo 'rm -rf /'",
    "echo rm -rf /",
    "grep -r 'rm -rf /' .",
    "git commit -m 'rm -rf / is bad'",
    "printf 'shutdown' > x",
    "man shutdown",
    "shutdown -c",
    "npm run init 0",
    "systemctl status",
    "systemctl restart x",
    "# rm -rf /",
    "ls # rm -rf ~",
    "cat <<'EOF' > notes.md\nrm -rf /\nEOF",
    "cat .agent/policy.toml",
    "ls ~/.config/agent",
    "git add .agent/config.toml",
    "cat ~/.config/agent/config.toml | head",
    "grep x .agent/config.toml > out.txt",
    "f() { echo f; }; f",
    "a() { b | c & }; a",
    "git log | head & wait",
    "echo \u{e9}\u{4e2d} > a.txt",
    "ls\n\tpwd",
    "docker run -v /:/host x",
    "rsync -a ~/ /tmp/x",
    "tar cf /tmp/x.tar ~",
    "cp -r ~ /tmp/x",
    "du -sh ~ /",
    "ls -R /",
];

#[test]
fn what_people_do_every_day_is_not_refused() {
    for command in EVERY_DAY {
        assert_eq!(refused(command), None, "{command:?}");
    }
}

#[test]
fn places_are_measured_from_where_the_command_starts() {
    assert!(refused_in("/home/ann/project/sub", "rm -rf ../.git").is_some());
    assert!(refused_in("/home/ann/project/sub", "rm -rf ..").is_some());
    assert_eq!(refused_in("/home/ann/project/sub", "rm -rf ."), None);
    assert_eq!(refused_in("/home/ann/project/sub", "rm -rf .git"), None);
    assert!(refused_in("/tmp", "rm -rf ~/project").is_some());
}

#[test]
fn a_folder_for_a_while_is_nobodys_though_a_project_lies_in_it() {
    let refused = |command| {
        let (root, home) = (Path::new("/tmp/home/p"), Path::new("/tmp/home"));
        refusal(
            command,
            &Places {
                root,
                cwd: root,
                home: Some(home),
                own: &[],
                guarded: &[],
                open: WritablePlaces::default(),
                facts: None,
            },
        )
    };
    for command in ["rm -rf /tmp/*", "find /tmp -delete", "rm -rf /tmp/x", "find /tmp -name '*.o' -delete"] {
        assert_eq!(refused(command), None, "{command}");
    }
    for command in ["rm -rf /tmp/home", "rm -rf .", "rm -rf ~/*", "rm -rf /tmp/h*", "rm -rf /"] {
        assert!(refused(command).is_some(), "{command}");
    }
}

const OURS: &[&str] = &[
    "echo x > ~/.config/agent/config.toml",
    "echo x >> $HOME/.config/agent/policy.toml",
    "rm -rf ~/.local/state/agent",
    "rm ~/.local/state/agent/undo/x",
    "rm -rf ~/.config",
    "mv ~/.local/state /tmp",
    "cp x .agent/config.toml",
    "tee .agent/policy.toml < x",
    "mkdir -p .agent",
    "touch .agent/x",
    "sed -i s/ask/allow/ ~/.config/agent/policy.toml",
    "cd ~/.config/agent && echo x > config.toml",
    "cd ~/.config && rm -r agent",
    "ln -sf x ~/.config/agent/config.toml",
    "vim .agent/config.toml",
    "python3 edit.py .agent/config.toml",
    "dd of=.agent/x",
    "sort -o .agent/x a",
    "find .agent -delete",
    "sh -c 'echo > .agent/config.toml'",
    "truncate -s 0 ~/.config/agent/config.toml",
    "git checkout .agent/config.toml",
    "chmod 777 ~/.config/agent",
    "install -m 600 x ~/.config/agent/",
    "some-tool --output=.agent/config.toml",
];

#[test]
fn our_own_config_and_state_is_not_changed_by_a_command() {
    for command in OURS {
        let why = refused(command).unwrap_or_else(|| panic!("{command:?}"));
        assert!(why.contains("this program's own"), "{command:?}: {why}");
    }
}

#[test]
fn a_refusal_says_what_and_what_to_do_instead() {
    let rows = [
        ("rm -rf ~", "it would remove the user's home; name exactly the files that are meant"),
        ("rm -rf .git", "it would remove the project's history in .git; name exactly the files that are meant"),
        ("chmod -R 777 /", "chmod would change all of a folder of the system; name exactly the files that are meant"),
        ("dd if=x of=/dev/sda", "it would write on /dev/sda itself; write to a file in the project"),
        ("reboot", "it would stop the machine; leave that to the user"),
        ("  \n", "the command is empty; say what is to be run"),
        (
            "ls \u{202e}x",
            "the command holds U+202E, a character that changes the direction of text; write it again without",
        ),
    ];
    for (command, expected) in rows {
        assert_eq!(refused(command).as_deref(), Some(expected), "{command:?}");
    }
}

#[test]
fn hidden_characters_are_refused_and_named() {
    let hidden = [
        '\0',
        '\u{1}',
        '\u{7}',
        '\u{8}',
        '\u{b}',
        '\r',
        '\u{1b}',
        '\u{7f}',
        '\u{80}',
        '\u{9b}',
        '\u{ad}',
        '\u{200b}',
        '\u{200d}',
        '\u{200e}',
        '\u{2028}',
        '\u{2029}',
        '\u{202a}',
        '\u{202e}',
        '\u{2060}',
        '\u{2066}',
        '\u{2069}',
        '\u{feff}',
        '\u{e0001}',
        '\u{e007f}',
    ];
    for character in hidden {
        let why = refused(&format!("ls a{character}b")).unwrap_or_default();
        assert!(why.contains(&format!("U+{:04X}", u32::from(character))), "{character:?}: {why}");
    }
    for plain in ['\t', '\n', ' ', 'ä', '中', '\u{a0}', '🦀', '\u{fe0f}'] {
        assert_eq!(refused(&format!("ls 'a{plain}b'")), None, "{plain:?}");
    }
    assert!(refused(&"a".repeat(64 * 1024 + 1)).is_some() && refused(&"a".repeat(64 * 1024)).is_none());
}
