use std::path::{Path, PathBuf};

/// A file of `ui-tests/` that must not compile, read as a reviewer reads it.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) path: PathBuf,
    /// The sentence that says what cannot be written.
    pub(crate) rule: String,
    /// The clause that it comes from.
    pub(crate) clause: String,
    /// The offending line, from 1, and its text.
    pub(crate) line: usize,
    pub(crate) offending: String,
    /// The compiler's code for it, or the name of a lint.
    pub(crate) code: String,
}

impl Case {
    /// Reads the text of `path`; what is wrong with its form is the error.
    pub(crate) fn parse(path: &Path, text: &str) -> Result<Self, String> {
        let fail = |problem: &str| format!("{}: {problem}", path.display());
        let mut lines = text.lines();
        let mut header = |name: &str| {
            let line = lines.next().and_then(|line| line.strip_prefix("//! ")?.strip_prefix(name)?.strip_prefix(": "));
            line.ok_or_else(|| {
                fail(&format!("the first lines are `//! Rule: …` and `//! Instead: …`, and `{name}` is missing"))
            })
        };
        let (rule, instead) = (header("Rule")?, header("Instead")?);
        let (rule, clause) = rule
            .strip_suffix(')')
            .and_then(|rule| rule.rsplit_once(" ("))
            .ok_or_else(|| fail("the rule ends with its clause, such as ` (API-1)`"))?;
        for sentence in [rule, instead] {
            if !is_sentence(sentence) {
                return Err(fail(&format!("this is not one sentence: {sentence}")));
            }
        }
        let mut marked = text.lines().enumerate().filter_map(|(at, line)| Some((at + 1, line.split_once("//~ ")?)));
        let (Some((line, (offending, code))), None) = (marked.next(), marked.next()) else {
            return Err(fail("one line is marked with its error, such as `//~ E0599`"));
        };
        if !is_code(code) {
            return Err(fail(&format!("{code} is neither an error code nor a lint")));
        }
        Ok(Self {
            path: path.to_owned(),
            rule: rule.to_owned(),
            clause: clause.to_owned(),
            line,
            offending: offending.trim().to_owned(),
            code: code.to_owned(),
        })
    }

    /// The compiler's answer to it, beside it.
    pub(crate) fn stderr(&self) -> PathBuf {
        self.path.with_extension("stderr")
    }

    /// What is missing from the compiler's answer: the code, and the place that is marked.
    pub(crate) fn missing_from(&self, stderr: &str) -> Vec<String> {
        let code = match self.code.strip_prefix('E') {
            Some(_) => format!("error[{}]", self.code),
            None => self.code.clone(),
        };
        let path = self.path.to_string_lossy().replace('\\', "/");
        let wanted = [code, format!("--> {path}:{}:", self.line)];
        wanted.into_iter().filter(|wanted| !stderr.contains(wanted)).collect()
    }
}

fn is_sentence(text: &str) -> bool {
    let starts = text.starts_with(|first: char| first.is_uppercase() || first == '`');
    starts && text.ends_with('.') && !text.contains(". ") && text == text.trim()
}

fn is_code(code: &str) -> bool {
    match code.strip_prefix('E') {
        Some(number) => number.len() == 4 && number.bytes().all(|byte| byte.is_ascii_digit()),
        None => !code.is_empty() && code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'),
    }
}
