//! `--halo-bf16-as-integers`: moves bf16 values as integers.
//!
//! LLVM's instruction selection for a `select`, a `phi` or a shuffle of bf16 depends on the
//! processor's features. With AVX512-BF16 it widens both operands to f32 and rounds the result by
//! `vcvtneps2bf16`, which flushes subnormal numbers to zero. Therefore no bf16 reaches LLVM: memory
//! is loaded and stored as i16, as MLIR does for floats of 8 bits.
//!
//! ```mlir
//! %0 = llvm.load %p : !llvm.ptr -> bf16
//! %1 = llvm.load %q : !llvm.ptr -> bf16
//! %2 = llvm.select %condition, %0, %1 : i1, bf16
//! %bits = llvm.bitcast %2 : bf16 to i16
//! ```
//!
//! becomes
//!
//! ```mlir
//! %0 = llvm.load %p : !llvm.ptr -> i16
//! %1 = llvm.load %q : !llvm.ptr -> i16
//! %bits = llvm.select %condition, %0, %1 : i1, i16
//! ```
//!
//! Constants, function arguments and operands of ops that are not moves keep the type bf16, with
//! casts at the op. `--halo-expand-bf16` has removed all bf16 arithmetic before.

use halo_ir::{ops::llvm, prelude::*};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-bf16-as-integers",
    "Move values of bf16 as integers of 16 bits",
    run,
)
.dependent_dialects(&["llvm"]);

/// The ops that move values without interpreting their bits.
const MOVES: &[&str] = &[
    llvm::BitcastOp::NAME,
    llvm::BrOp::NAME,
    llvm::CondBrOp::NAME,
    llvm::ExtractElementOp::NAME,
    llvm::InsertElementOp::NAME,
    llvm::LoadOp::NAME,
    llvm::SelectOp::NAME,
    llvm::ShuffleVectorOp::NAME,
    llvm::StoreOp::NAME,
    "llvm.intr.masked.gather",
    "llvm.intr.masked.load",
    "llvm.intr.masked.scatter",
    "llvm.intr.masked.store",
];

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let module = pass.operation();
    if !has_bf16(module) {
        return Ok(());
    }
    legalize(module);
    Ok(())
}

/// Returns true if a program has a result or block argument of bf16.
fn has_bf16(module: Operation) -> bool {
    let is_bf16 = |value: Value| {
        let element = value.ty().element_type();
        element.float_kind() == Some(FloatKind::BF16)
    };
    let found = module.walk(WalkOrder::PreOrder, |op| {
        let blocks = op.blocks().into_iter();
        let mut arguments = blocks.flat_map(Block::arguments);
        if op.results().into_iter().any(is_bf16) || arguments.any(is_bf16) {
            WalkResult::Interrupt
        } else {
            WalkResult::Advance
        }
    });
    found == WalkResult::Interrupt
}

fn legalize(module: Operation) {
    let context = module.context();
    let (moves, others): (Vec<_>, Vec<_>) =
        module.collect_nested(|_| true).into_iter().partition(|op| is_move(*op));
    let mut moved: Vec<Value> = moves.iter().copied().flat_map(Operation::results).collect();
    for op in others {
        cast_operands(op);
        let cast_for_moves = |value| cast_for_moves(context, value);
        op.results().into_iter().for_each(cast_for_moves);
        for blocks in op.regions().into_iter().map(RegionExt::blocks) {
            let mut arguments = blocks.into_iter().map(Block::arguments);
            // Arguments of the entry block are in the function type.
            let entry = arguments.next().unwrap_or_default();
            entry.into_iter().for_each(cast_for_moves);
            moved.extend(arguments.flatten());
        }
    }
    for value in moved {
        if let Some(bits) = bits_of_bf16(context, value.ty()) {
            value.set_type(bits);
        }
    }
    let casts = moves.into_iter().filter_map(Operation::cast);
    casts.into_iter().for_each(remove_identity);
}

fn is_move(operation: Operation) -> bool {
    MOVES.contains(&operation.name())
}

/// The integers with the bits of a bf16 or of a vector of them; `None` for other types.
fn bits_of_bf16<'c>(context: &'c Context, ty: Type<'c>) -> Option<Type<'c>> {
    let element = ty.element_type();
    if element.float_kind() != Some(FloatKind::BF16) {
        return None;
    }
    let bits = integer_type(context, 16);
    if element == ty {
        return Some(bits);
    }
    ty.is_vector().then(|| ty.vector_with_element(bits))
}

/// Casts the operands of an op that is not a move. The operands become integers afterwards.
fn cast_operands(operation: Operation) {
    for (index, operand) in operation.operands().into_iter().enumerate() {
        if bits_of_bf16(operation.context(), operand.ty()).is_some() {
            let cast = with_builder(operation, |b| llvm::bitcast(b, operand, operand.ty()));
            operation.set_operand(index, cast);
        }
    }
}

/// Casts a value that stays a bf16 for its users that are moves.
fn cast_for_moves<'c>(context: &'c Context, value: Value<'c>) {
    let Some(bits) = bits_of_bf16(context, value.ty()) else {
        return;
    };
    for user in value.users().into_iter().filter(|user| is_move(*user)) {
        for (index, operand) in user.operands().into_iter().enumerate() {
            if operand == value {
                let cast = with_builder(user, |b| llvm::bitcast(b, value, bits));
                user.set_operand(index, cast);
            }
        }
    }
}

fn remove_identity(cast: llvm::BitcastOp) {
    let operand = cast.arg();
    if operand.ty() == cast.res().ty() {
        with_builder(cast.operation(), |b| {
            b.replace(cast.operation(), &[operand])
        });
    }
}
