//! The model card at the head of a network's file.

use crate::Description;
use crate::features::{hash_of, text_of};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What a network is, and how it came to be.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Card {
    /// The game's name.
    pub game: String,
    /// What it sees.
    pub features: FeatureCard,
    /// The value, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Shape>,
    /// The policy, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<Shape>,
    /// What the whole numbers of its weights are divided by.
    pub scales: Scales,
    /// What it was trained on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Data>,
    /// The digest of the network that it goes on from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// Where the random numbers of its making started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The program that made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
    /// How strong it was found to be, in words and numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elo: Option<Value>,
    /// Whatever else its maker wrote.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// A feature set, as a file names it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FeatureCard {
    /// Its name with version.
    pub name: String,
    /// How many inputs there are.
    pub inputs: usize,
    /// The most inputs that are active at once.
    pub most: usize,
    /// How many outputs the policy has.
    pub outputs: usize,
    /// [`Description::hash`].
    pub hash: String,
}

impl From<Description> for FeatureCard {
    fn from(features: Description) -> Self {
        FeatureCard {
            name: features.name.to_owned(),
            inputs: features.inputs,
            most: features.most,
            outputs: features.outputs,
            hash: features.hash(),
        }
    }
}

impl FeatureCard {
    /// The hash that features of this name and these numbers have.
    pub(crate) fn own_hash(&self) -> String {
        let FeatureCard { name, inputs, most, outputs, .. } = self;
        hash_of(&text_of(name, [*inputs, *most, *outputs]))
    }
}

/// The size of a value or a policy.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shape {
    /// How many neurons are behind its first layer.
    pub width: usize,
    /// How many are between its second layer and a third, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub middle: Option<usize>,
}

/// What the whole numbers of weights are divided by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Scales {
    /// Those of first layers and their biases.
    pub first: i32,
    /// Those of second layers; their biases are divided by this and the square of the other.
    pub second: i32,
}

impl Scales {
    /// The only ones so far.
    pub const USUAL: Scales = Scales { first: 255, second: 64 };
}

/// What a network was trained on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Data {
    /// What tells it from other data.
    pub digest: String,
    /// How many states it has.
    pub positions: u64,
}
