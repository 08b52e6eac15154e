//! Sizes, types and layouts of a product, on which its plan depends.

use crate::loops::{
    contraction::Extension,
    prelude::{LHS, RHS},
};
use halo_ir::FloatKind;

/// Longer lines would make blocks of k too long.
const LONGEST_LINE: i64 = 1024;
/// Patches with shorter runs are materialized, since address arithmetic would dominate.
pub const LEAST_RUN: i64 = 4;

/// A matrix product without its buffers.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The number of products in the batch.
    pub batch: i64,
    pub rows: i64,
    pub columns: i64,
    pub depth: i64,
    /// Lhs, rhs and result.
    pub operands: [Operand; 3],
    /// The accumulator type.
    pub accumulator: Element,
    /// Whether lhs is contiguous along k, so that panels of it are copies of rows.
    pub has_lhs_rows: bool,
    /// Whether several rows of lhs can be read in parallel from an L1 cache.
    pub has_cached_rows: bool,
    /// Whether rhs is contiguous along its columns in memory.
    pub has_rhs_rows: bool,
    /// The patches that lhs or rhs is, if they are not materialized.
    pub patches: Option<PatchShape>,
}

/// The type of an operand, and its conversion to the accumulator type.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    pub element: Element,
    pub conversion: Option<Extension>,
    /// Whether elements are computed as they are read.
    pub is_computed: bool,
}

/// An element type.
#[derive(Clone, Copy, Debug)]
pub struct Element {
    /// The bits of an integer or a float.
    pub bits: Option<i64>,
    pub float: Option<FloatKind>,
}

impl Element {
    /// The bits of an integer.
    pub fn integer_bits(self) -> Option<i64> {
        self.bits.filter(|_| self.float.is_none())
    }
}

/// Patches of a convolution.
#[derive(Clone, Copy, Debug)]
pub struct PatchShape {
    /// The operand that the patches are: lhs or rhs.
    pub operand: usize,
    /// The length of runs along k in lhs: blocks are multiples of runs, or runs are multiples of
    /// blocks.
    pub run: Option<i64>,
    /// The lines of the window, if rows of lhs that are adjacent in the image share elements.
    pub window: Option<Window>,
}

impl PatchShape {
    /// Whether panels may have groups of a size. Groups in packed rows must be contiguous in the
    /// image.
    pub fn has_groups_of(&self, size: i64) -> bool {
        self.run.is_none_or(|run| run % size == 0)
    }
}

/// The lines of a window.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// The elements of a pixel: its channels.
    pub pixel: i64,
    /// The pixels of a row of the window.
    pub taps: i64,
    /// The pixels between the starts of two rows of a panel.
    pub step: i64,
    /// The patches that are adjacent in a row of the image.
    pub places: i64,
    /// Whether pixels are packed one by one, because some are out of bounds or because channels of
    /// other groups are between them.
    pub are_apart: bool,
    /// The dimension of the patches along which the rows are adjacent.
    pub place: usize,
    /// The dimension of k along a line of the window.
    pub tap: usize,
}

impl Window {
    /// The lines of a panel with `rows` rows, if each panel is within one row of the image and its
    /// rows overlap.
    pub fn lines(self, rows: i64) -> Option<Lines> {
        let lines = Lines {
            window: self,
            pixels: self.step * (rows - 1) + self.taps,
        };
        let contiguous = if self.are_apart {
            self.pixel
        } else {
            lines.length()
        };
        (self.places % rows == 0
            && (1..=self.taps).contains(&self.step)
            && lines.pixels < rows * self.taps
            && contiguous >= LEAST_RUN
            && lines.run() <= LONGEST_LINE)
            .then_some(lines)
    }
}

/// The pixels of the image that the rows of a panel share.
#[derive(Clone, Copy, Debug)]
pub struct Lines {
    pub window: Window,
    /// The total number of pixels.
    pub pixels: i64,
}

impl Lines {
    /// The elements of k in a line of the window.
    pub fn run(&self) -> i64 {
        self.window.taps * self.window.pixel
    }

    /// The elements of a panel's line.
    pub fn length(&self) -> i64 {
        self.pixels * self.window.pixel
    }

    /// The start of a row in a line.
    pub fn start(&self, row: i64) -> i64 {
        row * self.window.step * self.window.pixel
    }
}

impl Shape {
    /// Whether an operand is patches.
    pub fn has_patches(&self, operand: usize) -> bool {
        self.patches.is_some_and(|patches| patches.operand == operand)
    }

    /// The lines of a panel of lhs.
    pub fn lines(&self, rows: i64) -> Option<Lines> {
        self.patches?.window?.lines(rows)
    }

    /// Whether the patches, if any, consist of groups of a size.
    pub fn has_groups_of(&self, size: i64) -> bool {
        self.patches.is_none_or(|patches| patches.has_groups_of(size))
    }

    /// The elements of a vector of columns.
    pub fn lanes(&self, vector_bits: i64) -> Option<i64> {
        let register = vector_bits / self.accumulator.bits?;
        Some(register.min((self.columns as u64).next_power_of_two() as i64))
    }

    /// Whether lhs and rhs are narrow floats of a kind and the accumulator is f32.
    pub fn is_of(&self, kind: FloatKind) -> bool {
        let is_narrow = |operand: usize| {
            let operand = self.operands[operand];
            operand.element.float == Some(kind) && operand.conversion == Some(Extension::Float)
        };
        [LHS, RHS].into_iter().all(is_narrow) && self.accumulator.float == Some(FloatKind::F32)
    }

    /// Whether lhs and rhs are signed, if they are integers of at most `most` bits that are
    /// accumulated in 32 bits.
    pub fn signs_of_integers(&self, most: i64) -> Option<[bool; 2]> {
        let is_signed = |operand: usize| {
            let operand = self.operands[operand];
            operand.element.integer_bits().filter(|bits| *bits <= most)?;
            match operand.conversion {
                Some(Extension::Signed) => Some(true),
                Some(Extension::Unsigned) => Some(false),
                _ => None,
            }
        };
        let signs = [is_signed(LHS)?, is_signed(RHS)?];
        (self.accumulator.integer_bits() == Some(32)).then_some(signs)
    }
}

#[cfg(test)]
impl Shape {
    /// The product of 64 rows and 64 columns of bytes, extended to 32 bits.
    pub fn of_bytes(depth: i64, extensions: [Extension; 2]) -> Self {
        let integer = |bits: i64| Element {
            bits: Some(bits),
            float: None,
        };
        let operand = |element: Element, conversion| Operand {
            element,
            conversion,
            is_computed: false,
        };
        let [lhs, rhs] = extensions.map(|extension| operand(integer(8), Some(extension)));
        Self {
            batch: 1,
            rows: 64,
            columns: 64,
            depth,
            operands: [lhs, rhs, operand(integer(32), None)],
            accumulator: integer(32),
            has_lhs_rows: true,
            has_cached_rows: false,
            has_rhs_rows: true,
            patches: None,
        }
    }
}
