use camino::{Utf8Component, Utf8Path};

use super::spelling::folded;

/// Files and folders of one agent that say which hooks and plug-ins run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// The agent.
    pub agent: &'static str,
    /// Paths relative to a project or to the home folder, with `/`. One that ends with `/` is a folder with all in it.
    pub paths: &'static [&'static str],
}

/// The settings that install the gate, agent by agent (GATE-13). A new agent is one more entry.
pub const SETTINGS: &[Settings] = &[
    Settings { agent: "Claude Code", paths: &[".claude/settings.json", ".claude/settings.local.json"] },
    Settings { agent: "Codex", paths: &[".codex/config.toml", ".codex/hooks.json"] },
    Settings { agent: "Gemini CLI", paths: &[".gemini/settings.json", ".gemini/extensions/"] },
    Settings {
        agent: "Copilot CLI",
        paths: &[
            ".github/hooks/",
            ".github/copilot/settings.json",
            ".github/copilot/settings.local.json",
            ".copilot/hooks/",
            ".copilot/config.json",
            ".copilot/settings.json",
        ],
    },
    Settings {
        agent: "opencode",
        paths: &[
            "opencode.json",
            "opencode.jsonc",
            ".opencode/opencode.json",
            ".opencode/opencode.jsonc",
            ".opencode/plugin/",
            ".opencode/plugins/",
            ".config/opencode/opencode.json",
            ".config/opencode/opencode.jsonc",
            ".config/opencode/config.json",
            ".config/opencode/plugin/",
            ".config/opencode/plugins/",
        ],
    },
    Settings { agent: "Cursor", paths: &[".cursor/hooks.json", ".cursor/hooks/", ".cursor/cli-config.json"] },
];

/// Every path of every agent.
pub(super) fn paths() -> impl Iterator<Item = &'static str> {
    SETTINGS.iter().flat_map(|agent| agent.paths.iter().copied())
}

/// Whether a path has the name of such settings, in whatever folder. Which folder a running agent takes for its project
/// is not known for sure, so each counts.
pub(super) fn names_settings(path: &Utf8Path) -> bool {
    let folded_path = folded_names(path);
    let file = |settings: &str| folded_path.strip_suffix(settings).is_some_and(|folder| folder.ends_with('/'));
    let within = |settings: &str| {
        let mut found = folded_path.match_indices(settings.trim_end_matches('/'));
        found.any(|(at, folder)| {
            let (before, after) = (folded_path.get(..at), folded_path.get(at + folder.len()..));
            before.is_some_and(|before| before.ends_with('/'))
                && after.is_some_and(|after| after.is_empty() || after.starts_with('/'))
        })
    };
    paths().any(|settings| if settings.ends_with('/') { within(settings) } else { file(settings) })
}

/// Whether a path has the name of a folder that such settings are in: who puts a folder there puts settings there.
pub(super) fn names_folder_of_settings(path: &Utf8Path) -> bool {
    let folded_path = folded_names(path);
    let is_there = |folder: &str| folded_path.strip_suffix(folder).is_some_and(|before| before.ends_with('/'));
    paths().any(|settings| settings.match_indices('/').any(|(at, _)| settings.get(..at).is_some_and(is_there)))
}

/// The names of a path, folded, each with a `/` before it.
fn folded_names(path: &Utf8Path) -> String {
    let mut names = String::with_capacity(path.as_str().len() + 2);
    for name in path.components().filter(|part| matches!(part, Utf8Component::Normal(_))) {
        names.push('/');
        names.push_str(&folded(name.as_str()));
    }
    names
}
