//! Files are read back as they were written and refused where they are not whole; every instruction
//! set gives what a plain transcription of the formulas gives.

use monteverde_game::Rng;
use monteverde_network::{Description, Isa, Network, NetworkError, Scratch, Shape, pack};

const FEATURES: Description = Description { name: "test-1", inputs: 300, most: 40, outputs: 77 };

fn network(widths: [usize; 2]) -> Network {
    Network::random("test", FEATURES, widths, 7).expect("widths that are possible")
}

/// One whose value has a third layer.
fn deeper(widths: [usize; 2], middle: usize) -> Network {
    try_deeper(widths, middle).expect("a middle that is possible")
}

fn try_deeper([value, policy]: [usize; 2], middle: usize) -> Result<Network, NetworkError> {
    let shapes = [(value, Some(middle)), (policy, None)];
    let shapes = shapes.map(|(width, middle)| Some(Shape { width, middle }));
    Network::random_of("test", FEATURES, shapes, 7)
}

/// Different numbers below `end`.
fn draw(rng: &mut Rng, count: usize, end: u32) -> Vec<u16> {
    let mut numbers: Vec<u16> = Vec::new();
    while numbers.len() < count {
        let number = rng.below(end) as u16;
        if !numbers.contains(&number) {
            numbers.push(number);
        }
    }
    numbers
}

/// Reads numbers one after another, as the description of the file has them.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn i16s(&mut self, count: usize) -> Vec<i64> {
        let (bytes, rest) = self.0.split_at(2 * count);
        self.0 = rest;
        bytes.chunks(2).map(|two| i16::from_le_bytes([two[0], two[1]]).into()).collect()
    }
    fn i32s(&mut self, count: usize) -> Vec<i64> {
        let (bytes, rest) = self.0.split_at(4 * count);
        self.0 = rest;
        bytes.chunks(4).map(|four| i32::from_le_bytes(four.try_into().unwrap()).into()).collect()
    }

    /// All outputs of the layers that come next, in whole numbers.
    fn layers(&mut self, shape: Shape, outputs: usize, active: &[u16]) -> Vec<i64> {
        let width = shape.width;
        let first = self.i16s(300 * width);
        let bias = self.i16s(width);
        let neuron = |at: usize| {
            let rows = active.iter().map(|&input| first[usize::from(input) * width + at]);
            (bias[at] + rows.sum::<i64>()).clamp(0, 255)
        };
        let neurons: Vec<i64> = (0..width).map(neuron).collect();
        let squares = |neurons: &[i64]| -> Vec<i64> { neurons.iter().map(|n| n * n).collect() };
        let Some(middle) = shape.middle else { return self.weighed(&squares(&neurons), outputs) };
        // Squares lose their last bit.
        let even: Vec<i64> = squares(&neurons).iter().map(|square| square & !1).collect();
        let sums = self.weighed(&even, middle);
        let neurons: Vec<i64> = sums.iter().map(|sum| (sum >> 14).clamp(0, 255)).collect();
        self.weighed(&squares(&neurons), outputs)
    }

    /// What the layer that comes next makes of squares of neurons.
    fn weighed(&mut self, squares: &[i64], outputs: usize) -> Vec<i64> {
        let weights = self.i16s(outputs * squares.len());
        let bias = self.i32s(outputs);
        let sum = |row: &[i64]| -> i64 {
            squares.iter().zip(row).map(|(square, weight)| square * weight).sum()
        };
        weights.chunks(squares.len()).zip(bias).map(|(row, bias)| bias + sum(row)).collect()
    }
}

/// The weights of a file.
fn weights(bytes: &[u8]) -> &[u8] {
    let head = b"monteverde network 1\n".len();
    let length: [u8; 4] = bytes[head..head + 4].try_into().unwrap();
    &bytes[head + 4 + u32::from_le_bytes(length) as usize..bytes.len() - 32]
}

/// The network, where every third row of both first layers has a weight that 8 bits do not hold.
fn with_wide_rows(network: &Network) -> Network {
    let [value, policy] = [network.card().value, network.card().policy].map(Option::unwrap);
    let widths = [value.width, policy.width];
    let behind = value.middle.map_or(3 * widths[0] + 2 * 3, |middle| {
        middle * widths[0] + 2 * middle + 3 * middle + 2 * 3
    });
    let policy = (300 + 1) * widths[0] + behind;
    let rows = (0..300).step_by(3);
    let wide: Vec<_> = rows
        .flat_map(|row| {
            let value = row * widths[0] + row % widths[0];
            [(value, 128 + row as i16), (policy + row * widths[1] + row % widths[1], -129)]
        })
        .collect();
    Network::read(&changed(network, &wide)).expect("the sums still fit 16 bits")
}

#[test]
fn every_instruction_set_gives_what_the_formulas_give() {
    let plain = [[64, 64], [256, 256], [320, 128], [1024, 192]].map(network);
    let deeper = [deeper([256, 64], 32), deeper([64, 128], 1), deeper([512, 64], 64)];
    for network in plain.into_iter().chain(deeper) {
        let network = with_wide_rows(&network);
        let shapes = [network.card().value, network.card().policy].map(Option::unwrap);
        let bytes = network.write();
        let mut rng = Rng::new(3);
        for count in [0, 1, 2, 31, 40] {
            let active = draw(&mut rng, count, 300);
            let outputs = draw(&mut rng, 30, 77);
            let mut reader = Reader(weights(&bytes));
            let value = reader.layers(shapes[0], 3, &active);
            let policy = reader.layers(shapes[1], 77, &active);
            assert!(reader.0.is_empty());
            let scale = 255.0 * 255.0 * 64.0;
            let expected: Vec<f32> = outputs
                .iter()
                .map(|&output| (policy[usize::from(output)] as f64 / scale) as f32)
                .collect();
            let powers: Vec<f64> = value.iter().map(|&sum| (sum as f64 / scale).exp()).collect();
            let all: f64 = powers.iter().sum();
            let mut outlooks = Vec::new();
            for isa in Isa::available() {
                let network = network.clone().on(isa);
                let (mut scratch, mut priors) = (Scratch::default(), Vec::new());
                network.log_priors(&active, &outputs, &mut scratch, &mut priors);
                assert_eq!(priors, expected, "{} of {shapes:?}", isa.name());
                let outlook = network.outlook(&active, &mut scratch).expect("it has a value");
                for (share, power) in
                    [outlook.win, outlook.draw, outlook.loss].into_iter().zip(&powers)
                {
                    assert!((f64::from(share) - power / all).abs() < 1e-6, "{}", isa.name());
                }
                outlooks.push(outlook);
            }
            assert!(outlooks.windows(2).all(|pair| pair[0] == pair[1]), "{outlooks:?}");
        }
    }
}

#[test]
fn a_file_is_read_back_as_it_was_written() {
    for widths in [[256, 128], [64, 0], [0, 64]] {
        let network = network(widths);
        let bytes = network.write();
        let again = Network::read(&bytes).expect("our own file");
        assert_eq!(again.card(), network.card());
        assert_eq!(again.digest(), network.digest());
        assert_eq!(again.write(), bytes);
        assert_eq!((again.has_value(), again.has_policy()), (widths[0] > 0, widths[1] > 0));
        assert_eq!(again.check("test", FEATURES), Ok(()));
    }
    let three_layers = deeper([256, 128], 16);
    let bytes = three_layers.write();
    let again = Network::read(&bytes).expect("our own file");
    assert_eq!((again.card(), again.write()), (three_layers.card(), bytes));
    let (one, other) = (network([64, 64]), Network::random("test", FEATURES, [64, 64], 8));
    assert_ne!(one.digest(), other.expect("a network").digest());
}

#[test]
fn a_file_that_is_cut_short_or_longer_is_refused() {
    let bytes = network([64, 64]).write();
    let refused = |bytes: &[u8]| Network::read(bytes).expect_err("it is not whole");
    for length in (0..bytes.len()).step_by(997).chain([20, 21, 25, bytes.len() - 1]) {
        let error = refused(&bytes[..length]);
        let is_told = matches!(
            error,
            NetworkError::Magic | NetworkError::Length { .. } | NetworkError::Checksum
        );
        assert!(is_told, "{length} bytes: {error}");
    }
    let wanted = bytes.len();
    let error = refused(&bytes[..wanted - 1]);
    assert_eq!(error, NetworkError::Length { found: wanted - 1, wanted });
    let longer = [&bytes[..], &[0]].concat();
    assert_eq!(refused(&longer), NetworkError::Length { found: wanted + 1, wanted });
}

#[test]
fn a_file_in_which_a_byte_has_changed_is_refused() {
    let bytes = network([64, 64]).write();
    for at in (0..bytes.len()).step_by(1009).chain([bytes.len() - 1]) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        assert!(Network::read(&damaged).is_err(), "byte {at}");
    }
    let mut damaged = bytes.clone();
    *damaged.last_mut().unwrap() ^= 1;
    assert_eq!(Network::read(&damaged).unwrap_err(), NetworkError::Checksum);
}

#[test]
fn a_network_of_another_game_or_other_features_is_refused() {
    let network = network([64, 0]);
    let error = network.check("another", FEATURES).unwrap_err().to_string();
    assert_eq!(error, "it is a network of the game 'test', and one of 'another' is wanted");
    let others = Description { name: "test-2", ..FEATURES };
    let error = network.check("test", others).unwrap_err().to_string();
    assert_eq!(
        error,
        "it was made for the features 'test-1', and the game has 'test-2: 300 inputs, 40 at once, 77 outputs'"
    );
}

#[test]
fn a_card_whose_hash_promises_other_features_is_refused() {
    // A game that finds its own hash asks for inputs that this network would not have.
    let smaller = Description { inputs: 299, ..FEATURES };
    let network = Network::random("test", smaller, [64, 64], 7).expect("a network");
    let mut bytes = network.write();
    let (own, wanted) = (smaller.hash().into_bytes(), FEATURES.hash().into_bytes());
    let at = bytes.windows(own.len()).position(|part| part == own).expect("the card has it");
    bytes[at..at + own.len()].copy_from_slice(&wanted);
    let end = bytes.len() - 32;
    let checksum = blake3::hash(&bytes[..end]);
    bytes[end..].copy_from_slice(checksum.as_bytes());
    let error = Network::read(&bytes).map(|network| network.check("test", FEATURES)).unwrap_err();
    assert!(error.to_string().contains("the hash of its features"), "{error}");
}

#[test]
fn widths_that_are_not_possible_are_refused() {
    for widths in [[0, 0], [65, 0], [0, 2048]] {
        assert!(Network::random("test", FEATURES, widths, 1).is_err(), "{widths:?}");
    }
    for middle in [0, 65] {
        let error = try_deeper([64, 64], middle).expect_err("a middle that is not possible");
        assert!(error.to_string().contains("1 to 64"), "{error}");
    }
}

/// The file of a network whose weights are changed, with the checksum of what it then holds.
fn changed(network: &Network, changes: &[(usize, i16)]) -> Vec<u8> {
    let mut bytes = network.write();
    let first = bytes.len() - 32 - weights(&bytes).len();
    for (at, weight) in changes {
        bytes[first + 2 * at..][..2].copy_from_slice(&weight.to_le_bytes());
    }
    let end = bytes.len() - 32;
    let checksum = blake3::hash(&bytes[..end]);
    bytes[end..].copy_from_slice(checksum.as_bytes());
    bytes
}

#[test]
fn weights_that_could_overflow_are_refused() {
    let network = network([64, 0]);
    let refused = |at: usize, weight: i16| match Network::read(&changed(&network, &[(at, weight)]))
    {
        Err(NetworkError::Weights(problem)) => problem,
        other => panic!("{weight} at {at}: {:?}", other.err()),
    };
    // One row with the largest weight leaves no room for the 39 others and the bias.
    assert!(refused(5, i16::MAX).contains("neuron 5 "));
    assert!(refused(64 + 5, i16::MIN).contains("neuron 5 "));
    let second = 301 * 64;
    assert!(refused(second + 64 + 3, 128).contains("output 1 "));
    assert!(Network::read(&changed(&network, &[(second + 64 + 3, -127)])).is_ok());
    assert!(Network::read(&changed(&network, &[(5, 400)])).is_ok());
}

#[test]
fn what_is_no_plain_file_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let error = Network::open(folder.path()).unwrap_err().to_string();
    assert_eq!(error, "a network is a file of at most 256 MiB, and this is none");
    let path = folder.path().join("a.net");
    assert!(matches!(Network::open(&path), Err(NetworkError::Unreadable(_))));
    std::fs::write(&path, "text").expect("it can be written");
    assert_eq!(Network::open(&path).unwrap_err(), NetworkError::Magic);
    std::fs::write(&path, network([64, 64]).write()).expect("it can be written");
    assert!(Network::open(&path).is_ok());
}

#[test]
fn packed_files_are_the_same_networks() {
    for widths in [[64, 0], [0, 64], [64, 128]] {
        let plain = network(widths).write();
        let packed = pack(&plain).expect("it is a network");
        let read = Network::read(&packed).expect("it is whole");
        assert_eq!(read.write(), plain);
        assert_eq!(read.digest(), Network::read(&plain).expect("it is whole").digest());
        assert_eq!(pack(&packed).expect("it is a network, too"), packed);
    }
}

#[test]
fn packed_files_that_are_not_whole_are_refused() {
    let packed = pack(&network([64, 64]).write()).expect("it is a network");
    for end in [28, 30, 32, 40, packed.len() / 2, packed.len() - 1] {
        let error = Network::read(&packed[..end]).expect_err("it is cut short");
        assert!(matches!(error, NetworkError::Packed(_)), "{end}: {error}");
    }
    // More or less than it says that it is, or more than any network has.
    for length in [0u32, 1000, u32::MAX] {
        let mut wrong = packed.clone();
        wrong[28..32].copy_from_slice(&length.to_le_bytes());
        let error = Network::read(&wrong).expect_err("its length is wrong");
        assert!(matches!(error, NetworkError::Packed(_)), "{length}: {error}");
    }
    let mut damaged = packed.clone();
    damaged[packed.len() / 2] ^= 1;
    Network::read(&damaged).expect_err("it is damaged");
}
