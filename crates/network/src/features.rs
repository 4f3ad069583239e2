//! What a network sees.

use monteverde_game::Game;
use std::fmt;

/// What a network sees of a state, and which of its outputs belongs to a move.
///
/// Everything is seen from the side to move, and turned or mirrored so that states which the rules
/// do not tell apart look alike; moves are turned with the state. Whatever changes an index needs
/// another [`Features::name`].
pub trait Features<G: Game>: Send + Sync {
    /// Name with version, such as `chess-threats-checks-3`.
    fn name(&self) -> &'static str;
    /// How many inputs there are; indices are below it. Not more than 65,536.
    fn inputs(&self) -> usize;
    /// The most inputs that are active at once.
    fn most(&self) -> usize;
    /// How many outputs the policy has. Not more than 65,536.
    fn outputs(&self) -> usize;
    /// Appends the active inputs, seen from the side to move. Means nothing in a pending state.
    fn write(&self, state: &G, inputs: &mut Vec<u16>);
    /// Appends for each of these legal moves the policy output that belongs to it. Moves of one
    /// state have different outputs.
    fn write_moves(&self, state: &G, moves: &[G::Move], outputs: &mut Vec<u16>);
}

/// The numbers of a feature set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Description {
    /// See [`Features::name`].
    pub name: &'static str,
    /// See [`Features::inputs`].
    pub inputs: usize,
    /// See [`Features::most`].
    pub most: usize,
    /// See [`Features::outputs`].
    pub outputs: usize,
}

impl Description {
    /// Those of a feature set.
    pub fn of<G: Game>(features: &dyn Features<G>) -> Description {
        Description {
            name: features.name(),
            inputs: features.inputs(),
            most: features.most(),
            outputs: features.outputs(),
        }
    }

    /// What stands in every file that was made with the feature set: BLAKE3 of [`Description`] as
    /// text, in hexadecimal digits.
    pub fn hash(&self) -> String {
        hash_of(&self.to_string())
    }
}

/// A feature set as text.
pub(crate) fn text_of(name: &str, [inputs, most, outputs]: [usize; 3]) -> String {
    format!("{name}: {inputs} inputs, {most} at once, {outputs} outputs")
}

/// The hash of such a text, in hexadecimal digits.
pub(crate) fn hash_of(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

impl fmt::Display for Description {
    /// As in `chess-threats-checks-3: 3856 inputs, 36 at once, 7432 outputs`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Description { name, inputs, most, outputs } = self;
        f.write_str(&text_of(name, [*inputs, *most, *outputs]))
    }
}
