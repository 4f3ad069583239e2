//! Files of networks: a line that says what it is, the model card, the weights, and a checksum.

use crate::card::{Card, Scales, Shape};
use crate::layers::{Layers, MOST_MIDDLE, MOST_WIDTH, Size, WIDTH_STEP};
use crate::network::VALUE_OUTPUTS;
use crate::packed::unpacked;
use crate::{Isa, Network};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// What a file begins with: its kind and version.
const MAGIC: &[u8] = b"monteverde network 1\n";
/// The bytes of the checksum at the end.
const CHECKSUM: usize = 32;
/// The longest card.
const MOST_CARD: usize = 1 << 20;
/// The largest file.
pub const MOST_BYTES: u64 = 256 << 20;
/// As many inputs and outputs as their numbers can tell apart.
const MOST_FEATURES: usize = 1 << 16;

/// Why a file is no network, or not the one that is wanted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NetworkError {
    /// It cannot be read.
    #[error("it cannot be read: {0}")]
    Unreadable(String),
    /// Too large, or no plain file.
    #[error("a network is a file of at most {} MiB, and this is {found}", MOST_BYTES >> 20)]
    NoFile {
        /// What it is.
        found: String,
    },
    /// Something else.
    #[error("it is no network: it does not begin with 'monteverde network 1'")]
    Magic,
    /// It is packed, and not whole.
    #[error("it is packed, and cannot be unpacked: {0}")]
    Packed(String),
    /// It is shorter than it says.
    #[error("it is cut short or too long: it has {found} bytes, and {wanted} are expected")]
    Length {
        /// The bytes that it has.
        found: usize,
        /// Those that it should have.
        wanted: usize,
    },
    /// Bytes have changed.
    #[error("it is damaged: its checksum is not that of its contents")]
    Checksum,
    /// The card says nothing that we understand.
    #[error("its card cannot be read: {0}")]
    Card(String),
    /// Weights that would not add up.
    #[error("its weights are out of range: {0}")]
    Weights(String),
    /// It is of another game.
    #[error("it is a network of the game '{found}', and one of '{wanted}' is wanted")]
    Game {
        /// Its game.
        found: String,
        /// The other.
        wanted: String,
    },
    /// It sees something else.
    #[error("it was made for the features '{found}', and the game has '{wanted}'")]
    Features {
        /// Its features.
        found: String,
        /// The game's.
        wanted: String,
    },
}

/// The contents of a file, if it may be a network.
pub fn contents(path: &Path) -> Result<Vec<u8>, NetworkError> {
    let unreadable = |error: std::io::Error| NetworkError::Unreadable(error.to_string());
    // What is no plain file might never end.
    let about = std::fs::metadata(path).map_err(unreadable)?;
    if !about.is_file() {
        return Err(NetworkError::NoFile { found: "none".to_owned() });
    }
    if about.len() > MOST_BYTES {
        return Err(NetworkError::NoFile { found: format!("one of {} bytes", about.len()) });
    }
    let mut bytes = Vec::with_capacity(about.len() as usize);
    let file = File::open(path).map_err(unreadable)?;
    file.take(MOST_BYTES).read_to_end(&mut bytes).map_err(unreadable)?;
    Ok(bytes)
}

impl Network {
    /// Reads a file.
    pub fn open(path: &Path) -> Result<Network, NetworkError> {
        Network::read(&contents(path)?)
    }

    /// Reads the contents of a file, which may be packed.
    pub fn read(bytes: &[u8]) -> Result<Network, NetworkError> {
        let bytes = &*unpacked(bytes)?;
        let rest = bytes.strip_prefix(MAGIC).ok_or(NetworkError::Magic)?;
        let short = |wanted: usize| NetworkError::Length { found: bytes.len(), wanted };
        let (length, rest) = rest.split_first_chunk().ok_or(short(MAGIC.len() + 4))?;
        let length = u32::from_le_bytes(*length) as usize;
        if length > MOST_CARD {
            return Err(NetworkError::Card(format!("it would have {length} bytes")));
        }
        let head = MAGIC.len() + 4 + length;
        let text = rest.get(..length).ok_or(short(head + CHECKSUM))?;
        // Before anything in the card is believed, all of it must be there and whole.
        let end = bytes.len().checked_sub(CHECKSUM).filter(|&end| end >= head);
        let (contents, checksum) = bytes.split_at(end.ok_or(short(head + CHECKSUM))?);
        let is_whole = blake3::hash(contents).as_bytes() == checksum;
        let card: Result<Card, _> = serde_json::from_slice(text);
        let card = card.map_err(|error| match is_whole {
            true => NetworkError::Card(error.to_string()),
            false => NetworkError::Checksum,
        })?;
        let sizes = card.sizes()?;
        let weights: usize = sizes.iter().flatten().map(|size| size.bytes()).sum();
        if bytes.len() != head + weights + CHECKSUM {
            return Err(short(head + weights + CHECKSUM));
        }
        if !is_whole {
            return Err(NetworkError::Checksum);
        }
        let mut rest = &contents[head..];
        let mut layers = |size: Size| {
            let (bytes, others) = rest.split_at(size.bytes());
            rest = others;
            let layers = Layers::read(size, bytes).map_err(NetworkError::Weights)?;
            layers.check(card.features.most).map_err(NetworkError::Weights)?;
            Ok(layers)
        };
        let [value, policy] = sizes;
        let value = value.map(&mut layers).transpose()?;
        let policy = policy.map(&mut layers).transpose()?;
        let digest = blake3::hash(bytes).to_hex().to_string();
        Ok(Network { card, value, policy, digest, isa: Isa::best() })
    }

    /// The contents of its file.
    pub fn write(&self) -> Vec<u8> {
        let card = serde_json::to_vec_pretty(&self.card).expect("a card has names for keys");
        let mut bytes = MAGIC.to_vec();
        bytes.extend((card.len() as u32).to_le_bytes());
        bytes.extend(card);
        for layers in [&self.value, &self.policy].into_iter().flatten() {
            layers.write(&mut bytes);
        }
        let checksum = blake3::hash(&bytes);
        bytes.extend(checksum.as_bytes());
        bytes
    }

    pub(crate) fn written_digest(&self) -> String {
        blake3::hash(&self.write()).to_hex().to_string()
    }
}

impl Card {
    /// The sizes of the value and the policy.
    pub(crate) fn sizes(&self) -> Result<[Option<Size>; 2], NetworkError> {
        let wrong = |problem: String| Err(NetworkError::Card(problem));
        let features = &self.features;
        for (name, count) in [("inputs", features.inputs), ("outputs", features.outputs)] {
            if !(1..=MOST_FEATURES).contains(&count) {
                return wrong(format!("{count} {name}, and 1 to {MOST_FEATURES} are possible"));
            }
        }
        if !(1..=features.inputs).contains(&features.most) {
            return wrong(format!(
                "{} inputs active at once of {}",
                features.most, features.inputs
            ));
        }
        // Whoever compares hashes relies on these numbers.
        if features.hash != features.own_hash() {
            return wrong("the hash of its features is not that of their numbers".to_owned());
        }
        if self.scales != Scales::USUAL {
            let Scales { first, second } = Scales::USUAL;
            return wrong(format!("its scales are not {first} and {second}"));
        }
        if (self.value, self.policy) == (None, None) {
            return wrong("it has neither a value nor a policy".to_owned());
        }
        for Shape { width, middle } in [self.value, self.policy].into_iter().flatten() {
            if !width.is_multiple_of(WIDTH_STEP) || !(1..=MOST_WIDTH).contains(&width) {
                return wrong(format!(
                    "a width of {width}, and multiples of {WIDTH_STEP} up to {MOST_WIDTH} are possible"
                ));
            }
            if let Some(middle) = middle.filter(|middle| !(1..=MOST_MIDDLE).contains(middle)) {
                return wrong(format!("a middle of {middle}, and 1 to {MOST_MIDDLE} are possible"));
            }
        }
        let size = |shape: Option<Shape>, outputs: usize| {
            let inputs = features.inputs;
            shape.map(|Shape { width, middle }| Size { inputs, width, middle, outputs })
        };
        Ok([size(self.value, VALUE_OUTPUTS), size(self.policy, features.outputs)])
    }
}
