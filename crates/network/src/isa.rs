//! The inner loops of a network, compiled once for each instruction set and chosen at run time.
//! Whole numbers are added in the same way everywhere, so that the choice shows in nothing but
//! speed.

#![allow(unsafe_code)] // Calling functions compiled for instructions that this machine is known to
// have, and seeing blocks as their numbers.

use crate::layers::{FIRST_SCALE, WIDTH_STEP};
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

/// As many numbers as are dealt with at once, on the border of a cache line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(crate) struct Lanes(pub(crate) [i16; WIDTH_STEP]);

impl Lanes {
    pub(crate) const ZERO: Lanes = Lanes([0; WIDTH_STEP]);

    /// The numbers of blocks that lie side by side.
    #[inline(always)]
    pub(crate) fn numbers(blocks: &[Lanes]) -> &[i16] {
        // SAFETY: a block is its numbers, without anything between or behind them.
        unsafe { std::slice::from_raw_parts(blocks.as_ptr().cast(), blocks.len() * WIDTH_STEP) }
    }
}

/// As many weights that fit 8 bits: less memory to go through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(crate) struct NarrowLanes(pub(crate) [i8; WIDTH_STEP]);

impl NarrowLanes {
    /// The same as [`Lanes::numbers`].
    #[inline(always)]
    fn numbers(blocks: &[NarrowLanes]) -> &[i8] {
        // SAFETY: as there; 64 numbers of 8 bits fill the line that a block begins at.
        unsafe { std::slice::from_raw_parts(blocks.as_ptr().cast(), blocks.len() * WIDTH_STEP) }
    }
}

/// As many outputs as are folded at once.
pub(crate) const FOLD: usize = 16;

/// The weights of two neurons for so many outputs: both of the first output, both of the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(crate) struct PairLanes(pub(crate) [[i16; 2]; FOLD]);

/// A first layer.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    /// A row for each input, of as many blocks as there are neurons.
    pub(crate) wide: &'a [Lanes],
    /// The same in 8 bits, where they are enough.
    pub(crate) narrow: &'a [NarrowLanes],
    pub(crate) bias: &'a [Lanes],
}

/// An instruction set that the machine has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Isa(Kind);

/// The instruction sets, best first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Sse41,
    Plain,
}

impl Isa {
    /// Those of this machine, the best first. The last is what every machine has.
    pub fn available() -> Vec<Isa> {
        let mut kinds = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            let has_avx512 = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl");
            if has_avx512 {
                kinds.push(Kind::Avx512);
            }
            if is_x86_feature_detected!("avx2") {
                kinds.push(Kind::Avx2);
            }
            if is_x86_feature_detected!("sse4.1") {
                kinds.push(Kind::Sse41);
            }
        }
        kinds.push(Kind::Plain);
        kinds.into_iter().map(Isa).collect()
    }

    /// The best of this machine.
    pub fn best() -> Isa {
        Isa::available()[0]
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "avx512",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Kind::Sse41 => "sse4.1",
            Kind::Plain => "plain",
        }
    }

    /// Adds the rows of these inputs, first those whose rows are narrow, to the bias and clips what
    /// comes of it to 0..=[`FIRST_SCALE`].
    #[inline(always)]
    pub(crate) fn add_rows(self, rows: Rows<'_>, inputs: [&[u16]; 2], neurons: &mut [Lanes]) {
        match self.0 {
            // SAFETY: a kind is made only where its instructions were detected.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => unsafe { add_rows_avx512(rows, inputs, neurons) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => unsafe { add_rows_avx2(rows, inputs, neurons) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Kind::Sse41 => unsafe { add_rows_sse41(rows, inputs, neurons) },
            Kind::Plain => add_rows::<1>(rows, inputs, neurons),
        }
    }

    /// The sums over all neurons of their square times their weight, for each of these outputs.
    #[inline(always)]
    pub(crate) fn weigh(
        self,
        weights: &[NarrowLanes],
        neurons: &[Lanes],
        outputs: &[u16],
        sums: &mut [i32],
    ) {
        match self.0 {
            // SAFETY: a kind is made only where its instructions were detected.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => unsafe { weigh_avx512(weights, neurons, outputs, sums) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => unsafe { weigh_avx2(weights, neurons, outputs, sums) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Kind::Sse41 => unsafe { weigh_sse41(weights, neurons, outputs, sums) },
            Kind::Plain => weigh(weights, neurons, outputs, sums),
        }
    }

    /// The sums over all pairs of numbers times their weights, for all outputs of a fold. Nothing
    /// has to be added across lanes, which is worth it where every output is wanted.
    #[inline(always)]
    pub(crate) fn fold(self, weights: &[PairLanes], pairs: &[[i16; 2]]) -> [i32; FOLD] {
        match self.0 {
            // SAFETY: a kind is made only where its instructions were detected.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => unsafe { fold_avx512(weights, pairs) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => unsafe { fold_avx2(weights, pairs) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Kind::Sse41 => unsafe { fold_sse41(weights, pairs) },
            Kind::Plain => fold(weights, pairs),
        }
    }
}

fn fold(weights: &[PairLanes], pairs: &[[i16; 2]]) -> [i32; FOLD] {
    let mut sums = [0_i32; FOLD];
    for (row, pair) in weights.iter().zip(pairs) {
        for (sum, weights) in sums.iter_mut().zip(&row.0) {
            let products = pair.iter().zip(weights).map(|(&a, &b)| i32::from(a) * i32::from(b));
            *sum = sum.wrapping_add(products.sum());
        }
    }
    sums
}

/// The same by the instruction that multiplies pairs of 16 bits and adds them. Compilers do not
/// find it by themselves here.
macro_rules! fold_by {
    ($name:ident of $vector:ident for $features:literal:
        $zero:ident, $both:ident, $madd:ident, $add:ident) => {
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = $features)]
        fn $name(weights: &[PairLanes], pairs: &[[i16; 2]]) -> [i32; FOLD] {
            const PARTS: usize = size_of::<PairLanes>() / size_of::<$vector>();
            let mut sums = [$zero(); PARTS];
            for (row, pair) in weights.iter().zip(pairs) {
                // SAFETY: two numbers of 16 bits are as long as one of 32.
                let pair = $both(unsafe { (&raw const *pair).cast::<i32>().read_unaligned() });
                // SAFETY: a row is so many vectors, and begins where a cache line does.
                let row: &[$vector; PARTS] = unsafe { &*(&raw const *row).cast() };
                for (sum, weights) in sums.iter_mut().zip(row) {
                    *sum = $add(*sum, $madd(*weights, pair));
                }
            }
            // SAFETY: so many vectors are as many numbers of 32 bits as there are outputs.
            unsafe { std::mem::transmute::<[$vector; PARTS], [i32; FOLD]>(sums) }
        }
    };
}

fold_by!(fold_avx512 of __m512i for "avx512f,avx512bw":
    _mm512_setzero_si512, _mm512_set1_epi32, _mm512_madd_epi16, _mm512_add_epi32);
fold_by!(fold_avx2 of __m256i for "avx2":
    _mm256_setzero_si256, _mm256_set1_epi32, _mm256_madd_epi16, _mm256_add_epi32);
fold_by!(fold_sse41 of __m128i for "sse4.1":
    _mm_setzero_si128, _mm_set1_epi32, _mm_madd_epi16, _mm_add_epi32);

macro_rules! compiled_for {
    ($features:literal: $add_rows:ident of $at_once:literal, $weigh:ident) => {
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = $features)]
        fn $add_rows(rows: Rows<'_>, inputs: [&[u16]; 2], neurons: &mut [Lanes]) {
            add_rows::<$at_once>(rows, inputs, neurons);
        }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = $features)]
        fn $weigh(weights: &[NarrowLanes], neurons: &[Lanes], outputs: &[u16], sums: &mut [i32]) {
            weigh(weights, neurons, outputs, sums);
        }
    };
}

// As many blocks at once as leave half of the registers free.
compiled_for!("avx512f,avx512bw,avx512vl": add_rows_avx512 of 4, weigh_avx512);
compiled_for!("avx2": add_rows_avx2 of 2, weigh_avx2);
compiled_for!("sse4.1": add_rows_sse41 of 1, weigh_sse41);

/// Some blocks of all rows at once, so that their sums stay in registers.
#[inline(always)]
fn add_rows<const AT_ONCE: usize>(rows: Rows<'_>, inputs: [&[u16]; 2], neurons: &mut [Lanes]) {
    let blocks = neurons.len();
    let (several, rest) = neurons.as_chunks_mut::<AT_ONCE>();
    let first_rest = several.len() * AT_ONCE;
    for (number, neurons) in several.iter_mut().enumerate() {
        add_blocks(rows, inputs, (number * AT_ONCE, blocks), neurons);
    }
    for (number, neurons) in rest.iter_mut().enumerate() {
        add_blocks(rows, inputs, (first_rest + number, blocks), std::array::from_mut(neurons));
    }
}

/// Adds up as many blocks as there are neurons, from one of the so many of a row on.
#[inline(always)]
fn add_blocks<const AT_ONCE: usize>(
    rows: Rows<'_>,
    [narrow, wide]: [&[u16]; 2],
    (block, blocks): (usize, usize),
    neurons: &mut [Lanes; AT_ONCE],
) {
    let mut sums: [[i16; WIDTH_STEP]; AT_ONCE] = std::array::from_fn(|at| rows.bias[block + at].0);
    for &input in narrow {
        let first = usize::from(input) * blocks + block;
        for (sums, row) in sums.iter_mut().zip(&rows.narrow[first..first + AT_ONCE]) {
            for (sum, weight) in sums.iter_mut().zip(&row.0) {
                *sum = sum.wrapping_add(i16::from(*weight));
            }
        }
    }
    for &input in wide {
        let first = usize::from(input) * blocks + block;
        for (sums, row) in sums.iter_mut().zip(&rows.wide[first..first + AT_ONCE]) {
            for (sum, weight) in sums.iter_mut().zip(&row.0) {
                *sum = sum.wrapping_add(*weight);
            }
        }
    }
    for (neurons, sums) in neurons.iter_mut().zip(sums) {
        neurons.0 = sums.map(|sum| sum.clamp(0, FIRST_SCALE as i16));
    }
}

#[inline(always)]
fn weigh(weights: &[NarrowLanes], neurons: &[Lanes], outputs: &[u16], sums: &mut [i32]) {
    let blocks = neurons.len();
    let neurons = Lanes::numbers(neurons);
    for (sum, &output) in sums.iter_mut().zip(outputs) {
        let first = usize::from(output) * blocks;
        // One loop over the whole row, so that its lanes are added up once.
        let row = NarrowLanes::numbers(&weights[first..first + blocks]);
        *sum = 0;
        for (&neuron, &weight) in neurons.iter().zip(row) {
            // The product fits 16 bits, and instructions that multiply and add pairs of such
            // numbers do the rest.
            let product = neuron.wrapping_mul(i16::from(weight));
            *sum = sum.wrapping_add(i32::from(product) * i32::from(neuron));
        }
    }
}
