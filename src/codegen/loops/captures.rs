//! The values that a loop captures, and aliasing among captured buffers.

use crate::{function, loops::sizes::size_in_bytes};
use halo_hlo::donated_arguments::is_shared;
use halo_ir::{
    Region,
    ops::{arith::constant_index, complex, memref::view_source, ub},
    prelude::*,
};
use std::{
    collections::{HashMap, HashSet},
    hash::{DefaultHasher, Hash, Hasher},
};

/// The attribute of an argument that does not alias another argument.
const NO_ALIAS: &str = "llvm.noalias";

/// The values that ops, such as a loop, capture, and the defining ops that are cloned into the
/// outlined function instead.
pub struct Captures<'c> {
    /// The captured values, in the order of their first use.
    pub values: Vec<Value<'c>>,
    /// The cloned ops, in dependence order.
    pub cloned: Vec<Operation<'c>>,
    /// The number of operands of the ops.
    pub uses: usize,
    /// The capturing ops, by their keys.
    around: HashMap<usize, Operation<'c>>,
}

impl<'c> Captures<'c> {
    /// The captures of a loop, including its bounds if they are not constant;
    /// `None` if one can be neither captured nor cloned.
    pub fn of(operation: Operation<'c>) -> Option<Self> {
        let mut used = Vec::new();
        operation.visit(&mut |nested| {
            // The caller handles the upper bound.
            let skipped = usize::from(nested == operation);
            for (number, operand) in nested.operands().into_iter().enumerate() {
                if skipped == 0 || number != 1 {
                    used.push(operand);
                }
            }
        });
        Self::of_uses(vec![operation], used)
    }

    /// The captures of ops of one block; `None` if one can be neither captured nor cloned.
    pub fn of_all(operations: &[Operation<'c>]) -> Option<Self> {
        let mut used = Vec::new();
        for operation in operations {
            operation.visit(&mut |nested| used.extend(nested.operands()));
        }
        Self::of_uses(operations.to_vec(), used)
    }

    fn of_uses(around: Vec<Operation<'c>>, used: Vec<Value<'c>>) -> Option<Self> {
        let mut captures = Self {
            values: Vec::new(),
            cloned: Vec::new(),
            uses: used.len(),
            around: around.into_iter().map(|op| (op.key(), op)).collect(),
        };
        let mut seen = HashSet::new();
        for value in used {
            captures.take(value, &mut seen)?;
        }
        Some(captures)
    }

    /// Clones ops to the insertion point, in a function whose arguments are the captured values,
    /// and returns the replacements of outside values.
    pub fn clone_into(&self, builder: &Builder<'c>, arguments: &[Value<'c>]) -> ValueMap<'c> {
        let values = self.values.iter().map(|value| value.key());
        let mut map: ValueMap = values.zip(arguments.iter().copied()).collect();
        for operation in &self.cloned {
            builder.clone_op(*operation, &mut map);
        }
        map
    }

    /// The types of the captured values.
    pub fn types(&self) -> Vec<Type<'c>> {
        self.values.iter().map(|value| value.ty()).collect()
    }

    /// The body of a function of the captured values. It contains copies of `operations` and
    /// returns copies of `results`.
    pub fn function_body(
        &self,
        builder: &Builder<'c>,
        operations: &[Operation<'c>],
        results: &[Value<'c>],
    ) -> Region<'c> {
        builder.region(&self.types(), |builder, arguments| {
            let mut map = self.clone_into(builder, arguments);
            for operation in operations {
                builder.clone_op(*operation, &mut map);
            }
            let results = results.iter().map(|result| mapped(&map, *result));
            func::return_(builder, &results.collect::<Vec<_>>());
        })
    }

    /// The argument attributes for the captured values, with `llvm.noalias` for marked buffers.
    pub fn argument_attributes(
        &self,
        context: &'c Context,
        is_marked: &[bool],
    ) -> Vec<Attribute<'c>> {
        let empty = function::empty_dictionary(context);
        let no_alias = Attribute::parse(context, &format!("{{{NO_ALIAS}}}")).or(empty);
        let marks = self.values.iter().zip(is_marked);
        let attributes = marks.map(|(value, is_marked)| {
            let is_noted = value.ty().is_memref() && *is_marked;
            if is_noted { no_alias } else { empty }
        });
        attributes.flatten().collect()
    }

    /// Clones additions of a constant to a captured value instead of capturing the sum. The
    /// function then has fewer arguments, and lengths of ranges stay visible in it.
    pub fn clone_sums(&mut self) {
        let is_known = |captures: &Self, value: &Value<'c>| {
            let sum = index::sum_with_constant(*value);
            sum.is_some_and(|(other, _)| captures.values.contains(&other))
        };
        while let Some(position) = self.values.iter().position(|value| is_known(self, value)) {
            let value = self.values.remove(position);
            let Some(sum) = value.defining_op() else {
                continue;
            };
            let constants = sum.operands().into_iter().filter_map(Value::defining_op);
            let constants = constants.filter(|operation| operation.isa::<arith::ConstantOp>());
            // Ops that are already cloned may use the sum.
            let needed: Vec<_> = constants.chain([sum]).collect();
            self.cloned.retain(|operation| !needed.contains(operation));
            self.cloned.splice(0..0, needed);
        }
    }

    fn take(&mut self, value: Value<'c>, seen: &mut HashSet<usize>) -> Option<()> {
        if !seen.insert(value.key()) || self.is_inner(value) {
            return Some(());
        }
        let defining = value.defining_op();
        if let Some(operation) = defining
            && is_cloned(operation, value)
        {
            for operand in operation.operands() {
                self.take(operand, seen)?;
            }
            self.cloned.push(operation);
            return Some(());
        }
        let ty = value.ty();
        let plain_memref = ty.is_memref() && is_bare_pointer(ty);
        let scalar = ty.is_integer() || ty.is_index() || ty.is_float() || ty.is_complex();
        if !plain_memref && !scalar {
            return None;
        }
        self.values.push(value);
        Some(())
    }

    fn is_inner(&self, value: Value<'c>) -> bool {
        let owner = match value.as_block_argument() {
            Some((block, _)) => block.parent(),
            None => value.defining_op(),
        };
        // Results of a loop are not defined inside it, but no op inside can use them.
        let mut enclosing = std::iter::successors(owner, |owner| owner.parent());
        enclosing.any(|op| self.around.contains_key(&op.key()))
    }
}

/// Replaces captured values in ops that were moved, and in their regions.
pub fn replace_captured<'c>(
    builder: &Builder<'c>,
    operations: &[Operation<'c>],
    map: &ValueMap<'c>,
) {
    for operation in operations {
        operation.visit(&mut |nested| {
            for (number, operand) in nested.operands().into_iter().enumerate() {
                if let Some(inside) = map.get(&operand.key()) {
                    builder.modify(nested, || nested.set_operand(number, *inside));
                }
            }
        });
    }
}

/// Whether an op is cloned inside a kernel: constants and globals, which are free, and views that
/// cannot be passed as a bare pointer.
fn is_cloned(operation: Operation, value: Value) -> bool {
    match operation.name() {
        arith::ConstantOp::NAME
        | complex::ConstantOp::NAME
        | memref::GetGlobalOp::NAME
        | ub::PoisonOp::NAME
        | vector::BroadcastOp::NAME
        | complex::CreateOp::NAME => true,
        _ => view_source(operation).is_some() && !is_bare_pointer(value.ty()),
    }
}

/// Whether a buffer can be passed as a pointer: its strides are constants, and it starts at the
/// pointer.
fn is_bare_pointer(ty: Type) -> bool {
    let strides = ty.strides().filter(|_| ty.has_identity_layout());
    ty.static_shape().is_some() && ty.has_identity_layout()
        || strides.is_some_and(|(strides, _)| !strides.contains(&None))
}

/// The memory that a memref may access: a range of bytes of a root, or all bytes if `end` is
/// `u64::MAX`.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Footprint {
    /// The underlying buffer, or `None` if it is unknown.
    root: Option<usize>,
    start: u64,
    end: u64,
}

impl Footprint {
    fn of(value: Value) -> Self {
        let unknown = Self {
            root: None,
            start: 0,
            end: u64::MAX,
        };
        if let Some((block, number)) = value.as_block_argument() {
            let Some(owner) = block.parent() else {
                return unknown;
            };
            // JAX marks arguments whose buffer may be donated to a result.
            return if !owner.isa::<func::FuncOp>() || is_shared(owner, number) {
                unknown
            } else {
                Self {
                    root: Some(value.key()),
                    ..unknown
                }
            };
        }
        let Some(operation) = value.defining_op() else {
            return unknown;
        };
        match operation.name() {
            memref::AllocOp::NAME | memref::AllocaOp::NAME => Self {
                root: Some(operation.key()),
                ..unknown
            },
            memref::GetGlobalOp::NAME => {
                let mut hasher = DefaultHasher::new();
                let name = operation.attribute("name").and_then(Attribute::symbol_value);
                name.hash(&mut hasher);
                Self {
                    root: Some(hasher.finish() as usize),
                    ..unknown
                }
            }
            memref::ViewOp::NAME => {
                let view = memref::ViewOp::from_unchecked(operation);
                let source = Self::of(view.source());
                let offset: Option<u64> =
                    constant_index(view.byte_shift()).and_then(|offset| offset.try_into().ok());
                // Buffers of dynamic size that are live at once have separate places in the arena,
                // after the buffers of static size.
                let is_dynamic = offset.is_none() || value.ty().static_shape().is_none();
                if is_dynamic && source.root.is_some() {
                    return Self {
                        root: Some(view.byte_shift().key()),
                        ..unknown
                    };
                }
                match (offset, size_in_bytes(value.ty())) {
                    (Some(offset), Some(size)) if source.start == 0 => Self {
                        root: source.root,
                        start: offset,
                        end: offset + size,
                    },
                    _ => source,
                }
            }
            _ => view_source(operation).map_or(unknown, Self::of),
        }
    }

    fn overlaps(&self, other: &Self) -> bool {
        match (self.root, other.root) {
            (Some(own), Some(their)) if own != their => false,
            (Some(_), Some(_)) => self.start < other.end && other.start < self.end,
            _ => true,
        }
    }
}

/// Whether two memrefs may share memory.
pub fn may_overlap(one: Value, other: Value) -> bool {
    Footprint::of(one).overlaps(&Footprint::of(other))
}

/// For each captured value, whether it is a buffer that no other captured value aliases if either
/// is written.
pub fn overlap_free(captures: &Captures) -> Vec<bool> {
    let footprints: Vec<Footprint> =
        captures.values.iter().map(|value| Footprint::of(*value)).collect();
    let written: HashSet<usize> =
        captures.around.values().flat_map(|around| written_inside(*around)).collect();
    let written: Vec<bool> =
        captures.values.iter().map(|value| written.contains(&value.key())).collect();
    (0..footprints.len())
        .map(|own| {
            (0..footprints.len()).all(|other| {
                own == other
                    || !captures.values[other].ty().is_memref()
                    || !(written[own] || written[other])
                    || !footprints[own].overlaps(&footprints[other])
            })
        })
        .collect()
}

/// For each argument of a function, whether it is marked as `llvm.noalias`.
pub fn overlap_free_arguments(function: Operation) -> Vec<bool> {
    let arguments = function.body(0).map(Block::arguments).unwrap_or_default();
    let attributes = function.attribute("arg_attrs").map(Attribute::array_elements);
    let attributes = attributes.unwrap_or_default().into_iter();
    let mut are_marked: Vec<_> = attributes
        .map(|attributes| attributes.dictionary_entry(NO_ALIAS).is_some())
        .collect();
    are_marked.resize(arguments.len(), false);
    are_marked
}

/// The keys of the memrefs that ops inside a loop may write, and of their view sources.
fn written_inside(around: Operation) -> HashSet<usize> {
    let mut written = HashSet::new();
    around.visit(&mut |op| {
        if view_source(op).is_some() {
            return;
        }
        for (number, operand) in op.operands().into_iter().enumerate() {
            if !operand.ty().is_memref() || only_reads(op, number) {
                continue;
            }
            let mut memref = Some(operand);
            while let Some(value) = memref {
                written.insert(value.key());
                memref = value.defining_op().and_then(|view| view_source(view));
            }
        }
    });
    written
}

/// Whether an op only reads from an operand.
pub fn only_reads(op: Operation, number: usize) -> bool {
    matches!(
        (op.name(), number),
        (
            memref::LoadOp::NAME | vector::LoadOp::NAME | vector::TransferReadOp::NAME,
            _
        ) | (memref::CopyOp::NAME, 0)
            | (
                memref::DimOp::NAME
                    | vector::MaskedLoadOp::NAME
                    | vector::GatherOp::NAME
                    | memref::PrefetchOp::NAME,
                _
            )
    )
}
