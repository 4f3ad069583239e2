//! Progressive bias: knowledge of a move counts in the selection, the less the better the move is
//! known by its own statistics.
//!
//! Chaslot, Winands, van den Herik, Uiterwijk and Bouzy, *Progressive Strategies for Monte-Carlo
//! Tree Search* (2008); *Monte Carlo Chess* (2012), formula 4; *Monte-Carlo Tree Search Solver*
//! (2008), formula 1; the study of Chinese dark chess, formula 10, for the counts.

use crate::reward;

/// Adds `weight * H / count` to the bound of an edge, where H is
/// [`Knowledge::prior`](monteverde_game::Knowledge::prior) of its move. It is asked for once, when
/// the edge is tried, and 0 where nothing is known.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bias {
    /// How much knowledge counts.
    pub weight: f64,
    /// What lets it fade.
    pub count: Count,
}

/// What progressive bias is divided by. The losses of an edge, for the side that plays it, are its
/// lost visits and half the drawn ones, as the study of Chinese dark chess counts them; they follow
/// exactly from the total where rewards are those of outcomes. With [`crate::quality`] they are
/// not, and a total of outcomes is kept beside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// `n`, the visits (*Monte Carlo Chess*).
    Visits,
    /// `n + 1` (*Monte-Carlo Tree Search Solver*).
    VisitsPlusOne,
    /// `sqrt n`.
    RootVisits,
    /// `ln(n + 1)`.
    LogVisits,
    /// `l`, the losses.
    Losses,
    /// `sqrt(l + 1)` (*Evaluation Function Based Monte-Carlo LOA*).
    RootLossesPlusOne,
    /// `sqrt l`.
    RootLosses,
    /// `ln(l + 1)`.
    LogLosses,
}

/// The papers divide by the losses and do not say by what where there are none. Half a loss, that
/// is one draw, is the least that can be counted.
const LEAST_LOSSES: f64 = 0.5;

impl Bias {
    /// What is added to the bound of an edge with that prior, total and visits, which are at least
    /// 1.
    #[inline(always)]
    pub(crate) fn term(self, prior: f32, total: i64, visits: u32) -> f64 {
        self.weight * f64::from(prior) / self.count.of(total, visits)
    }

    /// What is added for an edge without visits: the least count of the papers' formulas that have
    /// one, which is 1, stands for all.
    #[inline(always)]
    pub(crate) fn first_term(self, prior: f32) -> f64 {
        self.weight * f64::from(prior)
    }
}

impl Count {
    /// Whether losses are counted.
    pub(crate) fn is_of_losses(self) -> bool {
        match self {
            Count::Visits | Count::VisitsPlusOne | Count::RootVisits | Count::LogVisits => false,
            Count::Losses | Count::RootLossesPlusOne | Count::RootLosses | Count::LogLosses => true,
        }
    }

    #[inline(always)]
    fn of(self, total: i64, visits: u32) -> f64 {
        let n = f64::from(visits);
        let losses = || n * (1.0 - reward::mean(total, visits)) / 2.0;
        let some_losses = || losses().max(LEAST_LOSSES);
        match self {
            Count::Visits => n,
            Count::VisitsPlusOne => n + 1.0,
            Count::RootVisits => n.sqrt(),
            Count::LogVisits => libm::log(n + 1.0),
            Count::Losses => some_losses(),
            Count::RootLossesPlusOne => (losses().max(0.0) + 1.0).sqrt(),
            Count::RootLosses => some_losses().sqrt(),
            Count::LogLosses => libm::log(some_losses() + 1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reward::ONE;

    #[test]
    fn every_count_is_the_one_of_its_formula() {
        // Eight visits: three won, two drawn, three lost, so that l is 4.
        let count = |count: Count| count.of(0, 8);
        assert_eq!(count(Count::Visits), 8.0);
        assert_eq!(count(Count::VisitsPlusOne), 9.0);
        assert_eq!(count(Count::RootVisits), 8f64.sqrt());
        assert!((count(Count::LogVisits) - 9f64.ln()).abs() < 1e-15);
        assert_eq!(count(Count::Losses), 4.0);
        assert_eq!(count(Count::RootLossesPlusOne), 5f64.sqrt());
        assert_eq!(count(Count::RootLosses), 2.0);
        assert!((count(Count::LogLosses) - 5f64.ln()).abs() < 1e-15);
        // One visit, drawn, is half a loss; four won are none.
        assert_eq!(Count::Losses.of(0, 1), 0.5);
        assert_eq!(Count::Losses.of(4 * ONE, 4), LEAST_LOSSES);
        assert_eq!(Count::RootLossesPlusOne.of(4 * ONE, 4), 1.0);
        let bias = Bias { weight: 0.001, count: Count::Visits };
        assert_eq!(bias.term(-50.0, 0, 5), 0.001 * -50.0 / 5.0);
    }
}
