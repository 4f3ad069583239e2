//! Formats in which who meets whom follows from what was played before: knockout and Swiss.
//!
//! Nothing but the results decides, so that a tournament that goes on with its store, or is held
//! again, has the same rounds.

use crate::standings::Standings;
use monteverde_statistics::Wdl;

/// A meeting that knockouts cannot decide is given so many further pairs of games; if they are all
/// level, the player goes on that the list of players names first.
pub(crate) const MOST_EXTRA_PAIRS: u64 = 8;

/// How rounds are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pairing {
    /// Who loses a meeting is out. Of those who are in, the first on the list meets the last, and
    /// so on; where they are no power of two, the first ones have no meeting in the first
    /// round.
    Knockout,
    /// Players with equally many points meet, nobody the same one twice. One of an odd number has a
    /// bye, once, which counts as all games won.
    Swiss {
        /// So many rounds.
        rounds: u32,
    },
}

/// A round of a tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Round {
    /// Who meets whom, by number.
    pub meetings: Vec<(usize, usize)>,
    /// Who goes on without a meeting.
    pub byes: Vec<usize>,
}

/// Makes one round after the other.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    pairing: Pairing,
    players: usize,
    /// The points of a bye, doubled.
    bye: u64,
    /// What was played.
    rounds: Vec<Round>,
    /// Who is still in, in the order of the list.
    left: Vec<usize>,
}

impl Schedule {
    /// Nothing is played yet; a meeting has so many games.
    pub(crate) fn new(pairing: Pairing, players: usize, games: u64) -> Schedule {
        let left = (0..players).collect();
        Schedule { pairing, players, bye: games.saturating_mul(2), rounds: Vec::new(), left }
    }

    /// The next round, by what was played in those before; `None` where there is no other.
    pub(crate) fn next(&mut self, standings: &Standings) -> Option<Round> {
        let round = match self.pairing {
            Pairing::Knockout => {
                if let Some(last) = self.rounds.last() {
                    let out: Vec<usize> = last
                        .meetings
                        .iter()
                        .map(|&(one, two)| if goes_on(standings, one, two) { two } else { one })
                        .collect();
                    self.left.retain(|player| !out.contains(player));
                }
                knockout(&self.left)
            }
            Pairing::Swiss { rounds } if self.rounds.len() >= rounds as usize => None,
            Pairing::Swiss { .. } => self.swiss(standings),
        }?;
        self.rounds.push(round.clone());
        Some(round)
    }

    /// The meetings of the last round that must be decided and are not.
    pub(crate) fn undecided(&self, standings: &Standings) -> Vec<(usize, usize)> {
        let level = |&&(one, two): &&(usize, usize)| {
            let Wdl { wins, losses, .. } = standings.between(one, two);
            wins == losses
        };
        match (self.pairing, self.rounds.last()) {
            (Pairing::Knockout, Some(last)) => {
                last.meetings.iter().filter(level).copied().collect()
            }
            _ => Vec::new(),
        }
    }

    fn swiss(&self, standings: &Standings) -> Option<Round> {
        let had_bye = |player: usize| {
            self.rounds.iter().filter(|it| it.byes.contains(&player)).count() as u64
        };
        let points = |player: usize| {
            let Wdl { wins, draws, .. } = standings.total(player);
            2 * wins + draws + self.bye * had_bye(player)
        };
        let mut ranked: Vec<usize> = (0..self.players).collect();
        ranked.sort_by_key(|&player| (std::cmp::Reverse(points(player)), player));
        let mut byes = Vec::new();
        if !ranked.len().is_multiple_of(2) {
            let last = ranked.iter().rposition(|&player| had_bye(player) == 0)?;
            byes.push(ranked.remove(last));
        }
        let groups: Vec<u64> = ranked.iter().map(|&player| points(player)).collect();
        let have_met = |one: usize, two: usize| {
            let is_it = |&(a, b): &(usize, usize)| (a, b) == (one, two) || (b, a) == (one, two);
            self.rounds.iter().any(|round| round.meetings.iter().any(is_it))
        };
        let mut steps = MOST_STEPS;
        let meetings = pair(&ranked, &groups, &have_met, &mut steps)?;
        Some(Round { meetings, byes })
    }
}

/// Pairings are given up after so many tries; every tournament that people hold takes far fewer.
const MOST_STEPS: u32 = 1_000_000;

/// Whether the first of two who met in a knockout goes on.
fn goes_on(standings: &Standings, one: usize, two: usize) -> bool {
    let Wdl { wins, losses, .. } = standings.between(one, two);
    // The earlier on the list if nothing decides.
    if wins == losses { one < two } else { wins > losses }
}

fn knockout(left: &[usize]) -> Option<Round> {
    if left.len() < 2 {
        return None;
    }
    let byes = left.len().next_power_of_two() - left.len();
    let (byes, playing) = left.split_at(byes);
    let half = playing.len() / 2;
    let meetings = (0..half).map(|it| (playing[it], playing[playing.len() - 1 - it])).collect();
    Some(Round { meetings, byes: byes.to_vec() })
}

/// Pairs players, the best first, each with one of its group if that can be: the best of the upper
/// half with the best of the lower half.
fn pair(
    ranked: &[usize],
    groups: &[u64],
    have_met: &dyn Fn(usize, usize) -> bool,
    steps: &mut u32,
) -> Option<Vec<(usize, usize)>> {
    let Some((&one, others)) = ranked.split_first() else { return Some(Vec::new()) };
    let size = groups.iter().take_while(|&&points| points == groups[0]).count();
    let middle = (size / 2).max(1) - 1;
    // From the middle of the group on, then its beginning, then those below.
    let group = size - 1;
    let order = (middle..group).chain(0..middle.min(group)).chain(group..others.len());
    for index in order {
        *steps = steps.checked_sub(1)?;
        if have_met(one, others[index]) {
            continue;
        }
        let without = |list: &[usize]| [&list[..index], &list[index + 1..]].concat();
        let rest_groups = [&groups[1..=index], &groups[index + 2..]].concat();
        if let Some(mut rest) = pair(&without(others), &rest_groups, have_met, steps) {
            rest.insert(0, (one, others[index]));
            return Some(rest);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{GameResult, Reason};
    use crate::standings::Counted;
    use std::collections::HashSet;

    fn standings(players: usize) -> Standings {
        Standings::new((0..players).map(|player| player.to_string()).collect())
    }

    /// The stronger wins, who is the one with the smaller strength number.
    fn play(standings: &mut Standings, round: &Round, strength: &[usize], pair: u64) {
        for &(one, two) in &round.meetings {
            let result =
                if strength[one] < strength[two] { GameResult::First } else { GameResult::Second };
            let reason = &Reason::Rule("checkmate".into());
            let counted = Counted { first: one, second: two, pair, result, reason, digest: None };
            standings.count(&counted);
        }
    }

    #[test]
    fn a_knockout_ends_with_the_strongest() {
        for players in 2..=17 {
            let mut standings = standings(players);
            let mut schedule = Schedule::new(Pairing::Knockout, players, 2);
            let strength: Vec<usize> = (0..players).rev().collect();
            let mut meetings = 0;
            while let Some(round) = schedule.next(&standings) {
                meetings += round.meetings.len();
                play(&mut standings, &round, &strength, schedule.rounds.len() as u64);
                assert_eq!(schedule.undecided(&standings), []);
            }
            assert_eq!(meetings, players - 1);
            assert_eq!(schedule.left, [players - 1], "of {players}");
            let rounds = players.next_power_of_two().trailing_zeros() as usize;
            assert_eq!(schedule.rounds.len(), rounds);
        }
    }

    #[test]
    fn a_level_knockout_is_undecided_and_the_first_on_the_list_goes_on() {
        let standings = standings(2);
        let mut schedule = Schedule::new(Pairing::Knockout, 2, 2);
        assert_eq!(schedule.next(&standings).unwrap().meetings, [(0, 1)]);
        assert_eq!(schedule.undecided(&standings), [(0, 1)]);
        assert_eq!(schedule.next(&standings), None);
        assert_eq!(schedule.left, [0]);
    }

    #[test]
    fn nobody_meets_the_same_one_twice_in_a_swiss() {
        for players in 2..=12 {
            for rounds in 1..players as u32 {
                let mut standings = standings(players);
                let mut schedule = Schedule::new(Pairing::Swiss { rounds }, players, 1);
                let strength: Vec<usize> = (0..players).map(|it| it * 7 % players).collect();
                let mut met = HashSet::new();
                let mut byes = HashSet::new();
                while let Some(round) = schedule.next(&standings) {
                    assert_eq!(round.meetings.len(), players / 2);
                    for &(one, two) in &round.meetings {
                        assert!(met.insert((one.min(two), one.max(two))), "{players} players");
                    }
                    assert!(round.byes.iter().all(|&player| byes.insert(player)));
                    play(&mut standings, &round, &strength, schedule.rounds.len() as u64);
                }
                let held = schedule.rounds.len();
                assert!(held <= rounds as usize && held >= (rounds as usize).min(players / 2));
            }
        }
    }

    #[test]
    fn equals_meet_in_a_swiss() {
        let mut standings = standings(8);
        let strength: Vec<usize> = (0..8).collect();
        let mut schedule = Schedule::new(Pairing::Swiss { rounds: 3 }, 8, 1);
        let first = schedule.next(&standings).unwrap();
        assert_eq!(first.meetings, [(0, 4), (1, 5), (2, 6), (3, 7)]);
        play(&mut standings, &first, &strength, 1);
        let second = schedule.next(&standings).unwrap();
        assert_eq!(second.meetings, [(0, 2), (1, 3), (4, 6), (5, 7)]);
        play(&mut standings, &second, &strength, 2);
        assert_eq!(schedule.next(&standings).unwrap().meetings[0], (0, 1));
        assert_eq!(schedule.next(&standings), None);
    }
}
