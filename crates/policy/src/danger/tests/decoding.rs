//! One line a text: the words of the programs it starts.

use crate::danger::words;

fn spelled(command: &str) -> Vec<String> {
    words(command).into_iter().map(|words| words.join("·")).collect()
}

#[test]
fn words_are_decoded_and_programs_behind_others_are_seen() {
    let rows: &[(&str, &[&str])] = &[
        ("ls", &["ls"]),
        ("r''m \"a b\" c\\ d", &["rm·a b·c d"]),
        ("a; b && c || d | e & f\ng", &["a", "b", "c", "d", "e", "f", "g"]),
        ("A=1 B=2 git push", &["git·push"]),
        ("git pu$'\\x73'h", &["git·push"]),
        ("git push >a 2>&1 <b", &["git·push"]),
        ("2>x git push", &["git·push"]),
        ("X=push; git $X", &["git·push"]),
        ("sudo -u bob git push", &["git·push", "sudo·-u·bob·git·push"]),
        ("env -u A B=c git push", &["git·push", "env·-u·A·B=c·git·push"]),
        ("timeout -k 1 5 git push", &["git·push", "timeout·-k·1·5·git·push"]),
        ("nice -n 5 nohup git push", &["git·push", "nohup·git·push", "nice·-n·5·nohup·git·push"]),
        ("sh -c 'git push'", &["git·push", "sh·-c·git push"]),
        ("bash -xc \"git push; ls\"", &["git·push", "ls", "bash·-xc·git push; ls"]),
        ("eval git push", &["git·push", "eval·git·push"]),
        ("find . -exec git push {} \\; -print", &["git·push·{}", "find·.·-exec·git·push·{}·;·-print"]),
        ("find . -exec a {} + -execdir b \\;", &["a·{}", "b", "find·.·-exec·a·{}·+·-execdir·b·;"]),
        ("echo git push | sh", &["echo·git·push", "git·push", "sh"]),
        ("(git push)", &["git·push"]),
        ("{ git push; }", &["git·push"]),
        ("if git push; then ls; fi", &["git·push", "ls"]),
        ("echo $(git push)", &["git·push", "echo·$(git push)"]),
        ("echo \"a `git push`\"", &["git·push", "echo·a $(git push)"]),
        ("cat <<X\n$(git push)\nX\nls", &["cat", "git·push", "$(git push)\n", "ls"]),
        ("cat <<'X'\n$(git push)\nX\nls", &["cat", "ls"]),
        ("ls # git push", &["ls"]),
        ("'unclosed git push", &["unclosed git push"]),
        ("git \\\npush", &["git·push"]),
        ("command -v git", &["command·-v·git"]),
        ("echo ~ $HOME", &["echo·~·$HOME"]),
        ("", &[]),
        ("> a.txt", &[]),
        ("A=1", &[]),
    ];
    for (command, expected) in rows {
        assert_eq!(&spelled(command), expected, "{command:?}");
    }
}

#[test]
fn scripts_within_scripts_end_somewhere() {
    let deep = (0..200).fold("git push".to_owned(), |inner, _| format!("$({inner})"));
    assert!(words(&deep).len() < 300);
    let mut quoted = "ls".to_owned();
    for _ in 0..9 {
        quoted = format!("sh -c '{}'", quoted.replace('\'', "'\\''"));
    }
    assert!(words(&quoted).len() < 20);
    assert!(words(&"sudo ".repeat(10_000)).len() < 10);
    assert!(words(&"find -exec ".repeat(5_000)).len() < 10);
    assert!(words(&"a;".repeat(30_000)).len() < 5_000);
}
