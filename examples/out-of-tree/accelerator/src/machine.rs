//! The accelerator: its instructions, and a simulator.
//!
//! It has a memory of 32-bit floats and eight registers of 16 x 16 of them, *tiles*. A
//! DMA engine moves rectangles between memory and tiles, a matrix unit multiplies tiles,
//! and a vector unit works on their elements. Functions of the host work on its memory, where
//! values of other types are their bytes.

use crate::host;
use halo::{
    core::{Literal, Shape},
    runtime::{Process, Result},
};
use std::{fmt, sync::Arc};

/// The rows and columns of a tile.
pub const SIZE: usize = 16;
/// The number of tile registers.
pub const TILES: usize = 8;

/// The words of memory, of 32 bits each.
pub const MEMORY: usize = 1 << 28;

/// The words of a value.
pub fn words(shape: &Shape) -> usize {
    shape.byte_size().div_ceil(size_of::<f32>())
}

/// A value in memory.
#[derive(Clone)]
pub struct Place {
    pub address: usize,
    pub shape: Shape,
}

impl Place {
    fn read(&self, memory: &[f32]) -> Result<Literal> {
        let words = &memory[self.address..][..words(&self.shape)];
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        bytes.truncate(self.shape.byte_size());
        Ok(Literal::from_bytes(self.shape.clone(), &bytes)?)
    }

    fn write(&self, memory: &mut [f32], value: &Literal) {
        for (word, bytes) in memory[self.address..].iter_mut().zip(value.bytes().chunks(4)) {
            let mut padded = [0; 4];
            padded[..bytes.len()].copy_from_slice(bytes);
            *word = f32::from_ne_bytes(padded);
        }
    }
}

/// A tile register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile(pub u8);

/// A rectangle in memory: element (i, j) is at `address + i * row + j * column`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rectangle {
    pub address: usize,
    pub rows: usize,
    pub columns: usize,
    /// The distance between rows; 0 repeats one row.
    pub row: usize,
    /// The distance between columns; 0 repeats one column.
    pub column: usize,
}

/// What the vector unit computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VectorOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Maximum,
    Minimum,
    // Of the first tile alone.
    Absolute,
    Exponential,
    Logarithm,
    Negate,
    SquareRoot,
    Tanh,
}

/// An instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instruction {
    /// Reads a rectangle into a tile, whose other elements become 0.
    Load(Tile, Rectangle),
    /// Writes the part of a tile that a rectangle has room for.
    Store(Rectangle, Tile),
    /// Sets all elements of a tile to 0.
    Clear(Tile),
    /// Adds the matrix product of two tiles to a tile.
    MultiplyAdd(Tile, Tile, Tile),
    /// Combines two tiles by elements.
    Vector(VectorOp, Tile, Tile, Tile),
    /// Waits for a function of the host, the one of this number.
    Call(usize),
}

/// A function of the host that works on the memory of the accelerator.
#[derive(Clone)]
pub struct HostCall {
    pub function: host::Function,
    pub operands: Vec<Place>,
    pub results: Vec<Place>,
}

impl HostCall {
    fn run(&self, process: &Arc<Process>, memory: &mut [f32]) -> Result<()> {
        let operands = self.operands.iter().map(|place| place.read(memory));
        let results = self.function.call(process, &operands.collect::<Result<Vec<_>>>()?)?;
        for (place, result) in self.results.iter().zip(&results) {
            place.write(memory, result);
        }
        Ok(())
    }
}

/// A program, with the initial contents of memory.
#[derive(Clone, Default)]
pub struct Code {
    pub instructions: Vec<Instruction>,
    /// The memory that it needs, in words.
    pub memory: usize,
    /// Constants and their addresses.
    pub data: Vec<(usize, Vec<f32>)>,
    /// The functions of the host, by their numbers.
    pub calls: Vec<HostCall>,
    pub inputs: Vec<Place>,
    pub results: Vec<Place>,
}

impl Code {
    /// Runs the program as one of the processes that communicate.
    ///
    /// # Errors
    /// Those of the functions of the host.
    pub fn simulate(&self, process: &Arc<Process>, inputs: &[Literal]) -> Result<Vec<Literal>> {
        let mut memory = vec![0.0; self.memory];
        for (address, values) in &self.data {
            memory[*address..][..values.len()].copy_from_slice(values);
        }
        for (place, input) in self.inputs.iter().zip(inputs) {
            place.write(&mut memory, input);
        }
        let mut tiles = [[[0.0_f32; SIZE]; SIZE]; TILES];
        for instruction in &self.instructions {
            match instruction {
                Instruction::Call(number) => self.calls[*number].run(process, &mut memory)?,
                instruction => step(*instruction, &mut memory, &mut tiles),
            }
        }
        self.results.iter().map(|place| place.read(&memory)).collect()
    }
}

fn step(instruction: Instruction, memory: &mut [f32], tiles: &mut [[[f32; SIZE]; SIZE]; TILES]) {
    let number = |tile: Tile| usize::from(tile.0);
    match instruction {
        Instruction::Load(tile, from) => {
            let tile = &mut tiles[number(tile)];
            *tile = Default::default();
            for (i, row) in tile.iter_mut().enumerate().take(from.rows) {
                for (j, element) in row.iter_mut().enumerate().take(from.columns) {
                    *element = memory[from.address + i * from.row + j * from.column];
                }
            }
        }
        Instruction::Store(to, tile) => {
            for (i, row) in tiles[number(tile)].iter().enumerate().take(to.rows) {
                for (j, element) in row.iter().enumerate().take(to.columns) {
                    memory[to.address + i * to.row + j * to.column] = *element;
                }
            }
        }
        Instruction::Clear(tile) => tiles[number(tile)] = Default::default(),
        Instruction::MultiplyAdd(sum, a, b) => {
            let (a, b) = (tiles[number(a)], tiles[number(b)]);
            for (sums, a) in tiles[number(sum)].iter_mut().zip(&a) {
                for (a, b) in a.iter().zip(&b) {
                    for (sum, b) in sums.iter_mut().zip(b) {
                        *sum += a * b;
                    }
                }
            }
        }
        Instruction::Vector(op, result, a, b) => {
            let (a, b) = (tiles[number(a)], tiles[number(b)]);
            let elements = a.as_flattened().iter().zip(b.as_flattened());
            let results = tiles[number(result)].as_flattened_mut();
            for (result, (a, b)) in results.iter_mut().zip(elements) {
                *result = op.apply(*a, *b);
            }
        }
        Instruction::Call(_) => unreachable!("the host makes calls"),
    }
}

impl VectorOp {
    /// Whether it combines two tiles.
    pub fn is_binary(self) -> bool {
        !matches!(
            self,
            Self::Absolute
                | Self::Exponential
                | Self::Logarithm
                | Self::Negate
                | Self::SquareRoot
                | Self::Tanh
        )
    }

    fn apply(self, a: f32, b: f32) -> f32 {
        match self {
            Self::Add => a + b,
            Self::Subtract => a - b,
            Self::Multiply => a * b,
            Self::Divide => a / b,
            // The signs of zeros decide between them.
            Self::Maximum if a == b => f32::from_bits(a.to_bits() & b.to_bits()),
            Self::Minimum if a == b => f32::from_bits(a.to_bits() | b.to_bits()),
            Self::Maximum if a.is_nan() || a > b => a,
            Self::Minimum if a.is_nan() || a < b => a,
            Self::Maximum | Self::Minimum => b,
            Self::Absolute => a.abs(),
            Self::Exponential => a.exp(),
            Self::Logarithm => a.ln(),
            Self::Negate => -a,
            Self::SquareRoot => a.sqrt(),
            Self::Tanh => a.tanh(),
        }
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "t{}", self.0)
    }
}

impl fmt::Display for Rectangle {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let Self {
            address,
            rows,
            columns,
            row,
            column,
        } = self;
        write!(formatter, "[{address}] {rows}x{columns} by {row}, {column}")
    }
}

impl fmt::Display for Instruction {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Load(tile, from) => write!(formatter, "load {tile}, {from}"),
            Self::Store(to, tile) => write!(formatter, "store {to}, {tile}"),
            Self::Clear(tile) => write!(formatter, "clear {tile}"),
            Self::MultiplyAdd(sum, a, b) => write!(formatter, "mma {sum}, {a}, {b}"),
            Self::Vector(op, result, a, b) => {
                let name = format!("{op:?}").to_lowercase();
                write!(formatter, "{name} {result}, {a}")?;
                if op.is_binary() {
                    write!(formatter, ", {b}")
                } else {
                    Ok(())
                }
            }
            Self::Call(number) => write!(formatter, "call {number}"),
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        writeln!(formatter, "; {} words of memory", self.memory)?;
        for (address, values) in &self.data {
            writeln!(formatter, "data [{address}] {} elements", values.len())?;
        }
        for (number, call) in self.calls.iter().enumerate() {
            writeln!(formatter, "host {number} {}", call.function)?;
        }
        self.instructions.iter().try_for_each(|line| writeln!(formatter, "{line}"))
    }
}
