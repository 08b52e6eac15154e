//! The discardable attributes of `halo` on ops of other dialects: the files that set and read each of
//! them, and the phase after which none is present.
//!
//! The verifier checks owner and value after each pass. A compilation in a build with debug
//! assertions checks [`Contract::gone_after`] after each phase, and a test compares
//! [`Contract::set_by`] and [`Contract::read_by`] with the sources.

use super::{
    APPLIES_TO, ARENA_BYTES, ARENA_LARGEST, CALL_SITES, CALLER_BYTES, CONSTANTS, ENTRY,
    FOLD_ELEMENT_LIMIT, GROUP, KERNEL, LINK, PACKING, PARALLEL, PRECISION, PrecisionAttr,
    REMAINDER, SCATTER, SIZE_ELEMENTS, STRATEGY, ScatterAttr, TILE_SIZES, UNROLL, VECTORIZED,
};
use crate::{
    Attribute, AttributeExt, Operation, OperationExt, TypeExt,
    ops::{Codec, builtin, func, gpu, llvm, nvgpu, scf},
};
use melior::ir::attribute::ArrayAttribute;
use std::fmt;

/// The contract of an attribute.
#[derive(Clone, Copy, Debug)]
pub struct Contract {
    /// The name with its prefix.
    pub name: &'static str,
    pub owner: Owner,
    pub value: Content,
    /// The property of the owner.
    pub meaning: &'static str,
    /// The stems of the files that set it, separated by spaces.
    pub set_by: &'static str,
    /// The stems of the files that read it, without verifiers and tests.
    pub read_by: &'static str,
    /// The phase after which no op has it, in pipelines with this phase.
    pub gone_after: Option<&'static str>,
}

/// The ops that may have an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    Function,
    Module,
    StructuredOp,
    For,
    Loop,
    Launch,
    Sequence,
    AsyncGroup,
}

/// The values of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    Unit,
    /// An integer of bytes, not negative.
    Bytes,
    Text,
    Array,
    /// A vector of i8.
    Data,
    /// An integer of elements.
    Elements,
    /// Three positive numbers.
    LinkCosts,
    Precision,
    Scatter,
    /// A positive integer of iterations.
    Iterations,
    Identifier,
    /// `@function` or `file:line`.
    Target,
    Integers,
}

impl Owner {
    /// Returns true if an op may have the attribute.
    pub fn accepts(self, op: Operation) -> bool {
        match self {
            Self::Function => op.isa::<func::FuncOp>() || op.isa::<llvm::LLVMFuncOp>(),
            Self::Module => op.isa::<builtin::ModuleOp>(),
            Self::StructuredOp => op.is_structured(),
            Self::For => op.isa::<scf::ForOp>(),
            Self::Loop => op.isa::<scf::ForOp>() || op.isa::<scf::ParallelOp>(),
            Self::Launch => op.isa::<gpu::LaunchOp>(),
            Self::Sequence => op.name() == "transform.named_sequence",
            Self::AsyncGroup => op.isa::<nvgpu::DeviceAsyncCreateGroupOp>(),
        }
    }
}

/// As in messages of the verifier.
impl fmt::Display for Owner {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Function => "functions",
            Self::Module => "modules",
            Self::StructuredOp => "ops of linalg",
            Self::For => "'scf.for'",
            Self::Loop => "'scf.parallel' or 'scf.for'",
            Self::Launch => "'gpu.launch'",
            Self::Sequence => "'transform.named_sequence'",
            Self::AsyncGroup => "'nvgpu.device_async_create_group'",
        })
    }
}

impl Content {
    /// Returns true if the attribute may have a value.
    pub fn accepts(self, value: Attribute) -> bool {
        let integer = value.integer_value();
        match self {
            Self::Unit => value.is_unit(),
            Self::Bytes => integer.is_some_and(|bytes| bytes >= 0),
            Self::Text => value.string_value().is_some(),
            Self::Array => value.cast::<ArrayAttribute>().is_some(),
            Self::Data => value.dense_data().is_some_and(|data| {
                let is_vector = data.ty.static_shape().is_some_and(|shape| shape.len() == 1);
                is_vector && data.ty.element_type().integer_width() == Some(8)
            }),
            Self::Elements => integer.is_some(),
            Self::LinkCosts => {
                let costs = value.i64_array_value().unwrap_or_default();
                costs.len() == 3 && costs.iter().all(|cost| *cost > 0)
            }
            Self::Precision => PrecisionAttr::read(value).is_some(),
            Self::Scatter => ScatterAttr::read(value).is_some(),
            Self::Iterations => integer.is_some_and(|iterations| iterations > 0),
            Self::Identifier => value.string_value().is_some_and(|text| {
                !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            }),
            Self::Target => value.string_value().is_some_and(|text| !text.is_empty()),
            Self::Integers => value.i64_array_value().is_some(),
        }
    }
}

/// As in messages of the verifier.
impl fmt::Display for Content {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Unit => "a unit attribute",
            Self::Bytes => "a number of bytes",
            Self::Text => "a string",
            Self::Array => "an array",
            Self::Data => "a vector of i8",
            Self::Elements => "a number of elements",
            Self::LinkCosts => "three positive numbers",
            Self::Precision => "#halo.precision",
            Self::Scatter => "#halo.scatter",
            Self::Iterations => "a positive number of iterations",
            Self::Identifier => "a string of letters, digits and underscores",
            Self::Target => "'@function' or 'file:line'",
            Self::Integers => "an array of i64",
        })
    }
}

impl Contract {
    const fn new(name: &'static str, owner: Owner, value: Content, meaning: &'static str) -> Self {
        Self {
            name,
            owner,
            value,
            meaning,
            set_by: "",
            read_by: "",
            gone_after: None,
        }
    }

    const fn set_by(self, set_by: &'static str) -> Self {
        Self { set_by, ..self }
    }

    const fn read_by(self, read_by: &'static str) -> Self {
        Self { read_by, ..self }
    }

    const fn gone_after(self, phase: &'static str) -> Self {
        Self {
            gone_after: Some(phase),
            ..self
        }
    }

    /// The contract of an attribute of this name, with its prefix.
    pub fn of(name: &str) -> Option<&'static Self> {
        CONTRACTS.iter().find(|contract| contract.name == name)
    }
}

/// All discardable attributes of the dialect.
pub const CONTRACTS: &[Contract] = &[
    Contract::new(
        ENTRY,
        Owner::Function,
        Content::Unit,
        "The runtime calls the function.",
    )
    .set_by("destination_passing")
    .read_by(
        "arena buffer_assignment call_results calls externalize_constants flatten_dynamic_buffers \
         instrument_kernels \
         joins lower_to_emitc lower_to_runtime_abi metadata nontemporal_stores outline_kernels \
         outline_repeated_contractions outline_scalar_code planning split_entries",
    ),
    Contract::new(
        KERNEL,
        Owner::Function,
        Content::Unit,
        "The function runs a range of iterations of a loop.",
    )
    .set_by("barrier_split outline_kernels split_kernels")
    .read_by(
        "calls instrument_kernels kernel_entries lower_to_emitc lower_to_runtime_abi \
         mark_vectorized_kernels partition split_kernels target",
    ),
    Contract::new(
        VECTORIZED,
        Owner::Function,
        Content::Unit,
        "LLVM's vectorizer need not run on the innermost loops of the kernel.",
    )
    .set_by("mark_vectorized_kernels outline_streaming_regions split_kernels")
    .read_by("lower_to_runtime_abi split_kernels task_functions"),
    Contract::new(
        ARENA_BYTES,
        Owner::Function,
        Content::Bytes,
        "The size of the last argument, which holds all temporary buffers.",
    )
    .set_by("buffer_assignment")
    .read_by("metadata"),
    Contract::new(
        ARENA_LARGEST,
        Owner::Function,
        Content::Text,
        "The origin of the largest temporary buffer: `file:line:column`.",
    )
    .set_by("buffer_assignment")
    .read_by("metadata"),
    Contract::new(
        SIZE_ELEMENTS,
        Owner::Function,
        Content::Integers,
        "The elements that its last arguments are, which a caller reads to plan sizes: the number \
         of an argument and a position for each.",
    )
    .set_by("elements")
    .read_by("metadata"),
    Contract::new(
        CALLER_BYTES,
        Owner::Function,
        Content::Bytes,
        "The function contains ops of its caller temporarily: the size of the arguments of the \
         caller.",
    )
    .set_by("outline_repeated_contractions")
    .read_by("inline_repeated_contractions row_stream")
    .gone_after("kernels"),
    Contract::new(
        CALL_SITES,
        Owner::Module,
        Content::Array,
        "The custom calls in the order of the numbers that generated code passes: dictionaries \
         of the attributes of `halo.custom_call`, and `location`.",
    )
    .set_by("lower_to_emitc lower_to_runtime_abi")
    .read_by("metadata"),
    Contract::new(
        CONSTANTS,
        Owner::Module,
        Content::Data,
        "The bytes of the constants whose address the entry gets. The compilation takes them out \
         of the module.",
    )
    .set_by("externalize_constants")
    .read_by("metadata")
    .gone_after("kernels"),
    Contract::new(
        FOLD_ELEMENT_LIMIT,
        Owner::Module,
        Content::Elements,
        "The maximum number of elements of computed constants and of their operands. With 0 \
         nothing is computed; structural folds are still applied.",
    )
    .set_by("lib")
    .read_by("folding"),
    Contract::new(
        LINK,
        Owner::Module,
        Content::LinkCosts,
        "The cost of a message between processes: the nanoseconds of an empty one, of each \
         further one that is sent at once, and the bytes per second.",
    )
    .set_by("topology")
    .read_by("topology"),
    Contract::new(
        PRECISION,
        Owner::StructuredOp,
        Content::Precision,
        "The required precision of a product of f32.",
    )
    .set_by("dot")
    .read_by("contraction")
    .gone_after("kernels"),
    Contract::new(
        SCATTER,
        Owner::For,
        Content::Scatter,
        "The outermost loop of a scatter whose updates may be applied in any order.",
    )
    .set_by("scatter")
    .read_by("check_numerics fuse_gathers scatter")
    .gone_after("llvm"),
    Contract::new(
        PACKING,
        Owner::Loop,
        Content::Unit,
        "The loop packs an operand of a contraction. The name of its kernel contains it.",
    )
    .set_by("tiled")
    .read_by("fuse_parallel_loops joins outline_kernels")
    .gone_after("llvm"),
    Contract::new(
        UNROLL,
        Owner::For,
        Content::Iterations,
        "The unroll factor of the loop in the LLVM dialect, which divides the number of \
         iterations.",
    )
    .set_by("groups")
    .read_by("ConvertToLLVM")
    .gone_after("llvm"),
    Contract::new(
        PARALLEL,
        Owner::For,
        Content::Unit,
        "The iterations are independent, except for the values that they carry.",
    )
    .set_by("bitonic_sort linalg_to_loops outline_kernels row_loops")
    .read_by("body nests outline_kernels short_loops vectorize_loops")
    .gone_after("llvm"),
    Contract::new(
        REMAINDER,
        Owner::For,
        Content::Unit,
        "The remainder loop of a vectorized loop.",
    )
    .set_by("pack vectorize_loops")
    .read_by("mark_vectorized_kernels")
    .gone_after("llvm"),
    Contract::new(
        STRATEGY,
        Owner::Launch,
        Content::Identifier,
        "How the kernel traverses memory. The name of the kernel contains it.",
    )
    .set_by("launch")
    .read_by("outline_scalar_code")
    .gone_after("kernels"),
    Contract::new(
        APPLIES_TO,
        Owner::Sequence,
        Content::Target,
        "The target of a schedule: a function, `@main`, or a line of the program, \
         `softmax.mlir:9`.",
    )
    .read_by("apply_schedule")
    .gone_after("fusion"),
    Contract::new(
        TILE_SIZES,
        Owner::StructuredOp,
        Content::Integers,
        "The last op of a planned fusion group: the tile size of each loop, 0 for untiled ones.",
    )
    .set_by("form_fusion_groups")
    .read_by("schedule"),
    Contract::new(
        GROUP,
        Owner::AsyncGroup,
        Content::Unit,
        "Ends the text of an op without operands.",
    )
    .set_by("buffers")
    .gone_after("nvvm"),
];
