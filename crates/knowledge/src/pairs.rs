//! Numbers for the pairs of squares between which pieces go, for the outputs of networks.

/// Which pairs have a number.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Between {
    /// Squares on a rank or file.
    Straight,
    /// Those and squares on a diagonal.
    Lines,
    /// Those and squares that a knight goes between.
    LinesAndKnights,
}

/// Pairs of squares by their numbers, counted by the first square, then the second; 0 for the
/// others.
pub(crate) struct Pairs<const SQUARES: usize> {
    pub(crate) numbers: [[u16; SQUARES]; SQUARES],
    pub(crate) count: usize,
}

impl<const SQUARES: usize> Pairs<SQUARES> {
    /// Those of a board with so many files.
    pub(crate) const fn new(files: usize, between: Between) -> Self {
        let mut numbers = [[0; SQUARES]; SQUARES];
        let (mut count, mut from) = (0, 0);
        while from < SQUARES {
            let mut to = 0;
            while to < SQUARES {
                let across = (from % files).abs_diff(to % files);
                let along = (from / files).abs_diff(to / files);
                let has_number = match between {
                    Between::Straight => across == 0 || along == 0,
                    Between::Lines => across == 0 || along == 0 || across == along,
                    Between::LinesAndKnights => {
                        across == 0 || along == 0 || across == along || across + along == 3
                    }
                };
                if from != to && has_number {
                    numbers[from][to] = count as u16;
                    count += 1;
                }
                to += 1;
            }
            from += 1;
        }
        Pairs { numbers, count }
    }
}
