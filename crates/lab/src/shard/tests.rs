use super::*;
use crate::contest::{Contest, ContestPlan, Format, Meeting, Openings};
use crate::pace::Pace;
use crate::testing::game;
use std::collections::{BTreeMap, HashSet};

fn contest(players: usize, games: u64) -> Contest {
    contest_of(players, games, Format::RoundRobin)
}

fn contest_of(players: usize, games: u64, format: Format) -> Contest {
    let player = |number| Contestant::spec("uct", Pace::Iterations(1 + number as u64));
    let plan = ContestPlan {
        game: game("tic-tac-toe"),
        contestants: (0..players).map(player).collect(),
        format,
        games,
        openings: Openings::Random { plies: 1, balance: None },
        seed: 3,
        adjudication: Default::default(),
        test: None,
        equal_time: None,
        build: "test".to_owned(),
    };
    Contest::new(plan).unwrap()
}

fn shards(count: u32) -> impl Iterator<Item = Shard> {
    (1..=count).map(move |number| Shard::new(number, count).unwrap())
}

#[test]
fn shards_are_all_games_once_and_differ_by_a_pair() {
    let equal = [(2, 40, 3), (2, 7, 4), (4, 10, 3), (4, 10, 7), (2, 4, 5)];
    let equal = equal.map(|(players, games, count)| (contest(players, games), count));
    // Those with few games are over while others go on, some with a single game at their end.
    let listed = [((0, 1), Some(31)), ((1, 2), Some(3)), ((3, 0), None)];
    let listed = listed.map(|(players, games)| Meeting { players, games });
    let listed = contest_of(4, 10, Format::Meetings(listed.to_vec()));
    for (contest, count) in equal.into_iter().chain([(listed, 3)]) {
        let whole: Vec<Key> = contest.tasks().map(|task| task.key()).collect();
        let mut found = HashSet::new();
        let mut sizes = Vec::new();
        for shard in shards(count) {
            let own: Vec<_> = shard.games(contest.tasks()).collect();
            for (index, task) in &own {
                assert_eq!(whole[*index as usize], task.key(), "games keep their numbers");
                assert!(found.insert(task.key()), "no game twice");
            }
            sizes.push(own.len());
        }
        assert_eq!(found.len(), whole.len());
        let (least, most) = (sizes.iter().min().unwrap(), sizes.iter().max().unwrap());
        assert!(most - least <= 2, "{sizes:?}");
    }
}

#[test]
fn both_games_of_a_pair_are_in_one_shard() {
    let contest = contest(4, 10);
    for shard in shards(3) {
        let mut pairs: BTreeMap<_, u32> = BTreeMap::new();
        for (_, task) in shard.games(contest.tasks()) {
            let mut names = [task.first.name.clone(), task.second.name.clone()];
            names.sort();
            *pairs.entry((task.pair, names)).or_default() += 1;
        }
        assert!(pairs.values().all(|&games| games == 2), "{pairs:?}");
    }
}

/// Six meetings come round and round; dealt by their number alone, three shards would have had two
/// of them each.
#[test]
fn every_meeting_comes_to_every_shard() {
    let contest = contest(4, 40);
    for shard in shards(3) {
        let own = shard.games(contest.tasks());
        let meetings: HashSet<_> =
            own.map(|(_, task)| (task.first.name.clone(), task.second.name.clone())).collect();
        assert_eq!(meetings.len(), 12, "six meetings, each with both sides: {meetings:?}");
    }
}

#[test]
fn other_words_are_no_shard() {
    assert_eq!("2/4".parse(), Ok(Shard::new(2, 4).unwrap()));
    assert_eq!(
        Shard::new(10_000, 10_000).unwrap().to_string().parse(),
        Shard::new(10_000, 10_000).ok_or(ShardError(String::new()))
    );
    for text in
        ["0/4", "5/4", "1/10001", "1/0", "/4", "4/", "4", "", "+1/4", "1/ 4", "1/4/4", "-1/4"]
    {
        let error = text.parse::<Shard>().unwrap_err().to_string();
        let sentence = format!("'{text}' is no shard; accepted is I/N, the I-th of N equal parts");
        assert!(error.starts_with(&sentence), "{error}");
    }
}
