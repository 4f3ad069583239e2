//! The rule by which our measurement is compared with a paper's number.

use monteverde_report::{Interval, Verdict};

/// What our interval says about a paper's number.
///
/// The paper's number stands for the interval that it states, or for all numbers that round to it
/// if it states none. Then:
///
/// 1. **not counted** if either interval holds the whole `scale`: that could not have come out
///    otherwise;
/// 2. **differs** if the two intervals have no point in common;
/// 3. **agrees** if they have one and ours is narrow enough: half its width is at most
///    `resolution`;
/// 4. **undecided** otherwise, and wherever there is no measurement.
///
/// A paper may only say that something is more, or less, than a number. Ours agrees with that where
/// all of its interval is on that side.
///
/// Two 95% intervals of equal width are disjoint only if the values are 2.8 standard errors of
/// their difference apart, so that two measurements of the same thing are called different once in
/// about 180 times.
pub fn verdict(
    paper: Interval,
    ours: Interval,
    resolution: f64,
    scale: Option<[f64; 2]>,
) -> Verdict {
    let (low, high) = (paper.low.or(paper.value), paper.high.or(paper.value));
    if ours == Interval::default() || (low.is_none() && high.is_none()) {
        return Verdict::Undecided;
    }
    if scale.is_some_and(|scale| holds([low, high], scale) || holds([ours.low, ours.high], scale)) {
        return Verdict::NotCounted;
    }
    let is_above = |one: Option<f64>, two: Option<f64>| one.zip(two).is_some_and(|(a, b)| a > b);
    if is_above(ours.low, high) || is_above(low, ours.high) {
        return Verdict::Differs;
    }
    match (low, high, ours.low, ours.high) {
        (Some(_), Some(_), Some(low), Some(high)) if (high - low) / 2.0 <= resolution => {
            Verdict::Agrees
        }
        (Some(_), None, ours, _) if is_above(ours, low) => Verdict::Agrees,
        (None, Some(_), _, ours) if is_above(high, ours) => Verdict::Agrees,
        _ => Verdict::Undecided,
    }
}

/// Why such a number is not counted.
pub(crate) const TOO_WIDE: &str = "an interval as wide as the scale agrees with everything";

/// Whether an interval holds a whole scale.
fn holds([low, high]: [Option<f64>; 2], [first, last]: [f64; 2]) -> bool {
    low.is_some_and(|low| low <= first) && high.is_some_and(|high| high >= last)
}

/// The verdict on several numbers: one that differs makes all differ, one that is undecided leaves
/// all undecided. What is not counted has no say, unless there is nothing else. Nothing at all is
/// undecided.
pub fn together(verdicts: impl IntoIterator<Item = Verdict>) -> Verdict {
    let mut all = None;
    for verdict in verdicts {
        all = Some(match (all, verdict) {
            (None, verdict) => verdict,
            (Some(all), Verdict::NotCounted) => all,
            (Some(Verdict::NotCounted), verdict) => verdict,
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
            assert_eq!(verdict(paper, ours, resolution, None), expected, "{ours:?}");
        }
        let point = Interval::exact(50.0);
        assert_eq!(verdict(point, Interval::around(51.0, 1.0), 1.0, None), Verdict::Agrees);
        assert_eq!(verdict(point, Interval::around(51.1, 1.0), 1.0, None), Verdict::Differs);
        assert_eq!(verdict(Interval::default(), point, 1.0, None), Verdict::Undecided);
    }

    /// Two numbers that could not differ used to be counted among those that agree.
    #[test]
    fn an_interval_as_wide_as_the_scale_is_not_counted() {
        let (percent, wide) = (Some([0.0, 100.0]), Interval::around(50.0, 50.0));
        let narrow = Interval::around(20.0, 1.0);
        assert_eq!(verdict(wide, narrow, 2.0, percent), Verdict::NotCounted);
        assert_eq!(verdict(narrow, wide, 60.0, percent), Verdict::NotCounted);
        assert_eq!(verdict(wide, narrow, 2.0, Some([-100.0, 100.0])), Verdict::Agrees);
        assert_eq!(verdict(wide, Interval::default(), 2.0, percent), Verdict::Undecided);
    }

    #[test]
    fn a_direction_is_met_by_a_whole_interval() {
        let more = Interval { low: Some(0.0), ..Interval::default() };
        let less = Interval { high: Some(0.0), ..Interval::default() };
        for (ours, of_more, of_less) in [
            (Interval::around(5.0, 4.0), Verdict::Agrees, Verdict::Differs),
            (Interval::around(-5.0, 4.0), Verdict::Differs, Verdict::Agrees),
            (Interval::around(1.0, 4.0), Verdict::Undecided, Verdict::Undecided),
            (Interval::default(), Verdict::Undecided, Verdict::Undecided),
        ] {
            assert_eq!(verdict(more, ours, 0.1, None), of_more, "{ours:?}");
            assert_eq!(verdict(less, ours, 0.1, None), of_less, "{ours:?}");
        }
    }

    #[test]
    fn one_that_differs_decides() {
        use Verdict::{Agrees, Differs, NotCounted, Undecided};
        assert_eq!(together([Agrees, Agrees]), Agrees);
        assert_eq!(together([Agrees, Undecided]), Undecided);
        assert_eq!(together([Undecided, Differs, Agrees]), Differs);
        assert_eq!(together([]), Undecided);
        assert_eq!(together([NotCounted, Agrees, NotCounted]), Agrees);
        assert_eq!(together([NotCounted]), NotCounted);
    }
}
