//! Constants as text: scalars as expressions, and tables of weights.

use super::super::c_code::{CCode, integer_text, memory_type, unsigned};
use halo_ir::prelude::*;

/// The number of elements per line of a table.
const LINE: usize = 16;

/// A scalar constant as an expression of its C type.
pub fn scalar<'c>(
    code: CCode<'_, 'c>,
    value: Attribute<'c>,
    ty: Type<'c>,
) -> RewriteResult<Value<'c>> {
    let (known, bits) = value.number_bits().ok_or_else(|| no_match("the constant is no number"))?;
    let bits = match known.integer_width() {
        Some(width) if width < 64 => bits & ((1 << width) - 1),
        _ => bits,
    };
    Ok(code.literal(&number_text(bits, ty), ty))
}

/// The bits of a number as an expression of its C type.
fn number_text(bits: u64, ty: Type) -> String {
    match ty.float_kind() {
        Some(FloatKind::F32) => match f32::from_bits(bits as u32) {
            value if value.is_nan() => format!("halo_u32_as_f32({bits}u)"),
            value if value.is_infinite() => infinity(value > 0.0).to_owned(),
            value => format!("{value:?}f"),
        },
        Some(FloatKind::F64) => match f64::from_bits(bits) {
            value if value.is_nan() => format!("halo_u64_as_f64({bits}ull)"),
            value if value.is_infinite() => infinity(value > 0.0).to_owned(),
            value => format!("{value:?}"),
        },
        _ => integer_text(bits, ty),
    }
}

fn infinity(is_positive: bool) -> &'static str {
    if is_positive { "INFINITY" } else { "-INFINITY" }
}

/// A constant array.
pub struct Table {
    /// Its declaration.
    pub declaration: String,
    /// A pointer to its first element.
    pub address: String,
}

impl Table {
    /// The table of a constant.
    ///
    /// # Errors
    /// Returns an error if C has no type for its elements, or if their values are not available.
    pub fn of(context: &Context, name: &str, global: memref::GlobalOp) -> RewriteResult<Self> {
        let invalid = |what: &str| RewriteError::Invalid(format!("constant '{name}' {what}"));
        let element = global.type_().element_type();
        let part = memory_type(context, element).ok_or_else(|| invalid("is of no type of C"))?;
        let value = global.initial_value().ok_or_else(|| invalid("has no value"))?;
        let words = words(value, part).ok_or_else(|| invalid("has no elements"))?;
        Ok(Self::of_words(context, name, &words, part))
    }

    /// Floats with NaNs are written as bits, since C has no literals for all NaNs.
    fn of_words(context: &Context, name: &str, words: &[u64], part: Type) -> Self {
        let is_nan = |word: &u64| match part.float_kind() {
            Some(FloatKind::F32) => f32::from_bits(*word as u32).is_nan(),
            Some(_) => f64::from_bits(*word).is_nan(),
            None => false,
        };
        let (size, ty) = (words.len().max(1), type_name(part));
        let head = "static const _Alignas(64)";
        let (declaration, values) = if words.iter().any(is_nan) {
            let bits = unsigned(context, part.bit_width().unwrap_or(64));
            let r#union = format!(
                "union {{ {} bits[{size}]; {ty} values[{size}]; }}",
                type_name(bits)
            );
            let list = list(words, bits);
            (
                format!("{head} {union} {name} = {{{list}}};"),
                format!("{name}.values"),
            )
        } else {
            let list = list(words, part);
            (
                format!("{head} {ty} {name}[{size}] = {list};"),
                name.to_owned(),
            )
        };
        Self {
            declaration,
            address: format!("(({ty}*){values})"),
        }
    }
}

/// The C name of an element type in memory.
fn type_name(part: Type) -> String {
    match (part.float_kind(), part.bit_width().unwrap_or(64)) {
        (Some(FloatKind::F32), _) => "float".to_owned(),
        (Some(_), _) => "double".to_owned(),
        (None, bits) if part.is_unsigned() => format!("uint{bits}_t"),
        (None, bits) => format!("int{bits}_t"),
    }
}

/// The initializer list. C zero-initializes omitted trailing elements.
fn list(words: &[u64], part: Type) -> String {
    let written = words.iter().rposition(|word| *word != 0).map_or(1, |last| last + 1);
    let mut text = "{".to_owned();
    for (index, word) in words[..written.min(words.len())].iter().enumerate() {
        match index % LINE {
            _ if index == 0 => {}
            0 => text.push_str(",\n  "),
            _ => text.push_str(", "),
        }
        text.push_str(&number_text(*word, part));
    }
    if words.is_empty() {
        text.push('0');
    }
    text.push('}');
    text
}

/// The bits of the elements of a constant, with separate components of complex numbers.
fn words(value: Attribute, part: Type) -> Option<Vec<u64>> {
    let data = value.dense_data()?;
    let element = data.ty.element_type();
    let count = usize::try_from(data.ty.element_count()?).ok()?;
    let stored: Vec<u64> = if element.integer_width() == Some(1) {
        let bit = |index: usize| Some(u64::from(data.bytes.get(index / 8)? >> (index % 8) & 1));
        let stored = if data.splat { 1 } else { count };
        (0..stored).map(bit).collect::<Option<_>>()?
    } else {
        let width = part.bit_width()?.div_ceil(8) as usize;
        let word = |bytes: &[u8]| {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            u64::from_le_bytes(word)
        };
        data.bytes.chunks_exact(width).map(word).collect()
    };
    Some(if data.splat {
        stored.repeat(count)
    } else {
        stored
    })
}
