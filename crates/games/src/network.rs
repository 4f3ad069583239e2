//! The settings of players that may have a network, whatever their game.

use monteverde_players::setting::Setting;
use monteverde_players::{Settings, field};

/// The setting of the network itself, for a kind of players and the features of a game.
macro_rules! network {
    ($settings:ty, $game:ty: $features:expr, $own:expr) => {
        monteverde_players::setting::Setting::<$settings>::network(
            "network",
            |text| {
                let features = monteverde_network::Description::of::<$game>(&$features);
                let name = <$game as monteverde_game::Game>::NAME;
                monteverde_players::NetworkFile::open(text, name, features, $own)
            },
            monteverde_players::setting::by(
                |settings| settings.network.clone(),
                |settings, network| settings.network = network,
            ),
        )
    };
}
pub(crate) use network;

/// What a network is to a player that searches by Monte-Carlo tree search.
pub(crate) const MEANING: &str = "A learned network, which expects results at the end of truncated playouts and gives the log priors of uct=puct, \
     so far as it has a value and a policy.";

/// What it is to one that searches by alpha-beta.
pub(crate) const EVAL_MEANING: &str =
    "A learned network, whose value takes the place of the evaluation.";

/// Of games whose knowledge says which moves capture.
pub(crate) const NETWORK_CAPTURES: Setting<Settings> =
    Setting::<Settings>::whole("network-captures", 0..=32, field!(network_captures))
        .after("tsq-k")
        .means(
            "The network's value of a state is taken after the captures and promotions that pay, so many plies at \
             the most; 0 takes it as it stands.",
        );

pub(crate) const NETWORK_PRIOR: Setting<Settings> =
    Setting::<Settings>::real("network-prior", 0.0..=10.0, field!(network_prior))
        .after("tsq-k")
        .means(
            "How much of the log priors that are known without the network is added to its own.",
        );
