//! Two layers: rows of active inputs are added up, clipped, squared and weighed.

use crate::isa::{Isa, Lanes, NarrowLanes, Rows};
use monteverde_game::Rng;
use std::hint::select_unpredictable;

/// Widths are multiples of this: whole registers of every instruction set.
pub const WIDTH_STEP: usize = 64;
/// The widest layer.
pub const MOST_WIDTH: usize = 1024;

/// What 1 is after the first layer.
pub(crate) const FIRST_SCALE: i32 = 255;
/// What 1 is among the weights of the second layer.
pub(crate) const SECOND_SCALE: i32 = 64;
/// What 1 is among the outputs of the second layer.
pub(crate) const OUTPUT_SCALE: i32 = FIRST_SCALE * FIRST_SCALE * SECOND_SCALE;
/// The largest weight of the second layer: times the largest neuron it still fits 16 bits.
const MOST_SECOND: i16 = i8::MAX as i16;

/// What is in between the layers: neurons from 0 to [`FIRST_SCALE`], as many as the layers are
/// wide.
pub(crate) type Neurons = [Lanes; MOST_WIDTH / WIDTH_STEP];

/// The weights of two layers.
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
    /// A row of blocks for each output.
    second: Vec<NarrowLanes>,
    second_bias: Vec<i32>,
}

/// The numbers of weights that layers have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Size {
    pub(crate) inputs: usize,
    pub(crate) width: usize,
    pub(crate) outputs: usize,
}

impl Size {
    /// The bytes of the weights in a file.
    pub(crate) fn bytes(self) -> usize {
        let Size { inputs, width, outputs } = self;
        2 * width * (inputs + 1 + outputs) + 4 * outputs
    }
}

impl Layers {
    /// Reads weights as a file has them, which must be exactly so many bytes. A sentence where one
    /// is too large.
    pub(crate) fn read(size: Size, bytes: &[u8]) -> Result<Layers, String> {
        let Size { inputs, width, outputs } = size;
        assert_eq!(bytes.len(), size.bytes(), "the caller has counted");
        let (first, rest) = bytes.split_at(2 * inputs * width);
        let (first_bias, rest) = rest.split_at(2 * width);
        let (second, second_bias) = rest.split_at(2 * outputs * width);
        let (numbers, _) = second_bias.as_chunks();
        let second = numbers_of(second);
        if let Some(at) = second.iter().position(|weight| weight.abs_diff(0) > MOST_SECOND as u16) {
            return Err(format!(
                "a weight of output {} is {}, and at most {MOST_SECOND} is possible",
                at / width,
                second[at]
            ));
        }
        let narrowed = |block: &[i16; WIDTH_STEP]| NarrowLanes(block.map(|weight| weight as i8));
        let (blocks, _) = second.as_chunks::<WIDTH_STEP>();
        let first = read_blocks(first);
        let fits = |weight: i16| i8::try_from(weight).is_ok();
        let is_narrow = |row: &[Lanes]| row.iter().all(|block| block.0.iter().copied().all(fits));
        Ok(Layers {
            blocks: width / WIDTH_STEP,
            narrow: first.iter().map(|block| narrowed(&block.0)).collect(),
            is_narrow: first.chunks_exact(width / WIDTH_STEP).map(is_narrow).collect(),
            first,
            first_bias: read_blocks(first_bias),
            second: blocks.iter().map(narrowed).collect(),
            second_bias: numbers.iter().map(|&number| i32::from_le_bytes(number)).collect(),
        })
    }

    /// The inverse of [`Layers::read`].
    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        let first = self.first.iter().chain(&self.first_bias).flat_map(|block| block.0);
        let second = self.second.iter().flat_map(|block| block.0.map(i16::from));
        bytes.extend(first.chain(second).flat_map(i16::to_le_bytes));
        bytes.extend(self.second_bias.iter().copied().flat_map(i32::to_le_bytes));
    }

    /// Random ones, small enough for [`Layers::check`] whatever `most` is.
    pub(crate) fn random(size: Size, most: usize, rng: &mut Rng) -> Layers {
        /// A quarter, as trained weights are at most, by and large.
        const FIRST: i32 = FIRST_SCALE / 4;
        const SECOND: i32 = SECOND_SCALE / 4;
        let Size { inputs, width, outputs } = size;
        let room = i32::from(i16::MAX) / (most as i32 + 1);
        let mut draw = |count: usize, most: i32| -> Vec<u8> {
            let mut number = || rng.below(2 * most as u32 + 1) as i32 - most;
            (0..count).flat_map(|_| (number() as i16).to_le_bytes()).collect()
        };
        let mut bytes = draw((inputs + 1) * width, FIRST.min(room));
        bytes.extend(draw(outputs * width, SECOND));
        bytes.extend((0..outputs).flat_map(|_| 0_i32.to_le_bytes()));
        Layers::read(size, &bytes).expect("the weights are small")
    }

    /// Whether no sum can leave its range, whatever inputs are active, at most so many at once; a
    /// sentence where one can.
    pub(crate) fn check(&self, most: usize) -> Result<(), String> {
        self.check_first(most)?;
        for (output, row) in self.second.chunks_exact(self.blocks).enumerate() {
            let weights = row.iter().flat_map(|block| block.0);
            let mut sum = i64::from(self.second_bias[output]).abs();
            for weight in weights {
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

    /// How many neurons there are between the layers.
    pub fn width(&self) -> usize {
        self.blocks * WIDTH_STEP
    }

    /// How many outputs there are.
    pub fn outputs(&self) -> usize {
        self.second_bias.len()
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
        order.clear();
        order.resize(inputs.len(), 0);
        let (mut narrow, mut wide) = (0, inputs.len());
        for &input in inputs {
            // Nobody can guess which it is, so that no jump depends on it.
            let is_narrow = self.is_narrow[usize::from(input)];
            wide -= usize::from(!is_narrow);
            order[select_unpredictable(is_narrow, narrow, wide)] = input;
            narrow += usize::from(is_narrow);
        }
        order.split_at(narrow).into()
    }

    /// What an output says, [`OUTPUT_SCALE`] being 1.
    ///
    /// # Panics
    /// If there is no such output.
    #[inline(always)]
    pub(crate) fn second(&self, isa: Isa, neurons: &Neurons, outputs: &[u16], sums: &mut [i32]) {
        isa.weigh(&self.second, &neurons[..self.blocks], outputs, sums);
        for (sum, &output) in sums.iter_mut().zip(outputs) {
            *sum += self.second_bias[usize::from(output)];
        }
    }
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
