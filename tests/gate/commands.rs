//! Shell commands that run our own operations.

use proptest::prelude::*;

use super::world::{State, World, code, shell};

/// Spellings of `plangate OP`; `OP` stands for an operation.
const SPELLINGS: &[&str] = &[
    "plangate OP",
    "plangate OP --yes",
    "plangate --session a OP",
    "PLANGATE OP",
    "/usr/local/bin/plangate OP",
    "./target/debug/plangate OP",
    "~/.cargo/bin/plangate OP",
    "plangate.exe OP",
    r"C:\bin\plangate.exe OP",
    "'plangate' OP",
    "\"plangate\" 'OP'",
    "plan'gate' \"OP\"",
    r"\plangate OP",
    r"plan\gate OP",
    "plan\\\ngate OP",
    "plangate \\\n  OP",
    "FOO=1 plangate OP",
    "env plangate OP",
    "env -i FOO=1 /bin/plangate OP",
    "sudo -u me plangate OP",
    "nohup plangate OP &",
    "timeout 5 plangate OP",
    "nice -n 3 setsid plangate OP",
    "command plangate OP",
    "exec plangate OP",
    "builtin eval plangate OP",
    "eval 'plangate OP'",
    "sh -c 'plangate OP'",
    "bash -lc \"plangate OP\"",
    "sh -c \"sh -c 'plangate OP'\"",
    "echo $(plangate OP)",
    "echo `plangate OP`",
    "cat <(plangate OP)",
    "ls; plangate OP",
    "ls && plangate OP",
    "false || plangate OP",
    "ls | plangate OP",
    "ls\nplangate OP",
    "(plangate OP)",
    "{ plangate OP; }",
    "if true; then plangate OP; fi",
    "! plangate OP",
    "plangate init && plangate OP",
    "echo yes | plangate OP",
    "plangate OP < /dev/tty",
    "script -qc 'plangate OP' /dev/null",
    "echo OP | xargs plangate",
    "echo plangate | xargs -I{} {} OP",
    "find . -name x -exec plangate OP ;",
    "P=plangate; $P OP",
    "P=plangate && \"${P}\" OP",
    "a=plan b=gate; $a$b OP",
    "a=plan; b=${a}gate; $b OP",
    "x=OP; plangate $x",
    "plangate $(echo OP)",
    "plangate `cat op`",
    "plangate ${x:-OP}",
    "${x:-plangate} OP",
    "$(which plangate) OP",
    "$(echo plan)gate OP",
    "plan$(echo)gate OP",
    "plan${nothing}gate OP",
    "plan$@gate OP",
    "for p in plangate; do $p OP; done",
    "alias p=plangate; p OP",
    "ln -s $(command -v plangate) p; ./p OP",
    "cp /bin/plangate /tmp/p && /tmp/p OP",
    "{plangate,OP}",
    "plan{gate,} OP",
    "plan[g]ate OP",
    "/usr/bin/plangat? OP",
    "/usr/bin/plang* OP",
    "cd /usr/bin; ./p*e OP",
    "pl[a-z]ngate OP",
    "@(plan)gate OP",
    "ls /usr/bin/plan*|sh -s OP",
    r"plangate\x20OP",
    "IFS=,;c=plangate,OP;$c",
    "IFS=_;c=plangate_OP;$c",
    "IFS=:;c=plangate:OP;$c",
    "env \"-Splangate OP\"",
    "vim -es -c '!plangate OP' -c q",
    "git -c alias.z='!plangate OP' z",
    "printf 'z:\\n\\t@plangate OP' | make -sf - z",
    "plangate</dev/null OP",
    "plangate&&plangate>/dev/null OP",
    "set plangate OP; \"$@\"",
    r"$'\x70langate' OP",
    r"$'\160langate' OP",
    r"$'\u0070langate' OP",
    r"printf '\x70langate OP' | sh",
    "python3 -c \"import subprocess; subprocess.run(['plangate','OP'])\"",
    "python3 -c \"import os; os.system('plan'+'gate OP')\"",
    "node -e \"require('child_process').execFileSync('plangate',['OP'])\"",
    "perl -e 'system(\"plan\".\"gate\",\"OP\")'",
    "powershell -Command \"& plangate OP\"",
    "Start-Process plangate -ArgumentList OP",
    "plan`gate OP",
    "plan^gate OP",
    "cmd /c plangate OP",
    "npx plangate@latest OP",
    "cargo run --bin plangate -- OP",
    "docker run x plangate OP",
    "ssh localhost plangate OP",
    "tmux send-keys 'plangate OP' Enter",
    "plangate\tOP",
    "plangate\u{a0}OP",
    "plan\u{200b}gate OP",
];

const OPERATIONS: [&str; 8] = ["approve", "discard", "restore", "enter", "tool", "hook", "mcp", "setup"];

// spec: GATE-14
#[test]
fn b29_our_own_command() {
    for state in State::LIVE {
        let world = World::new(state);
        for spelling in SPELLINGS {
            for operation in OPERATIONS {
                let verdict = world.judge(shell(&spelling.replace("OP", operation)));
                assert_eq!(code(&verdict), "own-command", "{state:?} {spelling} {operation}");
            }
        }
    }
}

// spec: GATE-14
#[test]
fn an_operation_that_the_shell_puts_in_counts_as_the_worst() {
    let world = World::new(State::PreInit);
    for command in [
        "plangate $OP",
        "plangate \"$1\"",
        "plangate --json $(cat op)",
        "plangate appr*",
        "plangate appro[v]e",
        "plangate appr{ov,x}e",
        "xargs plangate < ops",
        "plangate `cat op`",
    ] {
        assert_eq!(code(&world.judge(shell(command))), "own-command", "{command}");
    }
}

// spec: GATE-2, GATE-4
#[test]
fn ordinary_commands_run() {
    for state in [State::PreInit, State::Active] {
        let world = World::new(state);
        for command in [
            "",
            "ls -la",
            "git status && git diff",
            "cargo test",
            "rg plangate",
            "grep -rn 'plangate' docs src",
            "cat docs/plangate.md",
            "plangate status",
            "plangate status --json | jq .state",
            "plangate show",
            "plangate --version",
            "plangate check $FILE",
            "plangate",
            "cd plangate && ls",
            "git restore src/main.rs",
            "echo approve",
            "cat tool.rs hook.rs",
            "ls $HOME/x",
            "rg -n 'plan.*gate' -g '*.rs'",
            "ls * approve",
        ] {
            assert_eq!(code(&world.judge(shell(command))), "allow", "{state:?} {command}");
        }
    }
}

// spec: GATE-14
#[test]
fn quotes_and_backslashes_anywhere_hide_nothing() {
    let world = World::new(State::Active);
    let noise = prop::sample::select(vec!["", "''", "\"\"", "\\", "\\\n", "$()", "${y}", "\u{200b}"]);
    let config = ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(noise in prop::collection::vec(noise, 15), before in "(ls;|env |sh -c |[a-z]+ && )?")| {
        // A backslash before a letter is no escape of that letter here: none of them names a character by number.
        let name: String = "plangate".chars().zip(&noise).flat_map(|(letter, noise)| [noise.to_string(), letter.to_string()]).collect();
        let operation: String =
            "approve".chars().zip(&noise[8..]).flat_map(|(letter, noise)| [noise.to_string(), letter.to_string()]).collect();
        let command = format!("{before}{name} {operation}");
        prop_assert_eq!(code(&world.judge(shell(&command))), "own-command", "{}", command);
    });
    // Whatever it is, it gets an answer.
    proptest!(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }, |(command in "[plangte \\\\'\"$`{}()\\[\\]*?=;|&x07u\\n]{0,80}")| {
        let _ = world.judge(shell(&command));
    });
}
