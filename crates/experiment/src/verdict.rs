//! The rule by which our measurement is compared with a paper's number.

use monteverde_report::{Interval, Verdict};

/// What our interval says about a paper's number.
///
/// The paper's number stands for the interval that it states, or for a point if it states none.
/// Then:
///
/// 1. **differs** if the two intervals have no point in common;
/// 2. **agrees** if they have one and ours is narrow enough: half its width is at most
///    `resolution`;
/// 3. **undecided** otherwise, and wherever there is no measurement.
///
/// Two 95% intervals of equal width are disjoint only if the values are 2.8 standard errors of
/// their difference apart, so that two measurements of the same thing are called different once in
/// about 180 times.
pub fn verdict(paper: Interval, ours: Interval, resolution: f64) -> Verdict {
    let Some(value) = paper.value else { return Verdict::Undecided };
    let (low, high) = (paper.low.unwrap_or(value), paper.high.unwrap_or(value));
    if ours.low.is_some_and(|ours| ours > high) || ours.high.is_some_and(|ours| ours < low) {
        return Verdict::Differs;
    }
    match (ours.low, ours.high) {
        (Some(low), Some(high)) if (high - low) / 2.0 <= resolution => Verdict::Agrees,
        _ => Verdict::Undecided,
    }
}

/// The verdict on several numbers: one that differs makes all differ, one that is undecided leaves
/// all undecided. Nothing at all is undecided.
pub fn together(verdicts: impl IntoIterator<Item = Verdict>) -> Verdict {
    let mut all = None;
    for verdict in verdicts {
        all = Some(match (all, verdict) {
            (Some(Verdict::Differs), _) | (_, Verdict::Differs) => Verdict::Differs,
            (Some(Verdict::Undecided), _) | (_, Verdict::Undecided) => Verdict::Undecided,
            _ => Verdict::Agrees,
        });
    }
    all.unwrap_or(Verdict::Undecided)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule() {
        let paper = Interval::around(50.0, 2.0);
        for (ours, resolution, expected) in [
            (Interval::around(51.0, 1.0), 2.0, Verdict::Agrees),
            (Interval::around(53.0, 1.0), 2.0, Verdict::Agrees),
            (Interval::around(53.1, 1.0), 2.0, Verdict::Differs),
            (Interval::around(46.9, 1.0), 2.0, Verdict::Differs),
            (Interval::around(51.0, 3.0), 2.0, Verdict::Undecided),
            (Interval::around(90.0, 30.0), 2.0, Verdict::Differs),
            (Interval::exact(50.0), 2.0, Verdict::Undecided),
            (Interval::default(), 2.0, Verdict::Undecided),
            (Interval { low: Some(60.0), ..Interval::default() }, 2.0, Verdict::Differs),
            (Interval { low: Some(40.0), ..Interval::default() }, 2.0, Verdict::Undecided),
            (Interval { high: Some(40.0), ..Interval::default() }, 2.0, Verdict::Differs),
        ] {
            assert_eq!(verdict(paper, ours, resolution), expected, "{ours:?}");
        }
        let point = Interval::exact(50.0);
        assert_eq!(verdict(point, Interval::around(51.0, 1.0), 1.0), Verdict::Agrees);
        assert_eq!(verdict(point, Interval::around(51.1, 1.0), 1.0), Verdict::Differs);
        assert_eq!(verdict(Interval::default(), point, 1.0), Verdict::Undecided);
    }

    #[test]
    fn one_that_differs_decides() {
        use Verdict::{Agrees, Differs, Undecided};
        assert_eq!(together([Agrees, Agrees]), Agrees);
        assert_eq!(together([Agrees, Undecided]), Undecided);
        assert_eq!(together([Undecided, Differs, Agrees]), Differs);
        assert_eq!(together([]), Undecided);
    }
}
