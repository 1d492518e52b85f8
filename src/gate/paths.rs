use std::cell::OnceCell;
use std::io::ErrorKind;

use camino::{Utf8Path, Utf8PathBuf};

use super::call::{Act, Target, ToolCall};
use super::settings::{self, names_folder_of_settings, names_settings};
use super::situation::Places;
use super::spelling::{Reader, folded, lexical};
use super::walk::{Entry, Walk};
use super::{Control, FileId, Kind, Look, POLICY_FILE, Place, Situation, Standing, TheDisk, Twin, Unresolved};

/// What the gate is told of the machine; it never looks at the environment itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Surroundings {
    /// The person's home folder: what `~` means, and where agents keep their settings.
    pub home: Option<Utf8PathBuf>,
    /// The folder that the agent takes for its project, where it says so.
    pub project_dir: Option<Utf8PathBuf>,
    /// Further files and folders that are a part of the gate: the program's own file, settings that a variable has moved.
    pub guarded: Vec<Utf8PathBuf>,
}

/// A call whose targets have been looked up as files (GATE-8). Looking changes nothing.
#[derive(Debug)]
pub struct Judged<'a> {
    call: &'a ToolCall,
    /// Of each content target, then of each altered one, up to one that decides.
    places: Vec<Place>,
}

impl<'a> Judged<'a> {
    /// Looks the targets of a call up, where the situation makes a difference between files.
    pub fn look_up(call: &'a ToolCall, situation: &Situation, surroundings: &Surroundings) -> Self {
        Self::look_up_on(&TheDisk, call, situation, surroundings)
    }

    /// The same on another file system.
    pub fn look_up_on(look: &dyn Look, call: &'a ToolCall, situation: &Situation, surroundings: &Surroundings) -> Self {
        let mut targets = targets(&call.act).peekable();
        let (Some(places), Standing::Editing | Standing::Active { .. }, Some(_)) =
            (situation.places(), situation.standing(), targets.peek())
        else {
            // In the other states every write has the same answer.
            return Self { call, places: Vec::new() };
        };
        let is_active = situation.standing() != Standing::Editing;
        let lookout = Lookout::new(look, &call.cwd, places, surroundings, is_active);
        let mut found = Vec::new();
        for (target, altered) in targets {
            let place = lookout.place(target.as_str(), altered);
            found.push(place);
            // While the design is written, anything but the `.md` decides.
            if !is_active && place != Place::Markdown {
                break;
            }
        }
        Self { call, places: found }
    }

    /// A call with places that somebody else has found: of each content target, then of each altered one. A target
    /// without a place counts as not looked up.
    pub fn with_places(call: &'a ToolCall, places: Vec<Place>) -> Self {
        Self { call, places }
    }

    /// The call.
    pub fn call(&self) -> &'a ToolCall {
        self.call
    }

    /// Each target, whether more than its content is changed, and what it is.
    pub fn targets(&self) -> impl Iterator<Item = (&'a Target, bool, Place)> + use<'a, '_> {
        let places = self.places.iter().copied().chain(std::iter::repeat(Place::Unresolved(Unresolved::NotLookedUp)));
        targets(&self.call.act).zip(places).map(|((target, altered), place)| (target, altered, place))
    }
}

/// The targets of a write, and whether more than their content is changed; nothing else has any.
fn targets(act: &Act) -> impl Iterator<Item = (&Target, bool)> {
    let (content, altered) = if let Act::Write { content, altered } = act {
        (content.as_slice(), altered.as_slice())
    } else {
        (&[][..], &[][..])
    };
    content.iter().map(|target| (target, false)).chain(altered.iter().map(|target| (target, true)))
}

/// What is guarded. Looks at it are taken when the first target needs them.
struct Lookout<'a> {
    look: &'a dyn Look,
    reader: Reader<'a>,
    places: &'a Places,
    surroundings: &'a Surroundings,
    /// Whether other files may be written at all, so that it matters what they are.
    is_active: bool,
    md: Result<Walk, Unresolved>,
    root: OnceCell<Option<FileId>>,
    policy: OnceCell<Option<Walk>>,
    beside: OnceCell<Vec<(FileId, Place)>>,
    guarded: OnceCell<Vec<Walk>>,
    settings: OnceCell<Vec<Walk>>,
}

impl<'a> Lookout<'a> {
    fn new(
        look: &'a dyn Look,
        cwd: &'a Utf8Path,
        places: &'a Places,
        surroundings: &'a Surroundings,
        is_active: bool,
    ) -> Self {
        Self {
            look,
            reader: Reader { cwd, home: surroundings.home.as_deref() },
            md: Walk::along(look, &places.md),
            places,
            surroundings,
            is_active,
            root: OnceCell::new(),
            policy: OnceCell::new(),
            beside: OnceCell::new(),
            guarded: OnceCell::new(),
            settings: OnceCell::new(),
        }
    }

    /// What a target is. To be the `.md` takes every measure; to be anything guarded, one measure of one reading is enough.
    fn place(&self, target: &str, altered: bool) -> Place {
        let md = match &self.md {
            Ok(md) => md,
            Err(why) => return Place::Unresolved(*why),
        };
        let plain = self.reader.plain(target);
        let walk = plain.as_ref().map_err(|why| *why).and_then(|path| self.walk(path));
        if let (Ok(path), Ok(walk)) = (&plain, &walk)
            && is_the_markdown(walk, md)
            && self.reads_one_way(target, path, md)
        {
            return Place::Markdown;
        }
        for path in self.reader.all(target) {
            let found = match self.walk(&path) {
                Ok(found) => self.guarded(&path, &found, altered, md),
                Err(_) => names_settings(&path).then_some(Place::Control(Control::Settings)),
            };
            match found {
                Some(Place::Twin(_)) => return Place::Twin(twin(walk.as_ref().ok(), md)),
                Some(place) => return place,
                None => {}
            }
        }
        match walk {
            Err(why) => Place::Unresolved(why),
            Ok(walk) if self.is_below_root(&walk) => Place::Root,
            Ok(_) => Place::Elsewhere,
        }
    }

    fn walk(&self, path: &Utf8Path) -> Result<Walk, Unresolved> {
        Walk::along(self.look, path)
    }

    /// Whether programs that read the path in another way arrive at the `.md` as well.
    fn reads_one_way(&self, target: &str, path: &Utf8Path, md: &Walk) -> bool {
        // Who takes `..` away before it looks comes to another place where there is a link before it.
        let without_dots =
            lexical(path).is_none_or(|path| self.walk(&path).is_ok_and(|walk| is_the_markdown(&walk, md)));
        // Who knows no `~` finds nothing, unless somebody has put something there.
        let without_tilde = self.reader.tilde_as_name(target).is_none_or(|path| {
            path.is_absolute() && self.look.look(&path).is_err_and(|error| error.kind() == ErrorKind::NotFound)
        });
        without_dots && without_tilde
    }

    /// What of the guarded things a path is.
    fn guarded(&self, path: &Utf8Path, walk: &Walk, altered: bool, md: &Walk) -> Option<Place> {
        if same_name(&walk.entry, &md.entry)
            || same_name(&walk.end, &md.entry)
            || md.entry.seen.is_some_and(|seen| walk.meets(seen.id))
        {
            return Some(Place::Twin(Twin::Spelling));
        }
        self.by_file(walk)
            .or_else(|| self.by_name(path, walk, md))
            .or_else(|| self.among_guarded(walk))
            .or_else(|| self.among_settings(path, walk))
            .or_else(|| self.holds(path, walk, altered, md))
    }

    /// The engine's own files, by what they are.
    fn by_file(&self, walk: &Walk) -> Option<Place> {
        let beside = self.beside.get_or_init(|| {
            let Places { md, pin, .. } = self.places;
            let archive = md.with_file_name("archive");
            let files = [
                (md.with_extension("json"), Place::Record),
                (md.with_extension("lock"), Place::Control(Control::Bookkeeping)),
                (md.with_extension("tombstone"), Place::Control(Control::Bookkeeping)),
                (pin.clone(), Place::Control(Control::Bookkeeping)),
                (archive, Place::Control(Control::Archive)),
            ];
            files.into_iter().filter_map(|(path, place)| Some((self.look.look(&path).ok()?.id, place))).collect()
        });
        if let Some(policy) = self.policy()
            && is_same(walk, policy)
        {
            return Some(Place::Control(Control::Policy));
        }
        // The archive counts with everything in it, and nothing else here is a folder.
        beside.iter().find(|(id, _)| walk.meets(*id) || walk.passed.contains(id)).map(|(_, place)| *place)
    }

    /// Files of this session or of others, by their names; they need not be there.
    fn by_name(&self, path: &Utf8Path, walk: &Walk, md: &Walk) -> Option<Place> {
        const OF_A_PLAN: &str = ".opencrabs_plan_";
        let below_root = self.is_below_root(walk);
        let own = folded(self.places.md.file_stem().unwrap_or_default());
        [(&walk.entry, path), (&walk.end, &walk.path)].into_iter().find_map(|(entry, path)| {
            if has_archive(path) && below_root {
                return Some(Place::Control(Control::Archive));
            }
            let name = folded(path.file_name()?);
            if !name.starts_with(OF_A_PLAN) {
                return None;
            }
            // A project's session folder may be reached by a link, past the root folder.
            let in_session = path.parent().and_then(Utf8Path::file_name).is_some_and(|name| folded(name) == "session");
            if !(below_root || in_session || entry.folder == md.entry.folder) {
                return None;
            }
            Some(match name.strip_prefix(&own) {
                Some(".json") => Place::Record,
                Some(ending) if ending.starts_with('.') => Place::Control(Control::Bookkeeping),
                _ => Place::OtherPlan,
            })
        })
    }

    /// What the embedding program wants guarded.
    fn among_guarded(&self, walk: &Walk) -> Option<Place> {
        self.guarded_walks().iter().any(|guarded| is_same(walk, guarded)).then_some(Place::Control(Control::Guarded))
    }

    /// Settings that install the gate: by name wherever they are, and by what they are where agents look for them.
    fn among_settings(&self, path: &Utf8Path, walk: &Walk) -> Option<Place> {
        let found = names_settings(path)
            || names_settings(&walk.path)
            || self.settings_walks().iter().any(|settings| is_same(walk, settings));
        found.then_some(Place::Control(Control::Settings))
    }

    /// A folder on the way to something guarded, or a link on the way: who moves it moves what is in it, and who puts one
    /// there puts in it what he likes. Its content is out of reach only below the root folder, for tools that name a whole
    /// project change files in it.
    fn holds(&self, path: &Utf8Path, walk: &Walk, altered: bool, md: &Walk) -> Option<Place> {
        let is_below_root = self.is_below_root(walk);
        if !altered && !is_below_root {
            return None;
        }
        let by_name = || {
            let mut paths = [path, &walk.path].into_iter();
            (is_below_root && paths.clone().any(names_session_folder))
                || (altered && paths.any(names_folder_of_settings))
        };
        let by_file = || {
            let mut ways = std::iter::once(md)
                .chain(self.policy())
                .chain(self.guarded_walks())
                .chain(self.settings_walks().iter().filter(|settings| settings.end.seen.is_some()));
            ways.any(|way| walk.seen().any(|seen| way.passed.contains(&seen.id)))
        };
        (by_name() || by_file()).then_some(Place::Holder)
    }

    fn is_below_root(&self, walk: &Walk) -> bool {
        let root = self.root.get_or_init(|| self.walk(&self.places.root).ok()?.end.seen.map(|seen| seen.id));
        root.is_some_and(|root| walk.passed.contains(&root))
    }

    fn policy(&self) -> Option<&Walk> {
        self.policy.get_or_init(|| self.walk(&self.places.root.join(POLICY_FILE)).ok()).as_ref()
    }

    fn guarded_walks(&self) -> &[Walk] {
        let walks = || self.surroundings.guarded.iter().filter_map(|path| self.walk(path).ok()).collect();
        self.guarded.get_or_init(walks)
    }

    /// The settings that are there, or whose folder is there. Only Active asks: elsewhere the name says enough.
    fn settings_walks(&self) -> &[Walk] {
        self.settings.get_or_init(|| {
            let mut walks = Vec::new();
            if !self.is_active {
                return walks;
            }
            for base in self.bases() {
                let mut last: Option<(&str, bool)> = None;
                for settings in settings::paths() {
                    let first = settings.split('/').next().unwrap_or(settings);
                    let is_there = match last {
                        Some((name, is_there)) if name == first => is_there,
                        _ => self.look.look(&base.join(first)).is_ok(),
                    };
                    last = Some((first, is_there));
                    if is_there {
                        walks.extend(self.walk(&base.join(settings.trim_end_matches('/'))));
                    }
                }
            }
            walks
        })
    }

    /// Where agents look for their settings: the home folder, the project, and every folder above, up to the home folder.
    fn bases(&self) -> Vec<&Utf8Path> {
        let home = self.reader.home;
        let mut bases: Vec<&Utf8Path> = home.into_iter().collect();
        let starts = self.surroundings.project_dir.as_deref().into_iter().chain([self.reader.cwd]);
        for start in starts.filter(|start| start.is_absolute()) {
            for folder in start.ancestors().take_while(|folder| Some(*folder) != home && folder.parent().is_some()) {
                if !bases.contains(&folder) {
                    bases.push(folder);
                }
            }
        }
        bases
    }
}

/// Whether it is the `.md` by every measure: the same file under its only name, or the same free name, in the same folder,
/// and no link in the last place on either side.
fn is_the_markdown(walk: &Walk, md: &Walk) -> bool {
    let (found, own) = (&walk.entry, &md.entry);
    let is_plain = walk.entry == walk.end && md.entry == md.end;
    is_plain
        && found.folder == own.folder
        && match (found.seen, own.seen) {
            (Some(found_seen), Some(own_seen)) => {
                found_seen.id == own_seen.id
                    && found_seen.kind == Kind::File
                    && found_seen.links == 1
                    // Where case makes no difference, the file says that it is the same.
                    && found.name.eq_ignore_ascii_case(&own.name)
            }
            (None, None) => found.name == own.name,
            (Some(_), None) | (None, Some(_)) => false,
        }
}

/// Why a target that touches the `.md` is not it.
fn twin(plain: Option<&Walk>, md: &Walk) -> Twin {
    let own = md.entry.seen;
    match own.map(|seen| seen.kind) {
        Some(Kind::Link) => return Twin::Link,
        Some(Kind::Folder | Kind::Other) => return Twin::NotAFile,
        Some(Kind::File) | None => {}
    }
    if own.is_some_and(|seen| seen.links > 1) {
        return Twin::HardLink;
    }
    match plain {
        Some(plain) if plain.entry != plain.end => Twin::Link,
        _ => Twin::Spelling,
    }
}

/// Whether two entries are one name, also on a file system that ignores case.
fn same_name(a: &Entry, b: &Entry) -> bool {
    a.folder == b.folder && (a.name == b.name || folded(&a.name) == folded(&b.name))
}

/// Whether a path is a guarded file, or in a guarded folder.
fn is_same(walk: &Walk, guarded: &Walk) -> bool {
    let entries = [&guarded.entry, &guarded.end];
    entries.into_iter().any(|guarded| same_name(&walk.entry, guarded) || same_name(&walk.end, guarded))
        || guarded.seen().any(|seen| walk.passed.contains(&seen.id))
}

/// Whether a path may become a session folder or one above it: those of the root folder, of a project and of a profile.
fn names_session_folder(path: &Utf8Path) -> bool {
    const ABOVE: [&str; 2] = ["projects", "profiles"];
    const FOLDERS: [&str; 4] = ["session", "agents", "projects", "profiles"];
    let is = |name: Option<&str>, names: &[&str]| name.is_some_and(|name| names.contains(&&*folded(name)));
    is(path.file_name(), &FOLDERS) || is(path.parent().and_then(Utf8Path::file_name), &ABOVE)
}

/// Whether a path leads into the archive of a session folder.
fn has_archive(path: &Utf8Path) -> bool {
    let mut before = false;
    path.components().any(|part| {
        let name = folded(part.as_str());
        let found = before && name == "archive";
        before = name == "session";
        found
    })
}
