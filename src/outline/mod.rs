//! Template B: the outline of a session `.md`.
