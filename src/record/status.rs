//! The root field `status`: the two strings that are written and the seven that older programs wrote.

use std::fmt;

/// What a root status string stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    /// `Editing` itself, which without title, description and tasks is PreInit.
    Editing,
    /// An older string for a design that is not approved.
    LegacyEditing,
    Active,
    Completed,
    Cancelled,
}

/// Every known string (DISK-6, LEG-1 to LEG-4).
const KNOWN: [(&str, Status); 9] = [
    ("Editing", Status::Editing),
    ("Active", Status::Active),
    ("Draft", Status::LegacyEditing),
    ("PendingApproval", Status::LegacyEditing),
    ("Rejected", Status::LegacyEditing),
    ("Approved", Status::Active),
    ("InProgress", Status::Active),
    ("Completed", Status::Completed),
    ("Cancelled", Status::Cancelled),
];

impl Status {
    pub(super) fn from_name(name: &str) -> Option<Self> {
        KNOWN.iter().find(|(known, _)| *known == name).map(|(_, status)| *status)
    }
}

/// The known strings as a text lists them.
pub(super) struct KnownStatuses;

impl fmt::Display for KnownStatuses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, (name, _)) in KNOWN.iter().enumerate() {
            if position > 0 {
                f.write_str(", ")?;
            }
            f.write_str(name)?;
        }
        Ok(())
    }
}
