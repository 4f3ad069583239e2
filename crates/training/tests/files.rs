//! Files of games: what is written is read, what is damaged is named, and a run that was killed
//! goes on to the same file.

use monteverde_game::limit::{Limit, Signal};
use monteverde_game::report::{Control, Report};
use monteverde_game::{Game, Side};
use monteverde_lab::adjudication::Adjudication;
use monteverde_players::player::Player;
use monteverde_players::{AnyGame, AnyState, AnyStep, Spec};
use monteverde_training::label::Unlabelled;
use monteverde_training::opening::Openings;
use monteverde_training::selfplay::{MakePlayer, OwnGames, SelfPlay, players_of};
use monteverde_training::{
    Amount, DataError, DataFile, GameData, Header, Makers, Production, StepKind, Summary, Writer,
};
use serde_json::Map;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use tempfile::TempDir;

fn game(name: &str) -> AnyGame {
    monteverde_games::games().game(name).unwrap()
}

fn how(name: &str, iterations: u64) -> SelfPlay {
    SelfPlay {
        game: game(name),
        limit: Limit::iterations(iterations),
        seed: 5,
        openings: Openings { plies: 1..=3, starts: Vec::new() },
        adjudication: Adjudication { length: Some(60), ..Adjudication::default() },
        drawn_plies: 2,
        keeps_shares: true,
    }
}

fn header(how: &SelfPlay) -> Header {
    Header {
        game: how.game.name().to_owned(),
        made_by: "selfplay".to_owned(),
        build: "a test".to_owned(),
        player: "uct".to_owned(),
        seed: how.seed,
        arguments: Map::new(),
    }
}

struct Run<'a> {
    how: &'a SelfPlay,
    player: &'a MakePlayer<'a>,
    amount: Amount,
    threads: usize,
}

impl Run<'_> {
    fn fill(&self, path: &Path) -> Result<Summary, DataError> {
        self.until(path, &|| false)
    }

    fn until(
        &self,
        path: &Path,
        is_over: &(dyn Fn() -> bool + Sync),
    ) -> Result<Summary, DataError> {
        let (writer, held) = Writer::open(path, header(self.how))?;
        let make = &OwnGames { how: self.how, player: self.player };
        let Run { amount, threads, .. } = *self;
        let makers = Makers::Threads(threads);
        let production = Production { make, amount, shard: None, makers, is_over };
        production.run(writer, held, &mut |_| {})
    }
}

fn file(folder: &TempDir, name: &str) -> PathBuf {
    folder.path().join(name)
}

/// A file of small games, and how they were made.
fn small(folder: &TempDir, games: u32) -> (PathBuf, SelfPlay, Spec) {
    let how = how("tic-tac-toe", 30);
    let spec = Spec::read(how.game, "uct:memory=1MiB").unwrap();
    let path = file(folder, "small.mvd");
    let amount = Amount::Games(games);
    Run { how: &how, player: &players_of(&spec), amount, threads: 2 }.fill(&path).unwrap();
    (path, how, spec)
}

#[test]
fn the_file_depends_on_the_command_alone() {
    let folder = tempfile::tempdir().unwrap();
    for (name, spec) in [("chess", "ab:memory=64KiB"), ("dice-race", "uct:memory=1MiB")] {
        let how = how(name, 50);
        let spec = Spec::read(how.game, spec).unwrap();
        let player = &players_of(&spec);
        for amount in [Amount::Games(12), Amount::States(100)] {
            let run = |threads| Run { how: &how, player, amount, threads };
            let [one, three, stopped] = ["one", "three", "stopped"]
                .map(|end| file(&folder, &format!("{name} {amount:?} {end}")));
            let summary = run(1).fill(&one).unwrap();
            run(3).fill(&three).unwrap();
            let left = AtomicU32::new(1);
            let is_over = || left.fetch_sub(1, Ordering::Relaxed) == 0;
            run(1).until(&stopped, &is_over).unwrap();
            assert!(DataFile::read(&stopped).unwrap().len() < summary.games as usize);
            // Whatever was being written when the program was killed.
            let mut bytes = fs::read(&stopped).unwrap();
            let whole = DataFile::read(&three).unwrap();
            let last = &fs::read(&three).unwrap()[whole.bytes() - 20..];
            bytes.extend_from_slice(last);
            fs::write(&stopped, bytes).unwrap();
            run(2).fill(&stopped).unwrap();
            let bytes = fs::read(&one).unwrap();
            assert!(bytes == fs::read(&three).unwrap(), "{name}: threads make no difference");
            assert!(bytes == fs::read(&stopped).unwrap(), "{name}: nor does a kill");
            if let Amount::States(count) = amount {
                assert!(summary.scored >= count);
            }
        }
    }
}

#[test]
fn a_larger_number_goes_on_with_the_same_games() {
    let folder = tempfile::tempdir().unwrap();
    let (path, how, spec) = small(&folder, 5);
    let before: Vec<GameData> = DataFile::read(&path).unwrap().games().collect();
    let player = &players_of(&spec);
    let summary =
        Run { how: &how, player, amount: Amount::Games(9), threads: 2 }.fill(&path).unwrap();
    assert_eq!(summary.games, 9);
    let after: Vec<GameData> = DataFile::read(&path).unwrap().games().collect();
    assert_eq!(after[..5], before[..]);
    assert!(after.iter().map(|game| game.number).eq(0..9));
}

/// A file was cut to what was asked for, whatever it had cost.
#[test]
fn a_smaller_number_takes_no_game_away() {
    let folder = tempfile::tempdir().unwrap();
    let (path, how, spec) = small(&folder, 6);
    let bytes = fs::read(&path).unwrap();
    let player = &players_of(&spec);
    for amount in [Amount::Games(2), Amount::States(1), Amount::Games(0)] {
        let run = Run { how: &how, player, amount, threads: 2 };
        assert_eq!(run.fill(&path).unwrap().games, 6);
        assert_eq!(run.until(&path, &|| true).unwrap().games, 6);
        assert!(fs::read(&path).unwrap() == bytes, "{amount:?}");
    }
    // The damaged game is made again, and those after it stay.
    let mut hit = bytes.clone();
    hit[frame_starts(&bytes)[1] + 25] ^= 1;
    fs::write(&path, hit).unwrap();
    Run { how: &how, player, amount: Amount::States(8), threads: 2 }.fill(&path).unwrap();
    assert!(fs::read(&path).unwrap() == bytes);
}

#[test]
fn games_can_be_played_again_by_their_numbers() {
    for (name, spec) in [("chess", "ab:memory=64KiB"), ("dice-race", "uct:memory=1MiB")] {
        let how = how(name, 50);
        let spec = Spec::read(how.game, spec).unwrap();
        for number in 0..4 {
            let data = how.play(number, &players_of(&spec), &Signal::default()).unwrap();
            let mut state = how.game.start();
            let (mut moves, mut events) = (Vec::new(), Vec::new());
            let mut opening = 0;
            for step in &data.steps {
                match step.kind {
                    StepKind::Event => {
                        events.clear();
                        state.events(&mut events);
                        state.settle(events[usize::from(step.index)].0);
                    }
                    StepKind::Move(side) => {
                        assert_eq!(side, state.turn());
                        moves.clear();
                        state.moves(&mut moves);
                        opening += u32::from(step.score.is_none());
                        if step.score.is_some() {
                            assert_eq!(step.shares.len(), moves.len());
                        }
                        state.play(moves[usize::from(step.index)]);
                    }
                }
            }
            assert!((1..=3).contains(&opening), "{opening} random moves");
            if !state.is_pending() && state.outcome().is_some() {
                assert_eq!(state.outcome(), data.outcome);
            }
        }
    }
}

#[test]
fn damage_costs_the_games_that_it_hits() {
    let folder = tempfile::tempdir().unwrap();
    let (path, ..) = small(&folder, 6);
    let whole = DataFile::read(&path).unwrap();
    let games: Vec<GameData> = whole.games().collect();
    let bytes = fs::read(&path).unwrap();
    let starts: Vec<usize> = frame_starts(&bytes);
    assert_eq!(starts.len(), 6);
    let hit = |at: usize| {
        let mut bytes = bytes.clone();
        bytes[at] ^= 0x10;
        fs::write(&path, bytes).unwrap();
        DataFile::read(&path).unwrap()
    };
    for (place, name) in [(starts[2] + 20, "game 2 is damaged"), (starts[5] + 30, "game 5")] {
        let file = hit(place);
        let [damage] = file.damage() else { panic!("{:?}", file.damage()) };
        assert!(damage.to_string().contains(name), "{damage}");
        let left: Vec<GameData> = file.games().collect();
        let number = damage.number.unwrap();
        let others: Vec<GameData> =
            games.iter().filter(|game| game.number != number).cloned().collect();
        assert_eq!(left, others);
    }
    // The length: the next game is found all the same.
    for offset in [0, 1, 6, 7, 8, 9] {
        let file = hit(starts[2] + offset);
        assert_eq!((file.len(), file.damage().len()), (5, 1), "byte {offset} of a frame");
        assert!(file.damage()[0].to_string().contains('2') || file.damage()[0].after == Some(1));
    }
    // Nothing at all is read wrongly, wherever a byte is hit, and a hit header is an error.
    for at in 0..bytes.len() {
        let mut bytes = bytes.clone();
        bytes[at] ^= 0x41;
        fs::write(&path, bytes).unwrap();
        match DataFile::read(&path) {
            Ok(file) => {
                assert!(at >= starts[0] && file.len() == 5, "byte {at}");
                assert!(file.games().all(|game| games.contains(&game)), "byte {at}");
            }
            Err(error) => assert!(at < starts[0], "byte {at}: {error}"),
        }
    }
}

/// Where frames begin, by their marks and lengths.
fn frame_starts(bytes: &[u8]) -> Vec<usize> {
    let header = u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize;
    let mut at = 12 + header + 4;
    let mut starts = Vec::new();
    while at < bytes.len() {
        starts.push(at);
        at += 14 + u32::from_le_bytes(bytes[at + 6..at + 10].try_into().unwrap()) as usize;
    }
    starts
}

#[test]
fn a_damaged_game_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let (path, how, spec) = small(&folder, 6);
    let bytes = fs::read(&path).unwrap();
    let mut hit = bytes.clone();
    hit[frame_starts(&bytes)[3] + 25] ^= 1;
    fs::write(&path, hit).unwrap();
    let player = &players_of(&spec);
    Run { how: &how, player, amount: Amount::Games(6), threads: 2 }.fill(&path).unwrap();
    assert!(fs::read(&path).unwrap() == bytes);
}

#[test]
fn other_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (path, how, _) = small(&folder, 2);
    let other = Header { seed: 6, ..header(&how) };
    let error = Writer::open(&path, other).unwrap_err();
    assert!(error.to_string().contains("begun with seed 5 and cannot go on with 6"), "{error}");
    let (_writer, _) = Writer::open(&path, header(&how)).unwrap();
    assert!(matches!(Writer::open(&path, header(&how)), Err(DataError::InUse(_))));
    let path = file(&folder, "else");
    fs::write(&path, "a text").unwrap();
    assert!(matches!(DataFile::read(&path), Err(DataError::NotData { .. })));
    assert!(matches!(Writer::open(&path, header(&how)), Err(DataError::NotData { .. })));
}

#[test]
fn a_file_without_a_game_binds_no_other_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "begun");
    let how = how("tic-tac-toe", 30);
    drop(Writer::open(&path, header(&how)).unwrap());
    let other = Header { seed: 6, ..header(&how) };
    drop(Writer::open(&path, other.clone()).unwrap());
    let found = DataFile::read(&path).unwrap();
    assert_eq!((found.header(), found.len()), (&other, 0));
}

#[test]
fn labels_of_other_states_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (path, how, _) = small(&folder, 2);
    let bytes = fs::read(&path).unwrap();
    let from = frame_starts(&bytes)[0];
    let header = |states: &[&str]| {
        let states = states.iter().map(|&state| state.to_owned()).collect();
        let of = Unlabelled::of_states(how.game, "in.txt".into(), states);
        Header { arguments: of.arguments(), ..header(&how) }
    };
    let bare = header(&["one", "two"]);
    let mut old = bare.clone();
    assert!(old.arguments.remove("of_digest").is_some());
    // A header, with the games of a file behind it.
    let begin = |begun: &Header| {
        fs::remove_file(&path).unwrap();
        drop(Writer::open(&path, begun.clone()).unwrap());
        let mut whole = fs::read(&path).unwrap();
        whole.extend_from_slice(&bytes[from..]);
        fs::write(&path, whole).unwrap();
    };
    begin(&bare);
    drop(Writer::open(&path, bare.clone()).unwrap());
    for states in [["two", "one"], ["onet", "wo"]] {
        let error = Writer::open(&path, header(&states)).unwrap_err();
        assert!(matches!(error, DataError::OtherInput { .. }), "{error}");
        assert!(error.to_string().contains("in in.txt, which has changed since"), "{error}");
    }
    // Files of before have no digest.
    begin(&old);
    drop(Writer::open(&path, bare).unwrap());
    assert_eq!(DataFile::read(&path).unwrap().header(), &old);
}

/// A player whose values are told wrongly.
struct Flipped {
    player: Box<dyn Player<AnyState>>,
    /// For which sides to move.
    sides: Arc<Vec<Side>>,
}

impl Player<AnyState> for Flipped {
    fn begin(&mut self, state: &AnyState) {
        self.player.begin(state);
    }
    fn jump(&mut self, state: &AnyState) {
        self.player.jump(state);
    }
    fn play(&mut self, mv: AnyStep) {
        self.player.play(mv);
    }
    fn settle(&mut self, event: AnyStep) {
        self.player.settle(event);
    }
    fn think(
        &mut self,
        limit: &Limit<AnyStep>,
        control: Control<'_, AnyState>,
    ) -> Report<AnyState> {
        let mut report = self.player.think(limit, control);
        if self.sides.contains(&self.player.state().turn()) {
            report.mean = -report.mean;
        }
        report
    }
    fn state(&self) -> &AnyState {
        self.player.state()
    }
}

#[test]
fn a_player_that_tells_values_for_the_wrong_side_is_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let how = SelfPlay {
        // Wins are what tells; games that nobody wins say nothing.
        adjudication: Adjudication { length: Some(300), ..Adjudication::default() },
        openings: Openings { plies: 12..=16, starts: Vec::new() },
        drawn_plies: 0,
        keeps_shares: false,
        ..how("chess", 30)
    };
    let spec = Spec::read(how.game, "ab:memory=64KiB").unwrap();
    let honest = &players_of(&spec);
    let cases = [
        ("honest", vec![], true),
        ("both", vec![Side::First, Side::Second], false),
        ("one", vec![Side::Second], false),
    ];
    for (name, sides, is_sound) in cases {
        let sides = Arc::new(sides);
        let player = |seed, state: &AnyState| {
            let player = honest(seed, state);
            Box::new(Flipped { player, sides: sides.clone() }) as Box<dyn Player<AnyState>>
        };
        let run = Run { how: &how, player: &player, amount: Amount::Games(200), threads: 2 };
        let path = file(&folder, name);
        let result = run.fill(&path);
        assert_eq!(result.is_ok(), is_sound, "{name}: {result:?}");
        if let Err(error) = result {
            assert!(matches!(error, DataError::Perspective { .. }), "{error}");
            assert!(DataFile::read(&path).unwrap().len() < 200, "it stops at once");
            assert!(matches!(run.fill(&path), Err(DataError::Perspective { .. })), "and stays so");
        }
    }
}

#[test]
fn a_file_that_is_made_to_take_for_ever_is_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let (path, ..) = small(&folder, 3);
    let mut bytes = fs::read(&path).unwrap();
    let whole = bytes.len();
    // Every few bytes something that looks like a game of four megabytes: a terabyte in all.
    const CLAIMED: u32 = 4 << 20;
    for number in 0..600_000_u32 {
        bytes.extend([0xd5, 0x4d]);
        bytes.extend(number.to_le_bytes());
        bytes.extend(CLAIMED.to_le_bytes());
        bytes.extend([0; 4]);
    }
    fs::write(&path, &bytes).unwrap();
    let file = DataFile::read(&path).unwrap();
    assert_eq!(file.len(), 3);
    let [damage] = file.damage() else { panic!("{:?}", file.damage()) };
    assert_eq!((damage.from, damage.to, damage.is_end), (whole, bytes.len(), true));
}
