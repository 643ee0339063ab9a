//! One line a command: what starts itself until the machine stands still, and what only looks like it.

use super::refused;

const BOMBS: &[&str] = &[
    "bomb() { bomb | bomb & }; bomb",
    "bomb(){bomb|bomb&};bomb",
    "bomb()\n{\n  bomb | bomb &\n}\nbomb",
    "x () { x | x & } ; x",
    "f(){ f & f; }; f",
    "f(){ f & f & }; f",
    "f(){ f|f; }; f",
    "f() ( f | f & ); f",
    "f(){ (f) & (f) & }; f",
    "f(){ f | f | f & }; f",
    "f(){ echo x; f & f & wait; }; f",
    "f(){ true && f | f & }; f",
    "f(){ $FUNCNAME | $FUNCNAME & }; f",
    "function bomb { bomb & bomb & }; bomb",
    "function bomb () { bomb | bomb & }; bomb",
    "sh -c 'f(){ f|f& };f'",
    "bash -c \":(){ :|:& };:\"",
    "$0 & while true; do $0 & done",
    "while true; do $0 & done",
    "while :; do ./run.sh & done",
    "while true\ndo\n  sh x.sh &\ndone",
    "until false; do ./x & done",
    "for ((;;)); do ./x & done",
    "perl -e 'fork while 1'",
    "perl -e 'fork while fork'",
    "perl -e 'while(1){ fork }'",
    "perl -e 'for(;;){fork}'",
    "ruby -e 'loop { fork }'",
    "perl <<'X'\nfork while 1;\nX",
    "sh -c \"perl5.36 -e 'fork while 1'\"",
    "ruby -e 'fork while true'",
    "python3 -c 'import os\nwhile True: os.fork()'",
    "python3 -c 'import os\nwhile 1:\n  os.fork()'",
];

#[test]
fn what_starts_itself_again_and_again_is_refused_by_its_shape() {
    let missed: Vec<&&str> = BOMBS.iter().filter(|command| refused(command).is_none()).collect();
    assert!(missed.is_empty(), "{missed:?}");
}

const NONE: &[&str] = &[
    "walk() { for x in \"$1\"/*; do [ -d \"$x\" ] && walk \"$x\"; done; }; walk src",
    "fib() { if [ $1 -lt 2 ]; then echo $1; else echo $(( $(fib $(($1-1))) + $(fib $(($1-2))) )); fi; }; fib 5",
    "f() { f; f; }",
    "f() { g | h & }; f",
    "retry() { make test || retry; }; retry",
    "serve() { ./server & }; serve",
    "poll() { sleep 5; poll & }; poll",
    "while true; do ./server & wait; done",
    "while true; do curl -s localhost & sleep 1; done",
    "while true; do date; sleep 1; done",
    "while read x; do ./build \"$x\" & done < list",
    "for x in a b c; do ./build $x & done; wait",
    "while true; do make 2>&1 | tail -1; break; done",
    "while true; do make test && break; done",
    "make a & make b & wait",
    "ls >&2 & ls &",
    "perl -e 'my $pid = fork; wait if $pid'",
    "python3 -c 'import os; os.fork()'",
    "grep -rn fork src",
    "grep -rn 'while True' . ; grep -rn 'os.fork()' .",
    "echo 'while the server runs it calls os.fork()' >> NOTES.md",
    "python3 -c 'import os\nwhile True:\n  pid = os.fork()\n  if pid: os.waitpid(pid, 0)'",
    "f() { echo f | tee f & }; f",
    "git commit -m 'never fork while 1'",
    "grep -rn 'fork while fork' src",
    "echo 'while(1){ fork }' > notes.txt",
];

#[test]
fn what_may_end_or_waits_is_left_to_the_person() {
    for command in NONE {
        assert_eq!(refused(command), None, "{command:?}");
    }
}
