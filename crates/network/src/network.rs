//! A network: its weights, and what it says of a state.

use crate::card::{Card, Scales, Shape};
use crate::isa::{Isa, Lanes};
use crate::layers::{Layers, MOST_WIDTH, Neurons, OUTPUT_SCALE, Size, WIDTH_STEP};
use crate::{Description, NetworkError};
use monteverde_game::{Outlook, Rng};

/// A network of one game.
#[derive(Clone, Debug)]
pub struct Network {
    pub(crate) card: Card,
    pub(crate) value: Option<Layers>,
    pub(crate) policy: Option<Layers>,
    /// BLAKE3 of its file, in hexadecimal digits.
    pub(crate) digest: String,
    pub(crate) isa: Isa,
}

/// Win, draw, loss.
pub(crate) const VALUE_OUTPUTS: usize = 3;

impl Network {
    /// A network of random weights and two layers, of these widths (0 for none) and for these
    /// features.
    pub fn random(
        game: &str,
        features: Description,
        widths: [usize; 2],
        seed: u64,
    ) -> Result<Network, NetworkError> {
        let shape = |width: usize| (width > 0).then_some(Shape { width, middle: None });
        Network::random_of(game, features, widths.map(shape), seed)
    }

    /// A network of random weights, of these shapes and for these features.
    pub fn random_of(
        game: &str,
        features: Description,
        [value, policy]: [Option<Shape>; 2],
        seed: u64,
    ) -> Result<Network, NetworkError> {
        let mut rng = Rng::new(seed);
        let card = Card {
            game: game.to_owned(),
            features: features.into(),
            value,
            policy,
            scales: Scales::USUAL,
            data: None,
            parent: None,
            seed: Some(seed),
            build: None,
            elo: None,
            more: [("about".to_owned(), "random weights".into())].into_iter().collect(),
        };
        let [value, policy] = card.sizes()?;
        let mut layers = |size: Size| Layers::random(size, features.most, &mut rng);
        let (value, policy) = (value.map(&mut layers), policy.map(&mut layers));
        Ok(Network::new(card, value, policy))
    }

    pub(crate) fn new(card: Card, value: Option<Layers>, policy: Option<Layers>) -> Network {
        let mut network = Network { card, value, policy, digest: String::new(), isa: Isa::best() };
        network.digest = network.written_digest();
        network
    }

    /// The same network, made by that program.
    pub fn built_by(mut self, build: &str) -> Network {
        self.card.build = Some(build.to_owned());
        self.digest = self.written_digest();
        self
    }

    /// The same network on another instruction set, for tests that compare them.
    pub fn on(mut self, isa: Isa) -> Network {
        self.isa = isa;
        self
    }

    /// What it is and how it came to be.
    pub fn card(&self) -> &Card {
        &self.card
    }

    /// What tells it from all others: BLAKE3 of its file, in hexadecimal digits.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Whether it tells how games end.
    pub fn has_value(&self) -> bool {
        self.value.is_some()
    }

    /// Whether it tells moves apart.
    pub fn has_policy(&self) -> bool {
        self.policy.is_some()
    }

    /// Refuses a network of another game or of other features.
    pub fn check(&self, game: &str, features: Description) -> Result<(), NetworkError> {
        if self.card.game != game {
            let (found, wanted) = (self.card.game.clone(), game.to_owned());
            return Err(NetworkError::Game { found, wanted });
        }
        if self.card.features.hash != features.hash() {
            let found = self.card.features.name.clone();
            return Err(NetworkError::Features { found, wanted: features.to_string() });
        }
        Ok(())
    }

    /// How a game goes on from a state with these active inputs; `None` where it has no value.
    ///
    /// # Panics
    /// If it has no such input.
    pub fn outlook(&self, inputs: &[u16], scratch: &mut Scratch) -> Option<Outlook> {
        self.value_sums(inputs, scratch).map(softmax)
    }

    /// What the outlook is made of, in whole numbers: win, draw and loss, 4,161,600 standing for 1.
    ///
    /// # Panics
    /// If it has no such input.
    pub fn value_sums(
        &self,
        inputs: &[u16],
        scratch: &mut Scratch,
    ) -> Option<[i32; VALUE_OUTPUTS]> {
        let layers = self.value.as_ref()?;
        layers.first(self.isa, inputs, &mut scratch.order, &mut scratch.neurons);
        let mut sums = [0; VALUE_OUTPUTS];
        layers.outputs_of(self.isa, &scratch.neurons, &[0, 1, 2], &mut sums);
        Some(sums)
    }

    /// Appends for each of these policy outputs the logarithm of how likely its move is the best,
    /// up to a constant that they share; nothing where the network has no policy.
    ///
    /// # Panics
    /// If it has no such input or output.
    pub fn log_priors(
        &self,
        inputs: &[u16],
        outputs: &[u16],
        scratch: &mut Scratch,
        priors: &mut Vec<f32>,
    ) {
        let Some(layers) = &self.policy else { return };
        let Scratch { neurons, order, sums } = scratch;
        layers.first(self.isa, inputs, order, neurons);
        sums.clear();
        sums.resize(outputs.len(), 0);
        layers.outputs_of(self.isa, neurons, outputs, sums);
        priors.extend(sums.iter().map(|&sum| scaled(sum.into())));
    }

    /// Appends for each of these policy outputs how likely its move is the best, which add up to 1;
    /// nothing where the network has no policy.
    ///
    /// # Panics
    /// If it has no such input or output.
    pub fn policy(
        &self,
        inputs: &[u16],
        outputs: &[u16],
        scratch: &mut Scratch,
        shares: &mut Vec<f32>,
    ) {
        let start = shares.len();
        self.log_priors(inputs, outputs, scratch, shares);
        let own = &mut shares[start..];
        let highest = own.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        own.iter_mut().for_each(|share| *share = libm::expf(*share - highest));
        let all: f32 = own.iter().sum();
        own.iter_mut().for_each(|share| *share /= all);
    }
}

/// What a thread needs to ask networks, kept so that asking does not allocate.
#[derive(Clone, Debug)]
pub struct Scratch {
    neurons: Box<Neurons>,
    order: Vec<u16>,
    sums: Vec<i32>,
}

impl Default for Scratch {
    fn default() -> Self {
        let neurons = Box::new([Lanes::ZERO; MOST_WIDTH / WIDTH_STEP]);
        Scratch { neurons, order: Vec::new(), sums: Vec::new() }
    }
}

fn scaled(sum: i64) -> f32 {
    (sum as f64 / f64::from(OUTPUT_SCALE)) as f32
}

/// The system's exponential differs from machine to machine; this one does not.
fn softmax(sums: [i32; VALUE_OUTPUTS]) -> Outlook {
    let sums = sums.map(i64::from);
    let highest = sums.into_iter().fold(i64::MIN, i64::max);
    let [win, draw, loss] = sums.map(|sum| libm::expf(scaled(sum - highest)));
    let all = win + draw + loss;
    Outlook { win: win / all, draw: draw / all, loss: loss / all }
}
