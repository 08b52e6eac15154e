//! The ops of `halo`, with its attributes on ops of other dialects, whose contracts are in
//! [`CONTRACTS`].

super::generated! { "halo" }

mod contracts;

pub use contracts::{CONTRACTS, Content, Contract, Owner};

use super::Codec;
use crate::handles::Attribute;
use melior::{Context, ir::AttributeLike};
use mlir_sys::{MlirAttribute, MlirContext};
use std::mem::MaybeUninit;

/// The attribute of functions that the runtime calls.
pub const ENTRY: &str = "halo.entry";
/// The attribute of kernels.
pub const KERNEL: &str = "halo.kernel";
/// The end of the symbol of a function with a part of a kernel's code that is compiled separately.
pub const PART_SUFFIX: &str = "__part";

/// The kernel that a function of machine code is, or is a part of.
///
/// ```
/// # use halo_ir::ops::halo::kernel_of_symbol;
/// assert_eq!(kernel_of_symbol("main_kernel_1__part"), "main_kernel_1");
/// assert_eq!(kernel_of_symbol("main_kernel_1__part__part"), "main_kernel_1");
/// ```
pub fn kernel_of_symbol(symbol: &str) -> &str {
    symbol.trim_end_matches(PART_SUFFIX)
}

/// The attribute of kernels without innermost loops for LLVM's vectorizer.
pub const VECTORIZED: &str = "halo.vectorized";
/// [`VECTORIZED`] as an attribute of LLVM IR.
pub const VECTORIZED_IN_LLVM: &str = "halo-vectorized";
/// The attribute of functions with an arena: its size.
pub const ARENA_BYTES: &str = "halo.arena_bytes";
/// The attribute with the location of the largest buffer of the arena in the program:
/// `file:line:column`.
pub const ARENA_LARGEST: &str = "halo.arena_largest";
/// The attribute of functions with arguments that are elements of others, from which sizes are
/// computed: the number of the argument and the position of the element, for each.
pub const SIZE_ELEMENTS: &str = "halo.size_elements";
/// The attribute of a module with the attributes of its custom calls, in the
/// order of the numbers that generated code passes: dictionaries of the
/// attributes of `halo.custom_call`, and `location`.
pub const CALL_SITES: &str = "halo.call_sites";
/// The attribute of a module with the size of the constants whose address its entry gets, in bytes.
pub const CONSTANTS: &str = "halo.constants";
/// The attribute with the required precision of a product of f32.
pub const PRECISION: &str = "halo.precision";
/// The attribute of the outermost loop of a scatter whose updates may be applied in any order.
pub const SCATTER: &str = "halo.scatter";
/// The attribute of a function that temporarily contains ops of its caller: the bytes of the
/// caller's arguments.
pub const CALLER_BYTES: &str = "halo.caller_bytes";
/// The attribute of a loop that packs an operand of a contraction. The name of its kernel contains
/// it.
pub const PACKING: &str = "halo.packing";
/// The attribute of a loop with its unroll factor in the LLVM dialect, which divides the number of
/// iterations.
pub const UNROLL: &str = "halo.unroll";
/// The attribute of a loop whose iterations are independent, except for the values that they carry.
pub const PARALLEL: &str = "halo.parallel";
/// The attribute of the remainder loop of a vectorized loop.
pub const REMAINDER: &str = "halo.remainder";
/// The attribute of a launch with the name of its kernel's strategy.
pub const STRATEGY: &str = "halo.strategy";
/// The attribute of a sequence of the transform dialect with its target: a function, `@main`, or a
/// line of the program, `softmax.mlir:9`.
pub const APPLIES_TO: &str = "halo.applies_to";
/// The attribute of the last op of a planned fusion group with the sizes of its tiles.
pub const TILE_SIZES: &str = "halo.tile_sizes";
/// The attribute that ends an op without operands in text.
pub const GROUP: &str = "halo.group";

/// The attribute of a module that limits the number of elements of computed constants and of their
/// operands. With 0 nothing is computed; structural folds are still applied.
pub const FOLD_ELEMENT_LIMIT: &str = "halo.fold_element_limit";

/// The attribute of a module with the cost of a message between processes: the nanoseconds of an
/// empty one, of each further one that is sent at once, and the bytes per second.
pub const LINK: &str = "halo.link";

/// `#halo.matrix`: the strided layout of a matrix in a buffer, in elements.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Matrix {
    /// The offset of the first element.
    pub start: i64,
    /// The stride of rows, or of columns if the matrix is transposed.
    pub leading_dimension: i64,
    /// The stride of matrices in a batch.
    pub batch_stride: i64,
    pub transposed: bool,
}

unsafe extern "C" {
    fn haloMatrixRead(attribute: MlirAttribute, members: *mut Matrix) -> bool;
    fn haloMatrixBuild(context: MlirContext, members: *const Matrix) -> MlirAttribute;
}

impl Codec for Matrix {
    type Read<'c> = Self;
    type Write<'a, 'c: 'a> = Self;

    fn read(attribute: Attribute<'_>) -> Option<Self> {
        let mut members = MaybeUninit::uninit();
        // SAFETY: The attribute is alive, and the members are initialized if the function returns
        // true.
        unsafe {
            haloMatrixRead(attribute.to_raw(), members.as_mut_ptr()).then(|| members.assume_init())
        }
    }

    fn write<'a, 'c: 'a>(context: &'c Context, value: Self) -> Option<Attribute<'c>> {
        // SAFETY: The context is alive, and an attribute lives as long as it.
        unsafe {
            let raw = haloMatrixBuild(context.to_raw(), &value);
            (!raw.ptr.is_null()).then(|| Attribute::from_raw(raw))
        }
    }
}
