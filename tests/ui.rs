//! What cannot be written, as a specification: one file of `ui-tests/` a case.
//!
//! On every toolchain the files are held against the table of operations and against their own form. Whether the compiler
//! says what the `.stderr` beside each file says is asked of one compiler alone, since the wording changes.
//!
//! `PLANGATE_BLESS=1 cargo test --test ui` writes the cases and answers that are missing.

#[path = "ui/case.rs"]
mod case;
#[path = "ui/draft.rs"]
mod draft;
#[path = "../ui-tests/legal/every_transition.rs"]
mod every_transition;
#[path = "ui/pair.rs"]
mod pair;

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::{env, fs, io};

use case::Case;
use pair::{Pair, folder};
use plangate::plan::StateName;
use pretty_assertions::assert_eq;

/// The compiler whose wording the `.stderr` files have.
const COMPILER: &str = "rustc 1.95.";

/// What the types prevent beside calls in a wrong state.
const TYPES: [&str; 9] = [
    "cannot_add_a_state",
    "cannot_begin_an_empty_checklist",
    "cannot_build_an_active_plan_by_hand",
    "cannot_build_an_editing_plan_by_hand",
    "cannot_copy_a_plan",
    "cannot_forget_a_state",
    "cannot_ignore_a_transition",
    "cannot_ignore_the_end_of_a_plan",
    "cannot_use_a_plan_after_a_transition",
];

/// The files of `ui-tests/` by their path, after those that are missing were written if that is wanted.
static FILES: LazyLock<BTreeSet<PathBuf>> = LazyLock::new(|| {
    if is_blessing() {
        for pair in Pair::illegal() {
            bless(pair).unwrap_or_else(|error| panic!("{}: {error}", pair.path().display()));
        }
        if files().iter().any(|path| is_source(path) && !path.with_extension("stderr").exists()) {
            ask_again(|test| test.env("TRYBUILD", "overwrite"));
        }
    }
    files()
});

fn is_blessing() -> bool {
    env::var_os("PLANGATE_BLESS").is_some_and(|value| value == "1")
}

/// Writes the case of a pair unless there is one.
fn bless(pair: Pair) -> io::Result<()> {
    let path = pair.path();
    fs::create_dir_all(path.parent().unwrap())?;
    match fs::File::create_new(path) {
        Ok(mut file) => file.write_all(draft::case(pair).as_bytes()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

fn files() -> BTreeSet<PathBuf> {
    let folders = StateName::ALL.map(folder).into_iter().chain(["types"]);
    let entries = folders.flat_map(|folder| {
        let folder = Path::new("ui-tests").join(folder);
        fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
    });
    entries.map(|entry| entry.unwrap().path()).collect()
}

fn is_source(path: &Path) -> bool {
    path.extension() == Some(OsStr::new("rs"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn sources() -> impl Iterator<Item = &'static PathBuf> {
    FILES.iter().filter(|path| is_source(path))
}

fn cases() -> Vec<Case> {
    let parsed: Vec<_> = sources().map(|path| Case::parse(path, &read(path))).collect();
    let problems: Vec<_> = parsed.iter().filter_map(|case| case.as_ref().err()).collect();
    assert!(problems.is_empty(), "{problems:#?}");
    parsed.into_iter().flatten().collect()
}

// spec: API-7
#[test]
fn every_illegal_pair_has_its_case_and_no_legal_one_has() {
    let found: BTreeSet<_> = sources().filter(|path| !path.starts_with("ui-tests/types")).cloned().collect();
    let wanted: BTreeSet<_> = Pair::illegal().map(Pair::path).collect();
    assert_eq!(found, wanted, "`PLANGATE_BLESS=1 cargo test --test ui` writes those that are missing");
}

#[test]
fn the_types_prevent_what_is_listed() {
    let found: BTreeSet<_> = sources().filter(|path| path.starts_with("ui-tests/types")).cloned().collect();
    let wanted: BTreeSet<_> = TYPES.map(|name| Path::new("ui-tests/types").join(name).with_extension("rs")).into();
    assert_eq!(found, wanted);
}

#[test]
fn a_case_of_a_pair_makes_that_call_in_that_state() {
    let cases = cases();
    for pair in Pair::illegal() {
        let case = cases.iter().find(|case| case.path == pair.path()).unwrap();
        let call = format!("plan.{}(", pair.method());
        assert!(case.offending.contains(&call), "{}: the marked line calls {call}…)", case.path.display());
        let parameter = format!("(plan: Plan<{}>", pair.state);
        assert!(read(&case.path).contains(&parameter), "{}: {parameter} is missing", case.path.display());
        assert_eq!(case.code, "E0599", "{}", case.path.display());
    }
}

// spec: API-7
#[test]
fn every_case_names_a_clause_of_the_specification() {
    let spec = read(Path::new("docs/spec.md"));
    for Case { path, clause, .. } in cases() {
        assert!(spec.contains(&format!("\n| {clause} | ")), "{}: docs/spec.md has no {clause}", path.display());
    }
}

#[test]
fn no_two_cases_have_the_same_rule() {
    let mut seen = BTreeSet::new();
    for Case { path, rule, .. } in cases() {
        assert!(seen.insert(rule), "{}: another case has this rule", path.display());
    }
}

#[test]
fn the_compilers_answer_is_beside_every_case_and_says_the_code_and_the_line() {
    let cases = cases();
    let answers: BTreeSet<_> = cases.iter().map(Case::stderr).collect();
    let found: BTreeSet<_> = FILES.iter().filter(|path| !is_source(path)).cloned().collect();
    assert_eq!(found, answers, "`PLANGATE_BLESS=1 cargo test --test ui` asks the compiler for those that are missing");
    for case in cases {
        let missing = case.missing_from(&read(&case.stderr()));
        assert!(missing.is_empty(), "{} lacks {missing:?}", case.stderr().display());
    }
}

#[test]
fn a_case_without_its_form_is_found() {
    let parse = |text: &str| Case::parse(Path::new("ui-tests/active/x.rs"), text);
    let whole = "//! Rule: A is B. (API-1)\n//! Instead: Write C.\n\nlet _ = a.b(); //~ E0599\n";
    let case = parse(whole).unwrap();
    assert_eq!((case.clause.as_str(), case.line, case.offending.as_str()), ("API-1", 4, "let _ = a.b();"));
    let answer = "error[E0599]: no method\n --> ui-tests/active/x.rs:4:9\n";
    assert_eq!(case.missing_from(answer), Vec::<String>::new());
    assert_eq!(case.missing_from(&answer.replace("x.rs:4", "x.rs:5")), ["--> ui-tests/active/x.rs:4:"]);
    assert_eq!(case.missing_from(&answer.replace("E0599", "E0308")), ["error[E0599]"]);
    for (good, bad) in [
        ("Rule: ", ""),
        ("Instead: ", ""),
        (" (API-1)", ""),
        ("A is B.", "A is B"),
        ("Write C.", "Write C. Or D."),
        ("//~ E0599", ""),
        ("E0599", "E599"),
        ("let _ = a.b(); //~ E0599", "a.b(); //~ E0599\nc.d(); //~ E0599"),
    ] {
        let text = whole.replacen(good, bad, 1);
        assert!(parse(&text).is_err(), "{text}");
    }
}

// spec: API-1, API-2, API-3, API-5, API-6, API-8, LIFE-6
#[test]
fn the_compiler_refuses_every_case() {
    let compiler = compiler();
    if !compiler.starts_with(COMPILER) {
        tell(&format!("SKIPPED: the answers in ui-tests/ are in the words of {COMPILER}x, and this is {compiler}"));
        return;
    }
    // trybuild builds the package with the features that this test has, and no case needs one.
    if cfg!(any(feature = "cli", feature = "watch")) {
        ask_again(|test| test);
        return;
    }
    let trybuild = trybuild::TestCases::new();
    for path in sources() {
        trybuild.compile_fail(path);
    }
}

// spec: API-1, API-5, API-7, LIFE-6
#[test]
fn every_legal_transition_compiles_and_runs() {
    every_transition::main().unwrap();
}

/// Runs the test of the compiler's answers in a build without features.
fn ask_again(with: impl FnOnce(&mut Command) -> &mut Command) {
    let mut test = Command::new(env!("CARGO"));
    test.args(["test", "--quiet", "--no-default-features", "--test", "ui", "--"]);
    test.args(["--exact", "the_compiler_refuses_every_case"]).env_remove("PLANGATE_BLESS");
    let output = with(&mut test).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
}

/// The compiler that builds the cases, as it names itself.
fn compiler() -> String {
    let name = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(name).arg("--version").output().unwrap();
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// Says something that the harness does not keep to itself.
fn tell(text: &str) {
    io::stderr().write_all(format!("{text}\n").as_bytes()).unwrap();
}
