//! Validation of plans.
//!
//! A plan may come from a file that is damaged or malicious. A validated plan
//! refers only to parts that exist and to bytes within buffers, and its
//! sequences are a tree of bounded depth, so its execution need not check
//! again. A kernel's use of its addresses is not checked, as with all native
//! code.

use halo_core::{ElementType, Layout, Shape, ShapePattern};

use super::{
    BufferReference, ConditionalKind, Gemm, GemmMatrix, GemmPrecision, KernelArgument, Plan, Slice,
    Swizzle, TensorMap, Thunk,
};
use crate::{CustomCallSite, Error, Result};

/// The maximum nesting of loops and conditionals.
pub const MAX_DEPTH: usize = 128;

/// The limits of a grid along x, y and z, and of a block.
const GRID_LIMITS: [u32; 3] = [i32::MAX as u32, 65_535, 65_535];
const BLOCK_LIMITS: [u32; 3] = [1024, 1024, 64];

/// Threads of a block.
const MAX_THREADS: u64 = 1024;

/// Bytes of the parameters of a kernel.
const MAX_PARAMETER_BYTES: u64 = 4096;

/// An error message, or a value.
type Check<T = ()> = Result<T, String>;

impl Plan {
    /// Checks the plan: all its references exist, every slice is within its buffer, nothing writes
    /// to read-only memory, grids and parameters are within the limits of CUDA, and sequences are a
    /// tree.
    ///
    /// # Errors
    /// Returns an invalid-input error that describes the fault, and names the step.
    pub fn validate(&self) -> Result<()> {
        check(self).map_err(|message| Error::invalid(format!("damaged plan: {message}")))
    }
}

fn check(plan: &Plan) -> Check {
    check_name(&plan.target.platform, "platform")?;
    check_name(&plan.target.architecture, "architecture")?;
    for kernel in &plan.kernels {
        check_name(&kernel.name, "kernel")?;
    }
    for (number, site) in plan.custom_calls.iter().enumerate() {
        check_site(site).map_err(|message| format!("custom call {number}: {message}"))?;
    }
    if isize::try_from(plan.arena_size).is_err() {
        return Err(format!("an arena of {} bytes", plan.arena_size));
    }
    let mut checker = Checker {
        plan,
        inputs: sizes(&plan.signature.inputs)?,
        outputs: sizes(&plan.signature.outputs)?,
        nodes: vec![None; plan.sequences.len()],
    };
    match checker.nodes.first_mut() {
        Some(program) => *program = Some(SequenceNode::default()),
        None => return Err("it has no sequence".to_owned()),
    }
    for (number, sequence) in plan.sequences.iter().enumerate() {
        // Parents come first, so their nodes have been checked already.
        if checker.node(number).is_none() {
            return Err(format!("sequence {number} belongs to no step"));
        }
        for (step, thunk) in sequence.iter().enumerate() {
            checker
                .thunk(number, thunk)
                .map_err(|message| format!("sequence {number}, step {step}: {message}"))?;
        }
    }
    Ok(())
}

fn check_name(name: &str, role: &str) -> Check {
    if name.is_empty() || name.contains('\0') {
        return Err(format!("'{}' names no {role}", name.escape_default()));
    }
    Ok(())
}

fn check_site(site: &CustomCallSite) -> Check {
    check_layouts(&site.operands, &site.operand_layouts)?;
    check_layouts(&site.results, &site.result_layouts)
}

fn check_layouts(shapes: &[Shape], layouts: &[Layout]) -> Check {
    let ranks = shapes.iter().map(Shape::rank);
    if ranks.eq(layouts.iter().map(Layout::rank)) {
        Ok(())
    } else {
        Err("the layouts do not fit the shapes".to_owned())
    }
}

/// The sizes of values in bytes.
fn sizes(patterns: &[ShapePattern]) -> Check<Vec<u64>> {
    let sizes = patterns.iter().map(|pattern| {
        let shape = pattern.to_shape().map_err(|error| error.to_string())?;
        Ok(shape.byte_size() as u64)
    });
    sizes.collect()
}

/// The position of a sequence in the tree.
#[derive(Clone, Copy, Default)]
struct SequenceNode {
    /// The sequence that contains its step; its own number for the program.
    parent: usize,
    depth: usize,
    /// Whether it is the body of a counting loop.
    counts: bool,
}

struct Checker<'a> {
    plan: &'a Plan,
    /// Bytes of the inputs and of the outputs.
    inputs: Vec<u64>,
    outputs: Vec<u64>,
    /// Of the sequences that a step was seen to have.
    nodes: Vec<Option<SequenceNode>>,
}

impl Checker<'_> {
    fn node(&self, sequence: usize) -> Option<SequenceNode> {
        self.nodes.get(sequence).copied().flatten()
    }

    fn thunk(&mut self, sequence: usize, thunk: &Thunk) -> Check {
        match thunk {
            Thunk::Launch { .. } => self.launch(sequence, thunk),
            Thunk::Copy { source, target } => {
                self.read(source)?;
                self.write(target)?;
                if source.size != target.size {
                    return Err(format!(
                        "a copy of {} bytes to {}",
                        source.size, target.size
                    ));
                }
                apart(source, target)
            }
            Thunk::Fill { target, pattern } => {
                self.write(target)?;
                let size = pattern.size() as u64;
                if target.offset % size == 0 && target.size % size == 0 {
                    Ok(())
                } else {
                    Err("a slice is not a multiple of its fill pattern".to_owned())
                }
            }
            Thunk::Gemm(gemm) => self.gemm(gemm),
            Thunk::CustomCall {
                site,
                operands,
                results,
            } => self.custom_call(*site, operands, results),
            Thunk::While {
                condition,
                predicate,
                body,
            } => {
                self.read_exactly(predicate, 1)?;
                self.enter(sequence, *condition, false)?;
                self.enter(sequence, *body, false)
            }
            Thunk::Conditional {
                kind,
                index,
                branches,
            } => {
                let (size, fits) = match kind {
                    ConditionalKind::Predicate => (1, branches.len() == 2),
                    ConditionalKind::Index => (4, !branches.is_empty()),
                };
                self.read_exactly(index, size)?;
                if !fits {
                    return Err(format!("a conditional of {} branches", branches.len()));
                }
                let mut branches = branches.iter();
                branches.try_for_each(|branch| self.enter(sequence, *branch, false))
            }
            Thunk::For { step, body, .. } => {
                if *step <= 0 {
                    return Err(format!("a loop in steps of {step}"));
                }
                self.enter(sequence, *body, true)
            }
        }
    }

    /// Records that a step of `parent` has the sequence `child`.
    fn enter(&mut self, parent: usize, child: u32, counts: bool) -> Check {
        let number = child as usize;
        let depth = self.node(parent).map_or(0, |node| node.depth) + 1;
        if depth > MAX_DEPTH {
            return Err(format!("more than {MAX_DEPTH} sequences within each other"));
        }
        match self.nodes.get_mut(number) {
            None => Err(format!("there is no sequence {child}")),
            Some(Some(_)) => Err(format!("sequence {child} belongs to two steps")),
            Some(_) if number <= parent => Err(format!("sequence {child} comes too early")),
            Some(node) => {
                *node = Some(SequenceNode {
                    parent,
                    depth,
                    counts,
                });
                Ok(())
            }
        }
    }

    fn launch(&self, sequence: usize, thunk: &Thunk) -> Check {
        let Thunk::Launch {
            kernel,
            grid,
            block,
            dynamic_shared_memory,
            arguments,
        } = thunk
        else {
            return Ok(());
        };
        let Some(description) = self.plan.kernels.get(*kernel as usize) else {
            return Err(format!("there is no kernel {kernel}"));
        };
        within(grid, GRID_LIMITS).ok_or_else(|| format!("a grid of {grid:?} blocks"))?;
        within(block, BLOCK_LIMITS)
            .filter(|threads| *threads <= MAX_THREADS)
            .ok_or_else(|| format!("blocks of {block:?} threads"))?;
        description
            .static_shared_memory
            .checked_add(*dynamic_shared_memory)
            .ok_or("too much shared memory")?;
        let mut bytes = 0_u64;
        for (position, argument) in arguments.iter().enumerate() {
            let size = self
                .argument(sequence, argument)
                .map_err(|message| format!("argument {position}: {message}"))?;
            bytes = bytes.next_multiple_of(size) + size;
            if bytes > MAX_PARAMETER_BYTES {
                return Err(format!("{} arguments", arguments.len()));
            }
        }
        Ok(())
    }

    /// The size of the parameter.
    fn argument(&self, sequence: usize, argument: &KernelArgument) -> Check<u64> {
        match argument {
            KernelArgument::Buffer(slice) => self.read(slice).map(|()| 8),
            KernelArgument::Scalar(bytes) => match bytes.len() {
                size @ (1 | 2 | 4 | 8 | 16) => Ok(size as u64),
                size => Err(format!("a number of {size} bytes")),
            },
            KernelArgument::TensorMap(map) => {
                self.read(&map.slice)?;
                tensor_map(map)?;
                Ok(128)
            }
            KernelArgument::Counter(body) => {
                let body = *body as usize;
                let mut current = sequence;
                // Parents have smaller numbers, so that this ends.
                while let Some(node) = self.node(current) {
                    if current == body && node.counts {
                        return Ok(8);
                    }
                    if node.parent >= current {
                        break;
                    }
                    current = node.parent;
                }
                Err(format!("it is in no counting loop of sequence {body}"))
            }
        }
    }

    fn gemm(&self, gemm: &Gemm) -> Check {
        let Gemm {
            batch,
            m,
            n,
            k,
            a,
            b,
            c,
            precision,
        } = gemm;
        let sizes = [*batch, *m, *n, *k];
        if sizes.iter().any(|size| *size == 0 || i32::try_from(*size).is_err()) {
            return Err(format!("a matrix product of sizes {sizes:?}"));
        }
        let wide = matches!(a.element_type, ElementType::F16 | ElementType::BF16)
            && c.element_type == ElementType::F32;
        let known = matches!(
            a.element_type,
            ElementType::F16
                | ElementType::BF16
                | ElementType::F32
                | ElementType::F64
                | ElementType::Complex64
                | ElementType::Complex128
        );
        let rounds = *precision != GemmPrecision::Full;
        if !known
            || a.element_type != b.element_type
            || !(wide || c.element_type == a.element_type)
            || (rounds && a.element_type != ElementType::F32)
        {
            return Err(format!(
                "a matrix product of {} and {} in {}",
                a.element_type, b.element_type, c.element_type
            ));
        }
        self.read(&a.slice)?;
        self.read(&b.slice)?;
        self.write(&c.slice)?;
        matrix(a, *batch, *m, *k).map_err(|message| format!("left factor: {message}"))?;
        matrix(b, *batch, *k, *n).map_err(|message| format!("right factor: {message}"))?;
        let own = matrix(c, *batch, *m, *n).map_err(|message| format!("result: {message}"))?;
        if c.transposed || (*batch > 1 && c.batch_stride < own) {
            return Err("the matrices of the result are not apart".to_owned());
        }
        let aligned = |matrix: &GemmMatrix| {
            let width = matrix.element_type.byte_width() as u64;
            matrix.slice.offset.is_multiple_of(width)
        };
        if ![a, b, c].into_iter().all(aligned) {
            return Err("the offset of a matrix is not a multiple of its element size".to_owned());
        }
        for factor in [a, b] {
            if overlap(&factor.slice, &c.slice) {
                return Err("the result overlaps a factor".to_owned());
            }
        }
        Ok(())
    }

    fn custom_call(&self, site: u32, operands: &[Slice], results: &[Slice]) -> Check {
        let Some(called) = self.plan.custom_calls.get(site as usize) else {
            return Err(format!("there is no custom call {site}"));
        };
        if operands.len() != called.operands.len() || results.len() != called.results.len() {
            return Err(format!(
                "@{} takes {} operands and {} results, not {} and {}",
                called.target,
                called.operands.len(),
                called.results.len(),
                operands.len(),
                results.len()
            ));
        }
        for (slice, shape) in operands.iter().zip(&called.operands) {
            self.read_exactly(slice, shape.byte_size() as u64)?;
        }
        for (slice, shape) in results.iter().zip(&called.results) {
            self.read_exactly(slice, shape.byte_size() as u64)?;
            self.write(slice)?;
        }
        Ok(())
    }

    fn read_exactly(&self, slice: &Slice, size: u64) -> Check {
        self.read(slice)?;
        if slice.size == size {
            Ok(())
        } else {
            Err(format!("{} bytes in place of {size}", slice.size))
        }
    }

    fn read(&self, slice: &Slice) -> Check {
        let plan = self.plan;
        let size = match slice.buffer {
            BufferReference::Input(number) => self.inputs.get(number as usize).copied(),
            BufferReference::Output(number) => self.outputs.get(number as usize).copied(),
            BufferReference::Arena => Some(plan.arena_size),
            BufferReference::Constant(number) => {
                plan.constants.get(number as usize).map(|bytes| bytes.len() as u64)
            }
        };
        let size = size.ok_or_else(|| format!("there is no {}", slice.buffer))?;
        match slice.offset.checked_add(slice.size) {
            Some(end) if end <= size => Ok(()),
            _ => Err(format!(
                "{} bytes at {} of {}, which has {size}",
                slice.size, slice.offset, slice.buffer
            )),
        }
    }

    fn write(&self, slice: &Slice) -> Check {
        match slice.buffer {
            BufferReference::Output(_) | BufferReference::Arena => self.read(slice),
            _ => Err(format!("{} is written to", slice.buffer)),
        }
    }
}

/// The product of the sizes if each is between 1 and its limit.
fn within(sizes: &[u32; 3], limits: [u32; 3]) -> Option<u64> {
    let fits = |(size, limit): (&u32, u32)| *size >= 1 && *size <= limit;
    let all = sizes.iter().zip(limits).all(fits);
    // Below 2^63 by the limits.
    all.then(|| sizes.iter().map(|size| u64::from(*size)).product())
}

fn overlap(one: &Slice, other: &Slice) -> bool {
    // Both are within their buffers, so the sums do not overflow.
    one.buffer == other.buffer
        && one.size > 0
        && other.size > 0
        && one.offset < other.offset + other.size
        && other.offset < one.offset + one.size
}

fn apart(source: &Slice, target: &Slice) -> Check {
    if overlap(source, target) {
        Err("source and target of a copy overlap".to_owned())
    } else {
        Ok(())
    }
}

/// Checks that a tensor is in its slice, and that the driver supports the map.
fn tensor_map(map: &TensorMap) -> Check {
    let width = map.element_type.byte_width() as u64;
    let [first, others @ ..] = &map.dimensions[..] else {
        return Err("a tensor map without dimensions".to_owned());
    };
    let row = u64::from(first.box_size) * width;
    let most = match map.swizzle {
        Swizzle::None => u64::MAX,
        Swizzle::Bytes128 => 128,
    };
    let fits = map.element_type.byte_width() == 2
        && others.len() < 5
        && first.stride == width
        && row.is_multiple_of(16)
        && row <= most
        && map.slice.offset.is_multiple_of(16)
        && others
            .iter()
            .all(|dimension| dimension.stride.is_multiple_of(16) && dimension.stride < 1 << 40)
        && map.dimensions.iter().all(|dimension| {
            (1..=1 << 32).contains(&dimension.size) && (1..=256).contains(&dimension.box_size)
        });
    let bytes = map.dimensions.iter().try_fold(width, |bytes, dimension| {
        bytes.checked_add(dimension.size.checked_sub(1)?.checked_mul(dimension.stride)?)
    });
    match bytes.filter(|bytes| fits && *bytes <= map.slice.size) {
        Some(_) => Ok(()),
        None => Err(format!("an unsupported tensor map: {map}")),
    }
}

/// Checks that a batch of matrices is in its slice, and returns the number of elements that one
/// matrix spans.
fn matrix(matrix: &GemmMatrix, batch: u64, rows: u64, columns: u64) -> Check<u64> {
    let (rows, columns) = if matrix.transposed {
        (columns, rows)
    } else {
        (rows, columns)
    };
    if matrix.leading_dimension < columns || i64::try_from(matrix.leading_dimension).is_err() {
        return Err(format!(
            "rows of {columns} elements every {}",
            matrix.leading_dimension
        ));
    }
    let width = matrix.element_type.byte_width() as u64;
    let own = (rows - 1)
        .checked_mul(matrix.leading_dimension)
        .and_then(|elements| elements.checked_add(columns));
    let bytes = own
        .and_then(|own| {
            let others = (batch - 1).checked_mul(matrix.batch_stride)?;
            others.checked_add(own)?.checked_mul(width)
        })
        .filter(|bytes| *bytes <= matrix.slice.size && i64::try_from(matrix.batch_stride).is_ok());
    match (own, bytes) {
        (Some(own), Some(_)) => Ok(own),
        _ => Err(format!(
            "{batch} matrices of {rows} by {columns} do not fit {} bytes",
            matrix.slice.size
        )),
    }
}

#[cfg(test)]
#[path = "validate_tests.rs"]
mod tests;
