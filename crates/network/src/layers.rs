//! Two or three layers: rows of active inputs are added up, clipped, squared and weighed, then
//! perhaps clipped, squared and weighed again.

use crate::isa::{FOLD, Isa, Lanes, NarrowLanes, PairLanes, Rows};
use monteverde_game::Rng;

/// Widths are multiples of this: whole registers of every instruction set.
pub const WIDTH_STEP: usize = 64;
/// The widest layer.
pub const MOST_WIDTH: usize = 1024;

/// What 1 is after the first layer.
pub(crate) const FIRST_SCALE: i32 = 255;
/// What 1 is among the weights of the second layer.
pub(crate) const SECOND_SCALE: i32 = 64;
/// What 1 is among the outputs.
pub(crate) const OUTPUT_SCALE: i32 = FIRST_SCALE * FIRST_SCALE * SECOND_SCALE;
/// The largest weight behind the first layer: times the largest neuron it still fits 16 bits.
const MOST_SECOND: i16 = i8::MAX as i16;

/// The most neurons between the second layer and a third one: a block.
pub(crate) const MOST_MIDDLE: usize = WIDTH_STEP;
/// The places by which sums of the second layer are shifted to become such neurons. 1 among
/// outputs becomes 254.
const MIDDLE_SHIFT: u32 = 14;

/// What is in between the layers: neurons from 0 to [`FIRST_SCALE`], as many as the layers are
/// wide.
pub(crate) type Neurons = [Lanes; MOST_WIDTH / WIDTH_STEP];

/// The weights of all layers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layers {
    /// In blocks of [`WIDTH_STEP`].
    blocks: usize,
    /// A row of blocks for each input.
    first: Vec<Lanes>,
    /// The same in 8 bits where that is enough, as `is_narrow` says: less memory to go through.
    narrow: Vec<NarrowLanes>,
    is_narrow: Vec<bool>,
    first_bias: Vec<Lanes>,
    second: Weighing,
    third: Option<Third>,
}

/// A third layer, and what leads to it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Third {
    /// The weights of the second layer for [`FOLD`] outputs at a time, a row for two neurons.
    folds: Vec<PairLanes>,
    weighing: Weighing,
}

/// A layer that weighs the squares of neurons.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Weighing {
    width: usize,
    /// A row of blocks for each output. A last block that is not full ends with zeros.
    rows: Vec<NarrowLanes>,
    bias: Vec<i32>,
}

/// The numbers of weights that layers have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Size {
    pub(crate) inputs: usize,
    pub(crate) width: usize,
    /// The neurons between a second and a third layer; `None` for two layers.
    pub(crate) middle: Option<usize>,
    pub(crate) outputs: usize,
}

impl Size {
    /// The bytes of the weights in a file.
    pub(crate) fn bytes(self) -> usize {
        let weighing: usize = self.weighing().map(Weighing::bytes).sum();
        2 * self.width * (self.inputs + 1) + weighing
    }

    /// The widths and outputs of the layers behind the first.
    fn weighing(self) -> impl Iterator<Item = [usize; 2]> {
        let second = [self.width, self.middle.unwrap_or(self.outputs)];
        [second].into_iter().chain(self.middle.map(|middle| [middle, self.outputs]))
    }
}

impl Weighing {
    fn bytes([width, outputs]: [usize; 2]) -> usize {
        2 * width * outputs + 4 * outputs
    }

    fn read([width, outputs]: [usize; 2], bytes: &[u8]) -> Result<Weighing, String> {
        let (weights, bias) = bytes.split_at(2 * outputs * width);
        let weights = numbers_of(weights);
        if let Some(at) = weights.iter().position(|weight| weight.abs_diff(0) > MOST_SECOND as u16)
        {
            return Err(format!(
                "a weight of output {} is {}, and at most {MOST_SECOND} is possible",
                at / width,
                weights[at]
            ));
        }
        let block = |weights: &[i16]| {
            let mut block = [0; WIDTH_STEP];
            block[..weights.len()].copy_from_slice(weights);
            narrowed(&block)
        };
        let rows = weights.chunks_exact(width).flat_map(|row| row.chunks(WIDTH_STEP).map(block));
        let (bias, _) = bias.as_chunks();
        let bias = bias.iter().map(|&number| i32::from_le_bytes(number)).collect();
        Ok(Weighing { width, rows: rows.collect(), bias })
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        for row in self.rows.chunks_exact(self.blocks()) {
            let weights = row.iter().flat_map(|block| block.0.map(i16::from)).take(self.width);
            bytes.extend(weights.flat_map(i16::to_le_bytes));
        }
        bytes.extend(self.bias.iter().copied().flat_map(i32::to_le_bytes));
    }

    fn blocks(&self) -> usize {
        self.width.div_ceil(WIDTH_STEP)
    }

    /// The weights as [`Isa::fold`] wants them. What is no output has none.
    fn folds(&self) -> Vec<PairLanes> {
        let weight = |output: usize, neuron: usize| {
            let row = self.rows.chunks_exact(self.blocks()).nth(output);
            row.map_or(0, |row| row[neuron / WIDTH_STEP].0[neuron % WIDTH_STEP].into())
        };
        let pair = |output: usize, neuron: usize| [neuron, neuron + 1].map(|at| weight(output, at));
        let outputs = (0..self.bias.len()).step_by(FOLD);
        let row = |first: usize, neuron: usize| {
            PairLanes(std::array::from_fn(|at| pair(first + at, neuron)))
        };
        outputs
            .flat_map(|first| (0..self.width).step_by(2).map(move |neuron| (first, neuron)))
            .map(|(first, neuron)| row(first, neuron))
            .collect()
    }

    /// Whether no sum can leave 32 bits; a sentence where one can.
    fn check(&self) -> Result<(), String> {
        for (output, row) in self.rows.chunks_exact(self.blocks()).enumerate() {
            let mut sum = i64::from(self.bias[output]).abs();
            for weight in row.iter().flat_map(|block| block.0) {
                sum += i64::from(weight).abs() * i64::from(FIRST_SCALE * FIRST_SCALE);
            }
            if sum > i64::from(i32::MAX) {
                return Err(format!(
                    "the weights of output {output} can add up to more than 32 bits"
                ));
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn weigh(&self, isa: Isa, neurons: &[Lanes], outputs: &[u16], sums: &mut [i32]) {
        isa.weigh(&self.rows, neurons, outputs, sums);
        for (sum, &output) in sums.iter_mut().zip(outputs) {
            *sum += self.bias[usize::from(output)];
        }
    }
}

impl Layers {
    /// Reads weights as a file has them, which must be exactly so many bytes. A sentence where one
    /// is too large.
    pub(crate) fn read(size: Size, bytes: &[u8]) -> Result<Layers, String> {
        let Size { inputs, width, .. } = size;
        assert_eq!(bytes.len(), size.bytes(), "the caller has counted");
        let (first, rest) = bytes.split_at(2 * inputs * width);
        let (first_bias, mut rest) = rest.split_at(2 * width);
        let mut weighing = size.weighing().map(|shape| {
            let (bytes, others) = rest.split_at(Weighing::bytes(shape));
            rest = others;
            Weighing::read(shape, bytes)
        });
        let second = weighing.next().expect("there is always a second layer")?;
        let third = weighing.next().transpose()?;
        let third = third.map(|weighing| Third { folds: second.folds(), weighing });
        let first = read_blocks(first);
        let fits = |weight: i16| i8::try_from(weight).is_ok();
        let is_narrow = |row: &[Lanes]| row.iter().all(|block| block.0.iter().copied().all(fits));
        Ok(Layers {
            blocks: width / WIDTH_STEP,
            narrow: first.iter().map(|block| narrowed(&block.0)).collect(),
            is_narrow: first.chunks_exact(width / WIDTH_STEP).map(is_narrow).collect(),
            first,
            first_bias: read_blocks(first_bias),
            second,
            third,
        })
    }

    /// The inverse of [`Layers::read`].
    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        let first = self.first.iter().chain(&self.first_bias).flat_map(|block| block.0);
        bytes.extend(first.flat_map(i16::to_le_bytes));
        self.weighing().for_each(|weighing| weighing.write(bytes));
    }

    fn weighing(&self) -> impl Iterator<Item = &Weighing> {
        [&self.second].into_iter().chain(self.third.as_ref().map(|third| &third.weighing))
    }

    /// Random ones, small enough for [`Layers::check`] whatever `most` is.
    pub(crate) fn random(size: Size, most: usize, rng: &mut Rng) -> Layers {
        /// A quarter, as trained weights are at most, by and large.
        const FIRST: i32 = FIRST_SCALE / 4;
        const SECOND: i32 = SECOND_SCALE / 4;
        let room = i32::from(i16::MAX) / (most as i32 + 1);
        let mut draw = |count: usize, most: i32| -> Vec<u8> {
            let mut number = || rng.below(2 * most as u32 + 1) as i32 - most;
            (0..count).flat_map(|_| (number() as i16).to_le_bytes()).collect()
        };
        let mut bytes = draw((size.inputs + 1) * size.width, FIRST.min(room));
        for [width, outputs] in size.weighing() {
            bytes.extend(draw(outputs * width, SECOND));
            bytes.extend((0..outputs).flat_map(|_| 0_i32.to_le_bytes()));
        }
        Layers::read(size, &bytes).expect("the weights are small")
    }

    /// Whether no sum can leave its range, whatever inputs are active, at most so many at once; a
    /// sentence where one can.
    pub(crate) fn check(&self, most: usize) -> Result<(), String> {
        self.check_first(most)?;
        self.weighing().try_for_each(Weighing::check)
    }

    fn check_first(&self, most: usize) -> Result<(), String> {
        let inputs = self.first.len() / self.blocks;
        let mut column = vec![0; inputs];
        for neuron in 0..self.blocks * WIDTH_STEP {
            let (block, lane) = (neuron / WIDTH_STEP, neuron % WIDTH_STEP);
            let bias = i64::from(self.first_bias[block].0[lane]);
            for sign in [1, -1] {
                let rows = self.first.iter().skip(block).step_by(self.blocks);
                let weights = rows.map(|row| (sign * i64::from(row.0[lane])).max(0));
                column.iter_mut().zip(weights).for_each(|(place, weight)| *place = weight);
                let most = most.min(inputs);
                if most < inputs {
                    column.select_nth_unstable_by(most, |a, b| b.cmp(a));
                }
                let sum: i64 = sign * bias + column[..most].iter().sum::<i64>();
                if sum > i64::from(i16::MAX) {
                    return Err(format!(
                        "the weights of neuron {neuron} can add up to {sum}, which 16 bits do not hold"
                    ));
                }
            }
        }
        Ok(())
    }

    /// How many neurons there are behind the first layer.
    pub fn width(&self) -> usize {
        self.blocks * WIDTH_STEP
    }

    /// How many outputs there are.
    pub fn outputs(&self) -> usize {
        self.weighing().last().map_or(0, |weighing| weighing.bias.len())
    }

    /// Leaves in `neurons` what the first layer makes of these active inputs. `order` is scratch
    /// space.
    ///
    /// # Panics
    /// If there is no such input.
    #[inline(always)]
    pub(crate) fn first(
        &self,
        isa: Isa,
        inputs: &[u16],
        order: &mut Vec<u16>,
        neurons: &mut Neurons,
    ) {
        let inputs = self.split(inputs, order);
        let rows = Rows { wide: &self.first, narrow: &self.narrow, bias: &self.first_bias };
        isa.add_rows(rows, inputs, &mut neurons[..self.blocks]);
    }

    /// The inputs whose rows are narrow, and the others.
    fn split<'a>(&self, inputs: &[u16], order: &'a mut Vec<u16>) -> [&'a [u16]; 2] {
        let most = inputs.len();
        if order.len() < 2 * most {
            order.resize(2 * most, 0);
        }
        let (narrow, wide) = order[..2 * most].split_at_mut(most);
        let (mut narrow_count, mut wide_count) = (0, 0);
        for &input in inputs {
            // Nobody can guess which it is, so that no jump depends on it: it is written to both,
            // and where it does not belong the next takes its place.
            let is_narrow = self.is_narrow[usize::from(input)];
            narrow[narrow_count] = input;
            wide[wide_count] = input;
            narrow_count += usize::from(is_narrow);
            wide_count += usize::from(!is_narrow);
        }
        [&narrow[..narrow_count], &wide[..wide_count]]
    }

    /// What these outputs say of such neurons of the first layer, [`OUTPUT_SCALE`] being 1.
    ///
    /// # Panics
    /// If there is no such output.
    #[inline(always)]
    pub(crate) fn outputs_of(
        &self,
        isa: Isa,
        neurons: &Neurons,
        outputs: &[u16],
        sums: &mut [i32],
    ) {
        let neurons = &neurons[..self.blocks];
        match &self.third {
            None => self.second.weigh(isa, neurons, outputs, sums),
            Some(third) => {
                let middle = self.middle(isa, &third.folds, neurons);
                third.weighing.weigh(isa, &[middle], outputs, sums);
            }
        }
    }

    /// The neurons between the second and the third layer.
    #[inline(always)]
    fn middle(&self, isa: Isa, folds: &[PairLanes], neurons: &[Lanes]) -> Lanes {
        let mut halves = [[0; 2]; MOST_WIDTH / 2];
        let halves = &mut halves[..self.width() / 2];
        // Halves of squares fit 16 bits.
        let numbers = Lanes::numbers(neurons).as_chunks().0;
        for (halves, &pair) in halves.iter_mut().zip(numbers) {
            *halves = pair.map(|neuron: i16| ((neuron as u16 * neuron as u16) >> 1) as i16);
        }
        let mut middle = Lanes::ZERO;
        let places = middle.0.chunks_exact_mut(FOLD).zip(self.second.bias.chunks(FOLD));
        for ((places, bias), fold) in places.zip(folds.chunks_exact(halves.len())) {
            let sums = isa.fold(fold, halves);
            for ((place, bias), sum) in places.iter_mut().zip(bias).zip(sums) {
                *place = ((bias + 2 * sum) >> MIDDLE_SHIFT).clamp(0, FIRST_SCALE) as i16;
            }
        }
        middle
    }
}

fn narrowed(block: &[i16; WIDTH_STEP]) -> NarrowLanes {
    NarrowLanes(block.map(|weight| weight as i8))
}

fn numbers_of(bytes: &[u8]) -> Vec<i16> {
    let (numbers, _) = bytes.as_chunks();
    numbers.iter().map(|&number| i16::from_le_bytes(number)).collect()
}

fn read_blocks(bytes: &[u8]) -> Vec<Lanes> {
    let numbers = numbers_of(bytes);
    let (blocks, _) = numbers.as_chunks();
    blocks.iter().map(|&block| Lanes(block)).collect()
}
