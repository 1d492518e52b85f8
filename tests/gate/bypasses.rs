//! Ways round a gate, each of which has been a real hole somewhere: one test a kind, and the kind varied.

use std::fs;

use plangate::gate::{Act, Policy, Target};
use plangate::model::{Caller, Origin};
use plangate::plan::Operation;
use plangate::{Engine, SessionId};
use proptest::prelude::*;

use super::world::{ID, OTHER, State, World, altered, code, content, denied, shell};

fn config() -> ProptestConfig {
    ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() }
}

// spec: GATE-8
#[test]
fn b01_prefix_compare() {
    let world = World::new(State::Editing);
    proptest!(config(), |(tail in "[-_.~a-z0-9]{1,9}", made: bool, inside: bool)| {
        let folder = if inside { format!("{}/{tail}", world.session_dir()) } else { format!("{}{tail}", world.session_dir()) };
        prop_assume!(!tail.trim_matches('.').is_empty());
        if made {
            fs::create_dir_all(&folder).unwrap();
        }
        let verdict = world.write(format!("{folder}/{}", world.md().file_name().unwrap()));
        prop_assert!(!verdict.is_allowed(), "{folder}");
    });
}

// spec: GATE-3, GATE-8
#[test]
fn b02_same_name_elsewhere() {
    let world = World::new(State::Editing);
    let name = world.md().file_name().unwrap().to_owned();
    fs::write(world.project().join(&name), "# mine").unwrap();
    proptest!(config(), |(folder in "(\\./|src/|[a-z]{1,5}/|[a-z]/session/|\\.opencrabs/session/){0,3}")| {
        let verdict = world.write(format!("{folder}{name}"));
        prop_assert!(["only-the-md", "other-plan", "control"].contains(&code(&verdict)), "{folder}: {}", code(&verdict));
    });
    assert_eq!(code(&world.write(&name)), "only-the-md");
}

// spec: GATE-8
#[test]
fn b03_dot_dot() {
    let world = World::new(State::Editing);
    let (md, dir, name) = (world.md(), world.session_dir(), world.md().file_name().unwrap().to_owned());
    for (target, expected) in [
        (format!("{md}/../../x"), "unresolved"),
        (format!("{md}/../{name}"), "unresolved"),
        (format!("{md}/."), "unresolved"),
        (format!("{dir}/sub/../{name}"), "md-unclear"),
        (format!("{dir}/../x"), "under-root"),
        (format!("{dir}/../../project/x"), "only-the-md"),
        (format!("{dir}/../session/../../x.md"), "only-the-md"),
        // The file system goes to the project, and a program that takes the dots away first to the `.md`.
        (format!("{}/plans/../session/{name}", world.base()), "md-unclear"),
        (format!("{}/plans/../{name}", world.base()), "other-plan"),
    ] {
        let verdict = world.write(&target);
        assert!(!verdict.is_allowed(), "{target}");
        // Which of the codes is told depends on which reading is the worst; that it is denied does not.
        assert!([expected, "md-unclear", "control"].contains(&code(&verdict)), "{target}: {}", code(&verdict));
    }
    // A link to elsewhere with the `.md` behind it by name alone.
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(world.project().join("src"), dir.join("away")).unwrap();
        assert!(!world.write(format!("{dir}/away/../{name}")).is_allowed());
        assert!(!world.write(format!("{dir}/away/main.rs")).is_allowed());
    }
}

#[cfg(unix)]
mod links {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    // spec: GATE-3, GATE-8
    #[test]
    fn b04_file_symlink() {
        for leads_to in ["src/main.rs", "src/dangling.rs", "../.claude/settings.json", "plans"] {
            let world = World::new(State::Editing);
            fs::remove_file(world.md()).unwrap();
            symlink(world.project().join(leads_to), world.md()).unwrap();
            let before = world.files();
            for target in [world.md().to_string(), "plans/".to_owned() + world.md().file_name().unwrap()] {
                assert_eq!(code(&world.write(&target)), "md-unclear", "{leads_to} {target}");
                assert!(!world.alter(&target).is_allowed());
            }
            assert!(!world.write(world.project().join(leads_to)).is_allowed());
            assert_eq!(world.files(), before);
        }
        // A link that leads to the `.md`: whoever writes by renaming replaces the link, which is a file of the project.
        let world = World::new(State::Editing);
        symlink(world.md(), world.project().join("plan.md")).unwrap();
        assert_eq!(code(&world.write("plan.md")), "md-unclear");
        let world = World::new(State::Active);
        symlink(world.md(), world.project().join("plan.md")).unwrap();
        assert_eq!(code(&world.write("plan.md")), "frozen");
    }

    // spec: GATE-5, GATE-8
    #[test]
    fn b05_folder_symlink() {
        let world = World::new(State::Editing);
        let name = world.md().file_name().unwrap().to_owned();
        symlink(world.project(), world.session_dir().join("in")).unwrap();
        symlink(world.project(), world.root().join("projects")).unwrap();
        symlink(world.root(), world.project().join("crabs")).unwrap();
        for allowed in
            [format!("plans/{name}"), format!("crabs/session/{name}"), format!("{}/plans/{name}", world.base())]
        {
            assert_eq!(code(&world.write(&allowed)), "allow", "{allowed}");
        }
        for target in ["in/src/main.rs", &format!("in/{name}"), "in/x", "../projects/src/main.rs", "../projects/x"] {
            let target = world.session_dir().join(target);
            assert!(!world.write(&target).is_allowed(), "{target}");
        }
        // The way there leads in a circle, or past the folder's own link.
        symlink("round", world.project().join("round")).unwrap();
        assert_eq!(code(&world.write(format!("round/{name}"))), "unresolved");
        assert_eq!(code(&world.write("crabs/session")), "holder");
    }

    // spec: GATE-8
    #[test]
    fn b06_hard_link() {
        for state in [State::Editing, State::Seeding] {
            let world = World::new(state);
            let source = world.project().join("src/lib.rs");
            fs::hard_link(world.md(), &source).unwrap();
            let verdict = world.write(world.md());
            let other = world.write(&source);
            if state == State::Seeding {
                assert_eq!((code(&verdict), code(&other)), ("frozen", "frozen"));
                continue;
            }
            assert_eq!((code(&verdict), code(&other)), ("md-linked", "md-linked"));
            // What the text tells the user to run mends it.
            let next = denied(&verdict).next().unwrap();
            let mend = next.split_once(": ").unwrap().1;
            assert!(std::process::Command::new("sh").args(["-c", mend]).status().unwrap().success());
            assert_eq!(code(&world.write(world.md())), "allow");
            assert_eq!(code(&world.write(&source)), "only-the-md");
        }
        // A second name of the record, of the policy or of the gate's settings is no way in either.
        let world = World::new(State::Active);
        fs::write(world.root().join("policy.json"), "{}").unwrap();
        for (file, expected) in [
            (world.json(), "record"),
            (world.beside("lock"), "control"),
            (world.root().join("policy.json"), "control"),
            (world.project().join(".claude/settings.json"), "control"),
        ] {
            let name = world.project().join(format!("src/{}", expected.len() + file.as_str().len()));
            fs::hard_link(&file, &name).unwrap();
            assert_eq!(code(&world.write(&name)), expected, "{file}");
        }
    }

    // spec: GATE-13
    #[test]
    fn b14_settings_behind_links() {
        let world = World::new(State::Active);
        fs::create_dir_all(world.home().join("dotfiles/claude")).unwrap();
        fs::remove_dir(world.home().join(".claude")).unwrap();
        symlink("dotfiles/claude", world.home().join(".claude")).unwrap();
        for file in ["settings.json", "settings.local.json", "SETTINGS.json"] {
            let target = world.home().join("dotfiles/claude").join(file);
            assert_eq!(code(&world.write(&target)), "control", "{target}");
        }
        assert_eq!(code(&world.write(world.home().join("dotfiles/claude/notes.md"))), "allow");
        assert_eq!(code(&world.alter("../dotfiles")), "allow", "nothing is in it yet");
        fs::write(world.home().join("dotfiles/claude/settings.json"), "{}").unwrap();
        assert_eq!(code(&world.alter("../dotfiles")), "holder");
        assert_eq!(code(&world.alter("../.claude")), "holder");
    }
}

// spec: GATE-8
#[test]
fn b07_case() {
    // On this disk case makes a difference, or it does not; the disk says so itself. The other kind: `strange_disk`.
    let world = World::new(State::Editing);
    let loud = world.md().with_extension("MD");
    let expected = if loud.exists() { ["allow"; 2] } else { ["md-unclear", "under-root"] };
    assert!(expected.contains(&code(&world.write(&loud))), "{}", code(&world.write(&loud)));
    let frozen = World::new(State::Active);
    assert_eq!(code(&frozen.write(frozen.md().with_extension("Md"))), "frozen");
    assert_eq!(code(&frozen.write(frozen.md().with_extension("JSON"))), "record");
}

/// Ways to write a path that some program takes for that path.
fn disguises(path: &str) -> Vec<String> {
    vec![
        format!("{path}\0"),
        format!("{path}\0.txt"),
        format!("{path}\n"),
        format!("{path}\r\n"),
        format!("{path} "),
        format!(" {path}"),
        format!("\t{path}"),
        format!("{path}\u{a0}"),
        format!("{path}\u{200b}"),
        format!("\u{feff}{path}"),
        format!("{path}\u{202e}"),
        path.replacen("plan", "pl\u{ad}an", 1),
        path.replacen("plan", "pl\u{200d}an", 1),
        path.replace("_plan_", "%5Fplan%5F"),
        path.replace('.', "%2e"),
        path.replace('/', "%2F"),
        format!("file://{path}"),
        format!("file://localhost{path}"),
        format!("FILE:{path}"),
        format!("file://{}", path.replace('.', "%2E")),
        format!("\"{path}\""),
        format!("'{path}'"),
        format!("`{path}`"),
        format!("<{path}>"),
        format!("@{path}"),
        path.replace('/', "\\"),
    ]
}

// spec: GATE-8
#[test]
fn b08_characters() {
    let world = World::new(State::Editing);
    let md = world.md();
    for target in disguises(md.as_str()) {
        assert!(!world.write(&target).is_allowed(), "{target:?}");
    }
    assert_eq!(code(&world.write(format!("{md}/"))), "md-unclear");
    assert_eq!(code(&world.write("")), "unresolved");
    assert_eq!(code(&world.write("x".repeat(70_000))), "unresolved");
    // Look-alikes are other files.
    for target in [md.as_str().replace("md", "mԁ"), md.as_str().replace('.', "．"), md.as_str().replace('/', "∕")] {
        assert!(!world.write(&target).is_allowed(), "{target}");
    }
    // What a careless program takes for a guarded file is guarded.
    for (state, code_of_md) in [(State::Active, "frozen"), (State::Seeding, "frozen")] {
        let world = World::new(state);
        for target in disguises(world.md().as_str()) {
            assert!([code_of_md, "control"].contains(&code(&world.write(&target))), "{target:?}");
        }
        for target in disguises(world.json().as_str()) {
            assert!(["record", "control"].contains(&code(&world.write(&target))), "{target:?}");
        }
        for target in disguises(world.project().join(".claude/settings.json").as_str()) {
            let verdict = world.write(&target);
            assert!(["control", "unresolved"].contains(&code(&verdict)), "{target:?}");
        }
        for home in ["~", "$HOME", "${HOME}", "%USERPROFILE%", "~dev"] {
            assert_eq!(
                code(&world.write(format!("{home}/.opencrabs/session/.opencrabs_plan_{ID}.json"))),
                "record",
                "{home}"
            );
        }
    }
}

// spec: GATE-8
#[test]
#[cfg(target_os = "linux")]
fn b08_a_link_that_each_process_has_its_own_of() {
    for state in [State::Editing, State::Active] {
        let world = World::new(state);
        std::os::unix::fs::symlink("/proc/self/root", world.project().join("root")).unwrap();
        for target in
            [format!("/proc/self/root{}", world.md()), "/dev/fd/1".into(), "/proc/self/cwd/x".into(), "root/x".into()]
        {
            let verdict = world.write(&target);
            assert_eq!(code(&verdict), "unresolved", "{target}");
        }
    }
}

// spec: GATE-8
#[test]
fn b08_a_tilde_that_is_a_name() {
    let world = World::new(State::Editing);
    let target = format!("~/.opencrabs/session/{}", world.md().file_name().unwrap());
    assert_eq!(code(&world.write(&target)), "allow");
    fs::create_dir(world.project().join("~")).unwrap();
    assert_eq!(code(&world.write(&target)), "md-unclear");
}

// spec: GATE-9
#[test]
fn b09_b10_several_targets() {
    let world = World::new(State::Editing);
    let md = world.md();
    proptest!(config(), |(others in prop::collection::vec("[a-z]{1,6}(/[a-z]{1,6}){0,2}", 1..4), copies in 1..4usize, at in 0..4usize)| {
        let mut targets = vec![md.as_str(); copies];
        for other in &others {
            targets.insert(at.min(targets.len()), other);
        }
        prop_assert_eq!(code(&world.judge(content(targets.iter().copied()))), "only-the-md");
        let act = Act::Write {
            content: vec![Target::new(md.as_str()); copies],
            altered: others.iter().map(|other| Target::new(other.as_str())).collect(),
        };
        prop_assert_eq!(code(&world.judge(act)), "only-the-md");
    });
    // Move the `.md` away, delete it, move another file over it.
    for act in [altered([md.as_str()]), altered([md.as_str(), "src/plan.md"]), altered(["src/main.rs", md.as_str()])] {
        assert!(!world.judge(act).is_allowed());
    }
}

// spec: GATE-9
#[test]
fn b11_a_patch_that_cannot_be_read() {
    let act = || Act::Unreadable { why: "line 3 of the patch is no header".into() };
    for (state, expected) in [
        (State::PreInit, "unreadable"),
        (State::Editing, "unreadable"),
        (State::Active, "unreadable"),
        (State::Damaged, "damaged"),
        (State::NoPlan, "allow"),
    ] {
        assert_eq!(code(&World::new(state).judge(act())), expected);
    }
    // A target that leads out of the folder, and one with a carriage return at its end.
    let world = World::new(State::Editing);
    for target in [format!("{}\r", world.md()), "../../x".to_owned(), "/etc/passwd".to_owned()] {
        assert!(!world.write(&target).is_allowed());
    }
}

// spec: GATE-13
#[test]
fn b14_own_controls() {
    const SETTINGS: [&str; 22] = [
        ".claude/settings.json",
        ".claude/settings.local.json",
        "../.claude/settings.json",
        "~/.claude/settings.local.json",
        "sub/.claude/settings.json",
        ".codex/config.toml",
        "~/.codex/config.toml",
        "~/.codex/hooks.json",
        ".gemini/settings.json",
        "~/.gemini/settings.json",
        ".github/hooks/gate.json",
        ".github/hooks/new/deep.json",
        ".github/hooks",
        "~/.copilot/hooks/x.json",
        "~/.copilot/config.json",
        "opencode.json",
        "opencode.jsonc",
        "~/.config/opencode/opencode.json",
        ".opencode/plugin/gate.js",
        ".opencode/plugins/gate.ts",
        ".cursor/hooks.json",
        ".CLAUDE/Settings.JSON",
    ];
    for state in State::LIVE {
        let world = World::new(state);
        let root = world.root();
        let own = [
            root.join("policy.json"),
            root.join("POLICY.json"),
            world.beside("lock"),
            world.beside("tombstone"),
            world.beside("pin"),
            world.session_dir().join("archive"),
            world.session_dir().join("archive/opencrabs_plan_x-20260101T000000Z.json"),
            root.join("projects/p/session/archive/x.md"),
            root.join(format!("agents/session/.opencrabs_plan_{ID}.md")),
            world.home().join("bin/plangate"),
        ];
        for target in SETTINGS.into_iter().map(str::to_owned).chain(own.map(|path| path.to_string())) {
            let expected = if state == State::PreInit { "write-before-init" } else { "control" };
            assert_eq!(code(&world.write(&target)), expected, "{state:?} {target}");
            assert_eq!(code(&world.alter(&target)), expected, "{state:?} {target}");
        }
        // A folder that they are in goes nowhere.
        for target in [root.to_string(), world.session_dir().to_string(), "~".into(), "..".into(), "/".into()] {
            let expected = if state == State::PreInit { "write-before-init" } else { "holder" };
            assert_eq!(code(&world.alter(&target)), expected, "{state:?} {target}");
        }
    }
    // In Active the project's own files are the agent's to change, and so are folders that merely look alike.
    let world = World::new(State::Active);
    for target in [
        "src/main.rs",
        "settings.json",
        ".claude/notes.md",
        "claude/settings.json",
        "hooks.json",
        ".github/workflows/ci.yml",
    ] {
        assert_eq!(code(&world.write(target)), "allow", "{target}");
        assert_eq!(code(&world.alter(target)), "allow", "{target}");
    }
    assert_eq!(code(&world.alter("src")), "allow");
    // Who prepares a folder and moves it into place has written what is in it.
    for target in [".gemini", ".github", "sub/.opencode", "~/.config/opencode", ".CODEX", "../.cursor/"] {
        assert_eq!(code(&world.alter(target)), "holder", "{target}");
    }
    for target in ["projects", "projects/p", "projects/p/session", "profiles/x", "agents", "agents/session", "session"]
    {
        let target = world.root().join(target);
        assert_eq!(code(&world.alter(&target)), "holder", "{target}");
        assert_eq!(code(&world.write(&target)), "holder", "{target}");
    }
    assert_eq!(code(&world.alter(".github/workflows")), "allow");
    assert_eq!(code(&world.write(world.root().join("projects/p/notes.md"))), "allow");
    assert_eq!(code(&world.alter(".")), "holder");
    assert_eq!(code(&world.alter(".claude")), "holder");
}

// spec: GATE-5
#[test]
fn b15_foreign_session() {
    for state in State::LIVE {
        let world = World::new(state);
        let other = world.engine().session(SessionId::new(OTHER).unwrap());
        let plangate::AnyPlan::NoPlan(plan) = other.load().wait().unwrap() else { panic!() };
        let plan = plan.init_design(plangate::plan::Brief::new("Another").unwrap()).wait().unwrap();
        let paths = plan.paths();
        for target in [&paths.md, &paths.json, &world.root().join("projects/p/session/.opencrabs_plan_z.md")] {
            let expected = if state == State::PreInit { "write-before-init" } else { "other-plan" };
            assert_eq!(code(&world.write(target)), expected, "{state:?}");
            assert_eq!(code(&world.alter(target)), expected, "{state:?}");
        }
    }
}

// spec: GATE-2
#[test]
fn b16_not_there_yet() {
    let world = World::new(State::PreInit);
    let verdict = world.write(world.md());
    assert_eq!(code(&verdict), "write-before-init");
    assert!(denied(&verdict).next().unwrap().contains(world.md().as_str()));
    proptest!(config(), |(target in "\\PC{0,40}", moved: bool)| {
        let verdict = if moved { world.alter(&target) } else { world.write(&target) };
        prop_assert_eq!(code(&verdict), "write-before-init");
    });
}

// spec: GATE-2, GATE-17
#[test]
fn b17_plan_operations() {
    let world = World::new(State::PreInit);
    // Calls of one turn are judged one by one; that an `init` is among them opens nothing.
    assert!(world.judge(Act::Plan(Operation::InitDesign)).is_allowed());
    for operation in [Operation::Start, Operation::Complete, Operation::AddTasks, Operation::Skip, Operation::Fail] {
        assert_eq!(code(&world.judge(Act::Plan(operation))), "init-first", "{operation}");
    }
}

// spec: GATE-7, GATE-16
#[test]
fn b18_b19_unknown_tools_and_their_hints() {
    for state in [State::PreInit, State::Editing] {
        let mut world = World::new(state);
        world.policy = Policy::default().with_read_only_tool("mcp__docs__search");
        let verdict = |tool: &str| {
            let mut call = world.call(Act::Unknown);
            call.tool = tool.into();
            world.judge_call(&call)
        };
        for tool in ["mcp__other__plan", "Plan", "plan ", "pl\u{200b}an", "", "mcp__docs__search ", "mcp__Docs__search"]
        {
            let verdict = verdict(tool);
            assert_eq!(code(&verdict), "unknown-tool", "{tool:?}");
            assert!(denied(&verdict).to_string().contains("read_only_tools"));
        }
        // What a tool claims of itself is no part of a call; what the person says of it is.
        assert!(verdict("mcp__docs__search").is_allowed());
        proptest!(config(), |(tool in "\\PC{0,40}")| {
            prop_assume!(tool != "mcp__docs__search");
            prop_assert_eq!(code(&verdict(&tool)), "unknown-tool");
        });
        // A name on the list makes no known tool harmless.
        let mut call = world.call(content(["src/main.rs"]));
        call.tool = "mcp__docs__search".into();
        assert!(!world.judge_call(&call).is_allowed());
    }
}

// spec: GATE-15, GATE-16
#[test]
fn b20_b21_neither_subagents_nor_permission_modes_count() {
    for state in State::ALL {
        let world = World::new(state);
        let acts = [
            content(["src/main.rs"]),
            content([world.json().as_str()]),
            shell("ls"),
            shell("plangate approve"),
            Act::Spawn,
        ];
        for act in acts {
            let call = world.call(act);
            let as_a_person = world.judge_call(&call);
            for origin in Origin::ALL {
                let session = world.session().with_caller(Caller::unasked(origin));
                let verdict = session.judge(&call, &world.policy, &world.surroundings()).wait();
                assert_eq!(verdict, as_a_person, "{state:?} {origin}");
            }
        }
    }
}

// spec: GATE-10
#[test]
fn b22_damaged_state() {
    let huge = |world: &World| fs::File::create(world.json()).unwrap().set_len(64 * 1024 * 1024 + 1).unwrap();
    let text = |text: &'static [u8]| move |world: &World| fs::write(world.json(), text).unwrap();
    type Spoil = Box<dyn Fn(&World)>;
    let spoil: [(&str, Spoil); 6] = [
        ("damaged", Box::new(text(b""))),
        ("damaged", Box::new(text(b"{"))),
        ("damaged", Box::new(text(b"\xff\xfe"))),
        ("damaged", Box::new(text(br#"{"status":"Launched"}"#))),
        ("unknown", Box::new(huge)),
        ("unknown", Box::new(|world| fs::create_dir(world.json()).unwrap())),
    ];
    for (expected, spoil) in spoil {
        let world = World::new(State::NoPlan);
        spoil(&world);
        let before = world.session().view().wait().unwrap_err().to_string();
        for act in [
            content(["x"]),
            content([world.md().as_str()]),
            shell("ls"),
            Act::Spawn,
            Act::Send,
            Act::Browser,
            Act::Unknown,
        ] {
            let verdict = world.judge(act);
            assert_eq!(code(&verdict), expected);
            assert!(denied(&verdict).to_string().to_lowercase().contains(&before.to_lowercase()), "{before}");
        }
        for act in [Act::Read, Act::Question, Act::Plan(Operation::View)] {
            assert!(world.judge(act).is_allowed());
        }
    }
}

// spec: GATE-1, LIFE-12
#[test]
fn b23_time() {
    for state in State::ALL {
        let world = World::new(state);
        let before = world.session().situation().wait().standing();
        if world.json().is_file() {
            let file = fs::File::options().write(true).open(world.json()).unwrap();
            for seconds in [0, 1, 4_000_000_000] {
                file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds)).unwrap();
                assert_eq!(world.session().situation().wait().standing(), before);
            }
        }
        // A new process sees the same.
        let again = Engine::at(world.root()).build().unwrap().session(SessionId::new(ID).unwrap());
        assert_eq!(again.situation().wait().standing(), before);
    }
}

// spec: GATE-3
#[test]
fn b27_b28_shell_as_write() {
    let world = World::new(State::Editing);
    // That the call carries the `.md` in another argument is no part of what it does.
    for command in ["ls", "", "cat README.md", &format!("tee {}", world.md())] {
        assert_eq!(code(&world.judge(shell(command))), "shell", "{command}");
    }
    assert_eq!(code(&world.judge(Act::Shell { command: None })), "shell");
    proptest!(config(), |(command in "\\PC{0,60}")| {
        prop_assert!(!world.judge(shell(&command)).is_allowed());
    });
}
