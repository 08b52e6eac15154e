//! Shorthands for types and ops of EmitC.
//!
//! | MLIR type | C type | in memory |
//! |---|---|---|
//! | `index` | `int64_t` | the same |
//! | `i1` | `bool` | `uint8_t`, 0 or 1 |
//! | `i8` to `i64` | `uint8_t` to `uint64_t`, cast for signed ops | the same |
//! | other integers | the next wider of these types, zero-extended | the same |
//! | `f32`, `f64` | `float`, `double` | the same |
//! | `f16`, `bf16`, floats of 8 bits | unsigned integers with their bits | the same |
//! | `complex` | two values | two elements |
//! | `memref` | a pointer to its first element; sizes and strides are static | |
//!
//! Unsigned arithmetic wraps around, as in MLIR; overflow of signed arithmetic is undefined in C.

use halo_ir::{
    emitc::{lvalue, no_value, opaque, pointee, pointer},
    ops::emitc::{self, CmpPredicate},
    prelude::*,
};
use melior::ir::TypeLike;
use melior::ir::r#type::IntegerType;

/// The type of the runtime's context, which the preamble declares.
const CONTEXT: &str = "const halo_context";

/// Creates a binary op with a result of a type.
pub type Binary = for<'c> fn(&Builder<'c>, Value<'c>, Value<'c>, Type<'c>) -> Value<'c>;

/// `intN_t`.
pub fn signed(context: &Context, bits: u32) -> Type<'_> {
    IntegerType::new(context, bits).into()
}

/// `uintN_t`.
pub fn unsigned(context: &Context, bits: u32) -> Type<'_> {
    IntegerType::unsigned(context, bits).into()
}

/// `bool`.
pub fn boolean(context: &Context) -> Type<'_> {
    signed(context, 1)
}

/// A pointer to the context that the runtime passes to programs.
pub fn context_pointer(context: &Context) -> Type<'_> {
    pointer(opaque(context, CONTEXT))
}

/// The C types of a value: two for complex numbers, `None` for unsupported types.
pub fn value_types<'c>(context: &'c Context, ty: Type<'c>) -> Option<Vec<Type<'c>>> {
    if let Some(part) = ty.complex_element() {
        return Some(vec![value_type(context, part)?; 2]);
    }
    value_type(context, ty).map(|ty| vec![ty])
}

fn value_type<'c>(context: &'c Context, ty: Type<'c>) -> Option<Type<'c>> {
    if ty.is_memref() {
        return memory_type(context, ty.element_type()).map(pointer);
    }
    if ty.is_index() {
        return Some(signed(context, 64));
    }
    if ty.is_float() {
        return match ty.float_kind() {
            Some(FloatKind::F32 | FloatKind::F64) => Some(ty),
            _ => integer_of(context, ty.bit_width()?),
        };
    }
    match ty.integer_width() {
        Some(1) => Some(boolean(context)),
        Some(bits) => integer_of(context, bits),
        None => ty.is_llvm_pointer_type().then(|| context_pointer(context)),
    }
}

/// The narrowest integer type of at least so many bits.
fn integer_of(context: &Context, bits: u32) -> Option<Type<'_>> {
    let widths = [8, 16, 32, 64].into_iter();
    let mut widths = widths.filter(|width| bits <= *width);
    widths.next().map(|width| unsigned(context, width))
}

/// The C type of an element in memory, or of a component of a complex number.
pub fn memory_type<'c>(context: &'c Context, element: Type<'c>) -> Option<Type<'c>> {
    let element = element.complex_element().unwrap_or(element);
    match element.integer_width() {
        Some(1) => Some(unsigned(context, 8)),
        _ => value_type(context, element),
    }
}

/// The number of values per element in memory: 2 for complex numbers.
pub fn parts(element: Type) -> i64 {
    if element.is_complex() { 2 } else { 1 }
}

/// Creates ops of EmitC.
#[derive(Clone, Copy)]
pub struct CCode<'a, 'c>(pub &'a Builder<'c>);

impl<'c> CCode<'_, 'c> {
    fn context(&self) -> &'c Context {
        self.0.context()
    }

    /// An expression of C.
    pub fn literal(&self, text: &str, ty: Type<'c>) -> Value<'c> {
        emitc::literal(self.0, text, ty)
    }

    /// A constant of an integer type, given by its bits.
    pub fn integer(&self, bits: u64, ty: Type<'c>) -> Value<'c> {
        self.literal(&integer_text(bits, ty), ty)
    }

    /// An `int64_t`.
    pub fn index(&self, value: i64) -> Value<'c> {
        self.integer(value.cast_unsigned(), signed(self.context(), 64))
    }

    /// Casts a value to another type.
    pub fn cast(&self, value: Value<'c>, ty: Type<'c>) -> RewriteResult<Value<'c>> {
        if value.ty() == ty {
            Ok(value)
        } else {
            Ok(emitc::cast(self.0, value, ty))
        }
    }

    /// A binary operator on operands of one type.
    pub fn binary(&self, op: Binary, lhs: Value<'c>, rhs: Value<'c>) -> Value<'c> {
        op(self.0, lhs, rhs, lhs.ty())
    }

    /// A comparison.
    pub fn compare(&self, predicate: CmpPredicate, lhs: Value<'c>, rhs: Value<'c>) -> Value<'c> {
        emitc::cmp(self.0, predicate, lhs, rhs, boolean(self.context()))
    }

    /// A conditional expression: one of two values.
    pub fn conditional(
        &self,
        holds: Value<'c>,
        then: Value<'c>,
        otherwise: Value<'c>,
    ) -> Value<'c> {
        emitc::conditional(self.0, holds, then, otherwise, then.ty())
    }

    /// A call with one result.
    pub fn call(&self, callee: &str, operands: &[Value<'c>], ty: Type<'c>) -> Value<'c> {
        let call = emitc::CallOpaqueOp::build(self.0, callee, operands, &[ty]);
        call.value()
    }

    /// A call without a result.
    pub fn call_statement(&self, callee: &str, operands: &[Value<'c>]) {
        emitc::CallOpaqueOp::build(self.0, callee, operands, &[]).insert();
    }

    /// Verbatim lines of C with `{}` as placeholders of operands.
    pub fn verbatim(&self, text: &str, operands: &[Value<'c>]) {
        emitc::verbatim(self.0, text, operands);
    }

    /// An uninitialized variable, or an array.
    pub fn variable(&self, ty: Type<'c>) -> Value<'c> {
        emitc::variable(self.0, no_value(self.context()), ty)
    }

    /// An initialized variable.
    pub fn variable_of(&self, value: Value<'c>) -> Value<'c> {
        let variable = self.variable(lvalue(value.ty()));
        self.assign(variable, value);
        variable
    }

    /// Assigns to a variable.
    pub fn assign(&self, variable: Value<'c>, value: Value<'c>) {
        emitc::assign(self.0, variable, value);
    }

    /// The value of a variable.
    pub fn load(&self, variable: Value<'c>, ty: Type<'c>) -> Value<'c> {
        emitc::load(self.0, variable, ty)
    }

    /// An element of a pointer or array.
    pub fn subscript(&self, base: Value<'c>, index: Value<'c>, element: Type<'c>) -> Value<'c> {
        emitc::subscript(self.0, base, &[index], lvalue(element))
    }

    /// The address of an lvalue.
    pub fn address(&self, variable: Value<'c>, ty: Type<'c>) -> Value<'c> {
        emitc::address_of(self.0, variable, pointer(ty))
    }

    /// A pointer to the first element of an array.
    pub fn first(&self, array: Value<'c>, element: Type<'c>) -> Value<'c> {
        let first = self.subscript(array, self.index(0), element);
        self.address(first, element)
    }

    /// A pointer plus an offset in elements.
    pub fn offset(&self, base: Value<'c>, elements: Value<'c>) -> Value<'c> {
        self.binary(emitc::add, base, elements)
    }
}

/// The text of a constant of an integer type.
pub fn integer_text(bits: u64, ty: Type) -> String {
    let width = ty.integer_width().unwrap_or(64);
    if width == 1 {
        return (if bits & 1 == 1 { "true" } else { "false" }).to_owned();
    }
    let shift = 64 - width;
    if ty.is_unsigned() {
        let value = bits << shift >> shift;
        return match width {
            64 => format!("{value}ull"),
            _ => format!("{value}u"),
        };
    }
    match (bits << shift).cast_signed() >> shift {
        i64::MIN => "INT64_MIN".to_owned(),
        // The product of two such constants fits an `int`.
        value if value.unsigned_abs() <= 0x7fff => value.to_string(),
        value => format!("{value}ll"),
    }
}

/// The C name of a number type or a pointer to one, as in a declaration.
///
/// # Errors
/// Returns no match for other types.
pub fn c_name(ty: Type) -> RewriteResult<String> {
    if let Some(pointee) = pointee(ty) {
        return Ok(format!("{}*", c_name(pointee)?));
    }
    let other = || no_match(format!("C has no name for {ty}"));
    Ok(match ty.float_kind() {
        Some(FloatKind::F32) => "float".to_owned(),
        Some(FloatKind::F64) => "double".to_owned(),
        Some(_) => return Err(other()),
        None => match ty.integer_width().ok_or_else(other)? {
            1 => "bool".to_owned(),
            bits if ty.is_unsigned() => format!("uint{bits}_t"),
            bits => format!("int{bits}_t"),
        },
    })
}
