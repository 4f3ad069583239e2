//! How the evaluations of chess and Lines of Action are asked for.

/// The setting of how the end of a truncated playout is evaluated, for knowledge that has a leaf.
macro_rules! leaf {
    ($own:ty: $($path:ident).+) => {
        monteverde_players::setting::Setting::<monteverde_players::Settings>::word(
            "leaf",
            monteverde_players::words!($own: $($path).+ {
                "static" => monteverde_knowledge::Leaf::Static,
                "quiet" => monteverde_knowledge::Leaf::Quiet,
            }),
        )
        .after("tsq-k")
        .means(
            "How the state at the end of a truncated playout is evaluated: as it stands (static), or after \
             captures have been played out (quiet).",
        )
    };
}
pub(crate) use leaf;
