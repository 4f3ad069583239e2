//! What other machines send, and the files that travel between them: tasks, results, shards,
//! networks, games for training.

use crate::games;
use monteverde_game::limit::Limit;
use monteverde_lab::crew::{Piece, ResultText};
use monteverde_lab::store::{ImportFile, Store, StoreError};
use monteverde_lab::task::Task;
use monteverde_network::{Network, Scratch};
use monteverde_training::opening::Openings;
use monteverde_training::remote::{KINDS, OwnPieces, Pieces};
use monteverde_training::selfplay::SelfPlay;
use monteverde_training::{DataFile, GameData, Header, Summary, Writer};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// A task, as a worker reads it. The key of a game, and of games for training, is put right, since
/// no edit hits upon it.
pub(crate) fn tasks(data: &[u8]) {
    let read = |text: &[u8]| Piece::parse(games(), &KINDS, text);
    let mended = with_key(data);
    let Ok(piece) = read(mended.as_ref().map_or(data, |text| text.as_bytes())) else { return };
    let again = read(piece.text().as_bytes()).expect("what was written is accepted");
    assert_eq!((again.key, again.text()), (piece.key, piece.text()));
    // A network that a task names may lie anywhere: devices never end.
    if !["/dev", "/proc", "/sys"].iter().any(|word| piece.text().contains(word)) {
        let _ = piece.needs();
    }
}

/// The same task under its own key.
fn with_key(data: &[u8]) -> Option<String> {
    let task: Value = serde_json::from_slice(data).ok()?;
    let behaviour = task.get("behaviour")?.as_str()?.to_owned();
    let work = task.get("work")?;
    if let Some(game) = work.get("game") {
        let mut played: Task = serde_json::from_value(game.clone()).ok()?;
        played.behaviour = behaviour;
        return Some(Piece::game(games().game(&played.game).ok()?, played).text());
    }
    let custom = work.get("custom")?;
    let kind = KINDS.iter().find(|kind| Some(kind.name) == custom["kind"].as_str())?;
    let work = (kind.read)(games(), custom.get("work")?.clone()).ok()?;
    Some(Piece::custom(work, behaviour).text())
}

/// A result, as a coordinator reads it. A text is compressed first.
pub(crate) fn products(data: &[u8]) {
    let result = match data.first() {
        Some(b'{') => ResultText::unpack(&compressed(data)),
        _ => ResultText::unpack(data),
    };
    let Ok(ResultText { product: Ok(product), .. }) = result else { return };
    for piece in pieces() {
        if piece.check(&product).is_ok() {
            let text = product.text();
            let again = serde_json::from_str(&text).expect("what was written is accepted");
            piece.check(&again).expect("it is the same");
        }
    }
}

fn compressed(data: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(data, 1).expect("memory can be compressed")
}

/// Pieces that results may belong to: those of the seeds of `tasks`, and games for training.
fn pieces() -> &'static [Piece] {
    static PIECES: OnceLock<Vec<Piece>> = OnceLock::new();
    PIECES.get_or_init(|| {
        let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds/tasks");
        let entries = seeds.read_dir().into_iter().flatten().flatten();
        let texts = entries.filter_map(|entry| std::fs::read(entry.path()).ok());
        let read = |text: Vec<u8>| {
            let mended = with_key(&text).map_or(text, String::into_bytes);
            Piece::parse(games(), &KINDS, &mended).ok()
        };
        let mut pieces: Vec<Piece> = texts.filter_map(read).collect();
        let how = SelfPlay {
            game: games().game("dice-race").expect("a game of ours"),
            limit: Limit::iterations(20),
            seed: 1,
            openings: Openings { plies: 1..=2, starts: Vec::new() },
            adjudication: Default::default(),
            drawn_plies: 0,
            keeps_shares: true,
        };
        let own = OwnPieces { how: Arc::new(how), player: "uct".into() };
        pieces.push(Piece::custom(own.work(0..1), "fuzz".to_owned()));
        pieces
    })
}

/// The bytes of a shard's file, or of another store, put into a store twice.
pub(crate) fn shard(data: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("shard.mvs");
    std::fs::write(&path, data).expect("the folder is ours");
    let Ok(file) = ImportFile::open(&path) else { return };
    let mut store = Store::memory().expect("memory");
    let held = |store: &Store| {
        let mut keys = Vec::new();
        let _ = store.records(None, |record| {
            keys.push(record.key.clone());
            Ok::<_, StoreError>(())
        });
        keys
    };
    match store.import(&file, &mut |_| ()) {
        Ok(first) => {
            let before = held(&store);
            let second = store.import(&file, &mut |_| ()).expect("it was taken in before");
            assert_eq!(second.games.new + second.findings.new, 0, "{first:?} {second:?}");
            assert_eq!(held(&store), before);
        }
        Err(_) => assert_eq!(held(&store), [""; 0], "nothing of a file that is refused is kept"),
    }
}

/// The bytes of a network. A file whose first letter is large gets a checksum that is right.
pub(crate) fn network(data: &[u8]) {
    let mut file = data.to_vec();
    if let Some(first @ b'M') = file.first_mut() {
        *first = b'm';
        if let Some(end) = file.len().checked_sub(blake3::OUT_LEN) {
            let sum = blake3::hash(&file[..end]);
            file[end..].copy_from_slice(sum.as_bytes());
        }
    }
    let Ok(network) = Network::read(&file) else { return };
    let written = network.write();
    let again = Network::read(&written).expect("what was written is accepted");
    assert_eq!((again.card(), again.write()), (network.card(), written));
    // Whoever fits the features of a game is asked about all that they have.
    for game in games().iter() {
        let Some(features) = game.features() else { continue };
        let features = features.description();
        if network.check(game.name(), features).is_ok() {
            let last = |count: usize| [0, (count - 1) as u16];
            let (scratch, priors) = (&mut Scratch::default(), &mut Vec::new());
            let _ = network.outlook(&last(features.inputs), scratch);
            network.log_priors(&last(features.inputs), &last(features.outputs), scratch, priors);
        }
    }
}

/// The bytes of a file of games for training. A file whose first letter is small gets checksums
/// that are right.
pub(crate) fn training(data: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.mvd");
    std::fs::write(&path, with_checksums(data)).expect("the folder is ours");
    let Ok(file) = DataFile::read(&path) else { return };
    let games: Vec<GameData> = file.games().collect();
    let _ = (Summary::of(&file).check(), file.digest());
    let ends =
        file.damage().iter().all(|damage| damage.from < damage.to && damage.to <= data.len());
    assert!(ends, "{:?}", file.damage());
    // Going on with it leaves its games, each number once and in order, and no damage.
    let header: Header = file.header().clone();
    let (writer, held) = Writer::open(&path, header).expect("its own header fits");
    assert!(held.games().eq(games.iter().cloned()));
    let after = writer.finish(&|_| true).expect("the folder is ours");
    assert_eq!(after.damage(), []);
    let numbered: BTreeMap<u32, GameData> =
        games.into_iter().map(|game| (game.number, game)).collect();
    assert!(after.games().eq(numbered.into_values()));
}

/// The bytes before a header, and those of a frame before its columns.
const MAGIC: usize = 8;
const FRAME: usize = 14;

/// A file whose magic number begins with `m` for `M`, with that and all checksums put right.
fn with_checksums(data: &[u8]) -> Vec<u8> {
    let mut file = data.to_vec();
    let Some(b'm') = file.first() else { return file };
    file[0] = b'M';
    let length = |file: &[u8], at: usize| {
        let bytes = file.get(at..at + 4)?;
        usize::try_from(u32::from_le_bytes(bytes.try_into().ok()?)).ok()
    };
    let sum = |parts: &[&[u8]]| -> [u8; 4] {
        let hash = blake3::hash(&parts.concat());
        hash.as_bytes()[..4].try_into().expect("four")
    };
    let Some(header) = length(&file, MAGIC) else { return file };
    let mut at = (MAGIC + 4).saturating_add(header);
    let Some(text) = file.get(MAGIC + 4..at) else { return file };
    let right = sum(&[text]);
    let Some(place) = file.get_mut(at..at + 4) else { return file };
    place.copy_from_slice(&right);
    at += 4;
    while let Some(columns) = length(&file, at + 6) {
        let end = (at + FRAME).saturating_add(columns);
        let Some(packed) = file.get(at + FRAME..end) else { break };
        let right = sum(&[&file[at + 2..at + 6], packed]);
        file[at + 10..at + FRAME].copy_from_slice(&right);
        at = end;
    }
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_product_among_the_seeds_belongs_to_a_task_among_them() {
        let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds/products");
        for entry in seeds.read_dir().expect("the folder of seeds") {
            let path = entry.expect("an entry").path();
            let bytes = std::fs::read(&path).expect("a seed is a file");
            if bytes.first() != Some(&b'{') {
                continue;
            }
            let result = ResultText::unpack(&compressed(&bytes)).expect("a result");
            let product = result.product.expect("a product");
            let fits = |piece: &&Piece| piece.check(&product).is_ok();
            assert!(pieces().iter().any(|piece| fits(&piece)), "{}", path.display());
        }
    }
}
