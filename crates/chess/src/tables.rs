//! Tables of the empty board and of slider attacks, all computed at compile time.

/// Where a knight goes from each square.
pub(crate) static KNIGHT: [u64; 64] =
    leaps([(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);

/// Where a king goes from each square.
pub(crate) static KING: [u64; 64] =
    leaps([(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]);

/// What a pawn of each colour attacks from each square.
pub(crate) static PAWN: [[u64; 64]; 2] = [leaps([(1, 1), (-1, 1)]), leaps([(1, -1), (-1, -1)])];

/// The squares strictly between two squares on one line, else none.
pub(crate) static BETWEEN: [[u64; 64]; 64] = pairs(Span::Between);

/// The whole line, from edge to edge, through two different squares on one line, else none.
pub(crate) static LINE: [[u64; 64]; 64] = pairs(Span::Line);

/// The squares of the file, diagonal and antidiagonal through each square, without the square.
pub(crate) static FILES: [u64; 64] = lines((0, 1));
pub(crate) static DIAGONALS: [u64; 64] = lines((1, 1));
pub(crate) static ANTIDIAGONALS: [u64; 64] = lines((1, -1));

/// Where a rook goes on the empty board.
pub(crate) static ROOK: [u64; 64] = unions(&FILES, &lines((1, 0)));

/// Where a bishop goes on the empty board.
pub(crate) static BISHOP: [u64; 64] = unions(&DIAGONALS, &ANTIDIAGONALS);

/// The attacks along a rank: the byte of occupied squares of the rank without its two edges, shifted
/// right by one, then the file of the slider.
pub(crate) static RANK_ATTACKS: [[u8; 8]; 64] = rank_attacks();

/// What the attack of a slider on one square depends on, and where its attacks are stored.
pub(crate) struct Slider {
    /// The squares whose occupation matters: the lines without their last squares.
    pub(crate) mask: u64,
    /// Where the attacks for this square start in [`SLIDER_ATTACKS`].
    pub(crate) offset: u32,
}

/// Over all squares, how many occupations a rook's and a bishop's attacks depend on.
const ROOK_OCCUPATIONS: usize = 102_400;
const BISHOP_OCCUPATIONS: usize = 5_248;

const ROOK_STEPS: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const BISHOP_STEPS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

pub(crate) static ROOK_SLIDERS: [Slider; 64] = sliders(ROOK_STEPS, 0);
pub(crate) static BISHOP_SLIDERS: [Slider; 64] = sliders(BISHOP_STEPS, ROOK_OCCUPATIONS as u32);

/// The attacks of rooks and then bishops: for each square one entry per subset of its mask, in the
/// order in which PEXT numbers the subsets.
pub(crate) static SLIDER_ATTACKS: [u64; ROOK_OCCUPATIONS + BISHOP_OCCUPATIONS] = slider_attacks();

/// The square so many files and ranks away, if it is on the board.
const fn step(square: usize, by: (i8, i8)) -> Option<usize> {
    let file = (square % 8) as i8 + by.0;
    let rank = (square / 8) as i8 + by.1;
    if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
        Some((rank * 8 + file) as usize)
    } else {
        None
    }
}

const fn leaps<const N: usize>(steps: [(i8, i8); N]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < N {
            if let Some(to) = step(square, steps[i]) {
                table[square] |= 1 << to;
            }
            i += 1;
        }
        square += 1;
    }
    table
}

/// The squares from one square in a direction, up to and including the first occupied one.
const fn ray(square: usize, by: (i8, i8), occupied: u64) -> u64 {
    let mut set = 0;
    let mut here = square;
    while let Some(to) = step(here, by) {
        set |= 1 << to;
        if occupied >> to & 1 != 0 {
            break;
        }
        here = to;
    }
    set
}

const fn lines(by: (i8, i8)) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = ray(square, by, 0) | ray(square, (-by.0, -by.1), 0);
        square += 1;
    }
    table
}

const fn unions(a: &[u64; 64], b: &[u64; 64]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = a[square] | b[square];
        square += 1;
    }
    table
}

#[derive(Clone, Copy)]
enum Span {
    Between,
    Line,
}

const fn pairs(span: Span) -> [[u64; 64]; 64] {
    let steps = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
    let mut table = [[0; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut i = 0;
        while i < 8 {
            let mut between = 0;
            let line = 1 << a | ray(a, steps[i], 0) | ray(a, (-steps[i].0, -steps[i].1), 0);
            let mut here = a;
            while let Some(b) = step(here, steps[i]) {
                table[a][b] = match span {
                    Span::Between => between,
                    Span::Line => line,
                };
                between |= 1 << b;
                here = b;
            }
            i += 1;
        }
        a += 1;
    }
    table
}

const fn rank_attacks() -> [[u8; 8]; 64] {
    let mut table = [[0; 8]; 64];
    let mut occupied = 0;
    while occupied < 64 {
        let mut file = 0;
        while file < 8 {
            let row = (occupied as u64) << 1;
            table[occupied][file] = (ray(file, (1, 0), row) | ray(file, (-1, 0), row)) as u8;
            file += 1;
        }
        occupied += 1;
    }
    table
}

const fn sliders(steps: [(i8, i8); 4], mut offset: u32) -> [Slider; 64] {
    let mut table = [const { Slider { mask: 0, offset: 0 } }; 64];
    let mut square = 0;
    while square < 64 {
        let mut mask = 0;
        let mut i = 0;
        while i < 4 {
            let mut here = square;
            while let Some(to) = step(here, steps[i]) {
                if step(to, steps[i]).is_some() {
                    mask |= 1 << to;
                }
                here = to;
            }
            i += 1;
        }
        table[square] = Slider { mask, offset };
        offset += 1 << mask.count_ones();
        square += 1;
    }
    table
}

#[allow(long_running_const_eval)] // A hundred thousand entries take a second, once per build.
const fn slider_attacks() -> [u64; ROOK_OCCUPATIONS + BISHOP_OCCUPATIONS] {
    let mut table = [0; ROOK_OCCUPATIONS + BISHOP_OCCUPATIONS];
    let mut square = 0;
    while square < 64 {
        fill(&mut table, &ROOK_SLIDERS[square], square, ROOK_STEPS);
        fill(&mut table, &BISHOP_SLIDERS[square], square, BISHOP_STEPS);
        square += 1;
    }
    table
}

const fn fill(table: &mut [u64], slider: &Slider, square: usize, steps: [(i8, i8); 4]) {
    // Subtracting the mask and masking steps through its subsets in PEXT's order.
    let mut subset = 0u64;
    let mut index = slider.offset as usize;
    loop {
        table[index] = ray(square, steps[0], subset)
            | ray(square, steps[1], subset)
            | ray(square, steps[2], subset)
            | ray(square, steps[3], subset);
        index += 1;
        subset = subset.wrapping_sub(slider.mask) & slider.mask;
        if subset == 0 {
            break;
        }
    }
}
