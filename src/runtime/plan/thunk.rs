//! The steps of a plan, and the kernels and the memory that they name.

use halo_core::ElementType;
use serde::{Deserialize, Serialize};

use super::encoding;
use crate::{Error, Result};

/// Memory that a step may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum BufferReference {
    /// The input of this number, which is only read.
    Input(u32),
    /// The output of this number, which does not overlap other buffers.
    Output(u32),
    /// The memory for intermediate values.
    Arena,
    /// The constant of this number, which is only read.
    Constant(u32),
}

/// Some bytes of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Slice {
    pub buffer: BufferReference,
    /// The offset in bytes.
    pub offset: u64,
    /// The size in bytes.
    pub size: u64,
}

/// A function of a plan's code that can be launched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelDescription {
    /// The name of the function in the code.
    pub name: String,
    /// Shared memory of a block in bytes that the code itself declares.
    pub static_shared_memory: u32,
}

/// The argument for one parameter of a kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum KernelArgument {
    /// The address of these bytes, to which the kernel keeps.
    Buffer(Slice),
    /// A number of 1, 2, 4, 8 or 16 bytes, the lowest first.
    Scalar(#[serde(with = "serde_bytes")] Vec<u8>),
    /// The induction variable, 8 bytes, of the [`Thunk::For`] whose body is the sequence of this
    /// number; the launch is in that sequence or nested in it.
    Counter(u32),
    /// A tensor map, 128 bytes at a multiple of 64.
    TensorMap(TensorMap),
}

/// A tensor map: how a kernel's asynchronous copies of boxes of a tensor to shared memory address
/// the tensor. Elements of a box outside of the tensor are zero.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TensorMap {
    /// The memory of the tensor, at a multiple of 16 bytes.
    pub slice: Slice,
    #[serde(with = "encoding::text")]
    pub element_type: ElementType,
    /// The dimensions, the contiguous one first.
    pub dimensions: Vec<TensorMapDimension>,
    pub swizzle: Swizzle,
}

/// A dimension of a [`TensorMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TensorMapDimension {
    /// Elements of the tensor.
    pub size: u64,
    /// Bytes between adjacent elements: a multiple of 16, except for the first dimension, where it
    /// is the size of an element.
    pub stride: u64,
    /// Elements of a box.
    pub box_size: u32,
}

/// The permutation of the chunks of 16 bytes of a box in shared memory: the index of a chunk in its
/// row is xored with the index of the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Swizzle {
    None,
    /// Rows of 128 bytes, which repeat after 8 rows.
    Bytes128,
}

/// The repeated contents of filled memory, whose size is a multiple of the
/// pattern's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FillPattern {
    Byte(u8),
    /// Two bytes, the lower first, at a multiple of two.
    Half(u16),
    /// Four bytes, the lowest first, at a multiple of four.
    Word(u32),
}

impl FillPattern {
    /// Bytes of the pattern.
    pub fn size(self) -> usize {
        match self {
            Self::Byte(_) => 1,
            Self::Half(_) => 2,
            Self::Word(_) => 4,
        }
    }

    /// Checks that bytes at `offset` can be filled with it.
    ///
    /// # Errors
    /// Returns an invalid-input error if offset or size is not a multiple of the pattern's size.
    pub fn check_range(self, offset: usize, size: usize) -> Result<()> {
        let own = self.size();
        if offset.is_multiple_of(own) && size.is_multiple_of(own) {
            Ok(())
        } else {
            Err(Error::invalid(format!(
                "{size} bytes at {offset} are filled with a pattern of {own} bytes"
            )))
        }
    }

    /// Fills bytes of the host with it; the remainder of an incomplete pattern is unchanged.
    pub fn fill(self, bytes: &mut [u8]) {
        match self {
            Self::Byte(byte) => bytes.fill(byte),
            Self::Half(half) => repeat(bytes, half.to_le_bytes()),
            Self::Word(word) => repeat(bytes, word.to_le_bytes()),
        }
    }
}

fn repeat<const SIZE: usize>(bytes: &mut [u8], pattern: [u8; SIZE]) {
    for chunk in bytes.as_chunks_mut().0 {
        *chunk = pattern;
    }
}

/// The precision of a [`Gemm`]'s products.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum GemmPrecision {
    /// According to the element type: `f64` in `f64`, everything narrower with sums in `f32`.
    Full,
    /// Factors of type `f32` are rounded to the 10 bits of `tf32`.
    Tf32,
    /// Factors of type `f32` are rounded to `bf16`.
    Bf16,
}

/// A matrix, or a batch of them, in memory: rows of contiguous elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GemmMatrix {
    pub slice: Slice,
    #[serde(with = "encoding::text")]
    pub element_type: ElementType,
    /// The number of elements between the starts of adjacent rows.
    pub leading_dimension: u64,
    /// The number of elements between the starts of adjacent matrices of the batch; 0 if all
    /// products use the same factor.
    pub batch_stride: u64,
    /// Whether memory holds the transpose of the matrix: `k` rows of `m` elements for the left
    /// factor. Never true for the result.
    pub transposed: bool,
}

/// `c[i] = a[i] * b[i]` for each `i` of a batch, by a library: `a` is `m` by
/// `k`, `b` is `k` by `n`, and `c` is `m` by `n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Gemm {
    pub batch: u64,
    pub m: u64,
    pub n: u64,
    pub k: u64,
    pub a: GemmMatrix,
    /// Of the type of `a`.
    pub b: GemmMatrix,
    /// Of the type of `a`, or `f32` if that is `f16` or `bf16`.
    pub c: GemmMatrix,
    pub precision: GemmPrecision,
}

/// The value that a conditional reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ConditionalKind {
    /// One byte: nonzero selects the first of two branches, zero the second.
    Predicate,
    /// An `i32`: the number of the branch; out-of-range numbers select the last one.
    Index,
}

/// One step of a plan. The writes of earlier steps are visible to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Thunk {
    /// Runs a kernel for a grid of blocks of threads.
    Launch {
        kernel: u32,
        /// Blocks along x, y and z.
        grid: [u32; 3],
        /// Threads of a block along x, y and z.
        block: [u32; 3],
        /// Dynamic shared memory in bytes, in addition to the static memory that the kernel
        /// declares.
        dynamic_shared_memory: u32,
        /// One for each parameter of the kernel.
        arguments: Vec<KernelArgument>,
    },
    /// Copies bytes to other bytes, which do not overlap them.
    Copy {
        source: Slice,
        target: Slice,
    },
    Fill {
        target: Slice,
        pattern: FillPattern,
    },
    Gemm(Gemm),
    /// Calls a function of the host on the call site of this number.
    CustomCall {
        site: u32,
        operands: Vec<Slice>,
        results: Vec<Slice>,
    },
    /// Runs the sequence `condition`, and if the byte `predicate` is then not
    /// zero, the sequence `body`, and so on.
    While {
        condition: u32,
        predicate: Slice,
        body: u32,
    },
    /// Runs one of the sequences `branches`.
    Conditional {
        kind: ConditionalKind,
        /// One byte or four, according to the kind.
        index: Slice,
        branches: Vec<u32>,
    },
    /// Runs the sequence `body` for a counter from `lower`, as long as it is below `upper`, in
    /// steps of `step`, which is positive.
    For {
        lower: i64,
        upper: i64,
        step: i64,
        body: u32,
    },
}
