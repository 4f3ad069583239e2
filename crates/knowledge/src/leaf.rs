//! How far an expected result looks.

/// How the expected result of a state is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Leaf {
    /// By the evaluation of the state as it stands.
    #[default]
    Static,
    /// By the evaluation after captures have been played out; in Lines of Action those that make or
    /// break connections.
    Quiet,
}
