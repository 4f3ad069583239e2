//! The settings of players that may have a network, whatever their game.

use monteverde_players::setting::Setting;
use monteverde_players::{Settings, field};

/// The setting of the network itself, for the features of a game.
macro_rules! network {
    ($game:ty: $features:expr) => {
        monteverde_players::setting::Setting::<monteverde_players::Settings>::network(
            "network",
            |text| {
                let features = monteverde_network::Description::of::<$game>(&$features);
                let name = <$game as monteverde_game::Game>::NAME;
                monteverde_players::NetworkFile::open(text, name, features)
            },
            monteverde_players::setting::by(
                |settings| settings.network.clone(),
                |settings, network| settings.network = network,
            ),
        )
        .after("tsq-k")
        .means(
            "A learned network, which expects results at the end of truncated playouts and gives the log priors \
             of uct=puct, so far as it has a value and a policy.",
        )
    };
}
pub(crate) use network;

pub(crate) const NETWORK_PRIOR: Setting<Settings> =
    Setting::<Settings>::real("network-prior", 0.0..=10.0, field!(network_prior))
        .after("tsq-k")
        .means(
            "How much of the log priors that are known without the network is added to its own.",
        );
