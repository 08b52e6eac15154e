//! SVE instructions on fixed-length vectors.
//!
//! LLVM selects SVE instructions for generic ops on vectors of a known fixed length. Other
//! instructions are intrinsics on scalable vectors. Fixed-length vectors are inserted into and
//! extracted from scalable ones, which needs no instructions:
//!
//! ```mlir
//! %any = ub.poison : vector<[4]xi32>
//! %0 = vector.scalable.insert %sums, %any[0] : vector<16xi32> into vector<[4]xi32>
//! // ... %1 and %2 of vector<64xi8>
//! %3 = llvm.call_intrinsic "llvm.aarch64.sve.sdot.nxv4i32"(%0, %1, %2) : ...
//! %4 = vector.scalable.extract %3[0] : vector<16xi32> from vector<[4]xi32>
//! ```

use super::dot::{Dot, Number, Sums, intrinsic, letter};
use halo_ir::{ops::ub, prelude::*};

/// The length of registers is a multiple of this many bits.
const UNIT: u32 = 128;

/// `sdot` and `udot`: four bytes of one sign, on registers of any length.
pub const SDOT: &Dot = &Dot {
    number: Number::Byte,
    size: 4,
    signs: &[[true, true], [false, false]],
    widths: &[128, 256, 512],
    sums: Sums::Vectors(|builder, signs, [lhs, rhs], sums| {
        let name = format!("{}dot", letter(signs[0]));
        call(builder, &name, &[sums, lhs, rhs], None)
    }),
};

/// Calls `llvm.aarch64.sve.NAME` on vectors that fit into registers. The result has the type of the
/// first operand.
pub fn call<'c>(
    builder: &Builder<'c>,
    name: &str,
    operands: &[Value<'c>],
    immediate: Option<i64>,
) -> Value<'c> {
    let first = *operands.first().unwrap_or_else(|| bug("an intrinsic of SVE has no operands"));
    let registers = operands.iter().map(|operand| register(builder, *operand));
    let mut given = registers.collect::<Vec<_>>();
    if let Some(immediate) = immediate {
        given.push(number(builder, 32, immediate));
    }
    vector(
        builder,
        call_on_registers(builder, name, &given),
        first.ty(),
    )
}

/// Calls the intrinsic on registers; the result has the type of the first operand.
fn call_on_registers<'c>(builder: &Builder<'c>, name: &str, operands: &[Value<'c>]) -> Value<'c> {
    let register = operands
        .first()
        .unwrap_or_else(|| bug("an intrinsic of SVE has no operands"))
        .ty();
    let element = register.element_type();
    let lanes = lanes_of_unit(element);
    let name = format!("llvm.aarch64.sve.{name}.nxv{lanes}{element}");
    intrinsic(builder, &name, operands, register)
}

fn number<'c>(builder: &Builder<'c>, bits: u32, value: i64) -> Value<'c> {
    arith::constant(builder, integer_type(builder.context(), bits), value)
}

/// The elements per 128-bit unit of a register.
pub fn lanes_of_unit(element: Type) -> i64 {
    let bits = element.bit_width().unwrap_or_else(|| bug("no register has these"));
    i64::from(UNIT / bits)
}

/// The register type for an element type.
pub fn register_type<'c>(builder: &Builder<'c>, element: Type<'c>) -> Type<'c> {
    scalable(builder, lanes_of_unit(element), element)
}

/// The scalable vector type with `lanes` elements per unit.
pub fn scalable<'c>(builder: &Builder<'c>, lanes: i64, element: Type<'c>) -> Type<'c> {
    let text = format!("vector<[{lanes}]x{element}>");
    Type::parse(builder.context(), &text).unwrap_or_else(|| bug("no register has such elements"))
}

/// Inserts a vector into the low lanes of a register.
pub fn register<'c>(builder: &Builder<'c>, vector: Value<'c>) -> Value<'c> {
    let ty = register_type(builder, vector.ty().element_type());
    let any = ub::poison(builder, ty);
    vector::scalable_insert(builder, vector, any, 0)
}

/// Extracts the vector in the low lanes of a register.
pub fn vector<'c>(builder: &Builder<'c>, register: Value<'c>, ty: Type<'c>) -> Value<'c> {
    vector::scalable_extract(builder, register, 0, ty)
}

/// Replicates a 128-bit vector in all units of a register. A load folds into it as one instruction,
/// `ld1rq`.
pub fn in_all_units<'c>(builder: &Builder<'c>, vector: Value<'c>) -> Value<'c> {
    let low = register(builder, vector);
    let unit = number(builder, 64, 0);
    call_on_registers(builder, "dupq.lane", &[low, unit])
}

/// Adds the products of a register with a lane of each unit of another register, rounded once.
pub fn multiply_add_by_element<'c>(
    builder: &Builder<'c>,
    (factor, elements): (Value<'c>, Value<'c>),
    lane: i64,
    sums: Value<'c>,
) -> Value<'c> {
    let lane = number(builder, 32, lane);
    call_on_registers(builder, "fmla.lane", &[sums, factor, elements, lane])
}

/// The last `count` elements of a vector, followed by the first elements of another one: one
/// instruction, `ext`.
pub fn shifted_in<'c>(
    builder: &Builder<'c>,
    first: Value<'c>,
    second: Value<'c>,
    (lanes, count): (i64, i64),
) -> Value<'c> {
    call(builder, "ext", &[first, second], Some(lanes - count))
}
