//! Template B: the outline of a session `.md`.
#![allow(missing_docs)]

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("gap")]
pub struct Gap;
pub struct Outline;
impl Outline {
    pub fn scan(_: &str) -> Self {
        Self
    }
    pub fn title(&self) -> Option<&str> {
        None
    }
    pub fn gaps(&self) -> Vec<Gap> {
        Vec::new()
    }
}
pub fn render(_: &str, _: &str) -> String {
    String::new()
}
