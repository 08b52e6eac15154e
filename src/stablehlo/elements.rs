//! Types and elements as text, and lists of integers in attributes.

use halo_vhlo::{
    Arena, Attribute, AttributeId, Module, Type, TypeId,
    types::{DYNAMIC, QuantizedStorage},
};

pub(crate) fn join<T>(items: impl IntoIterator<Item = T>, text: impl FnMut(T) -> String) -> String {
    items.into_iter().map(text).collect::<Vec<_>>().join(", ")
}

/// An integer attribute.
pub(crate) fn integer(module: &Module, id: AttributeId) -> Option<i64> {
    integer_in(&module.types, &module.attributes, id)
}

pub(crate) fn integer_in(
    types: &Arena<Type>,
    attributes: &Arena<Attribute>,
    id: AttributeId,
) -> Option<i64> {
    match attributes.get(id) {
        Attribute::Integer { ty, bits } => match types.get(*ty) {
            Type::Integer { width, .. } => {
                let unused = 64 - (*width).clamp(1, 64);
                Some(((*bits << unused) as i64) >> unused)
            }
            _ => Some(*bits as i64),
        },
        _ => None,
    }
}

pub(crate) fn integers(module: &Module, id: AttributeId) -> Option<(Vec<i64>, Vec<i64>)> {
    integers_in(&module.types, &module.attributes, id)
}

/// The shape and the values of a tensor of booleans or of integers of at least 32 bits.
pub(crate) fn integers_in(
    types: &Arena<Type>,
    attributes: &Arena<Attribute>,
    id: AttributeId,
) -> Option<(Vec<i64>, Vec<i64>)> {
    let Attribute::Tensor { ty, data } = attributes.get(id) else {
        return None;
    };
    let Type::RankedTensor { shape, element, .. } = types.get(*ty) else {
        return None;
    };
    let count = usize::try_from(shape.iter().product::<i64>()).ok()?;
    let mut values: Vec<i64> = match types.get(*element) {
        Type::Boolean if count == 1 || data.len() != 1 || data[0] != 0xff => {
            let bit =
                |index: usize| data.get(index / 8).is_some_and(|byte| byte >> (index % 8) & 1 == 1);
            (0..count).map(|index| i64::from(bit(index))).collect()
        }
        Type::Boolean => vec![1; count],
        Type::Integer { width: 64, .. } | Type::Index => {
            data.as_chunks().0.iter().map(|word| i64::from_le_bytes(*word)).collect()
        }
        Type::Integer { width: 32, .. } => {
            let words = data.as_chunks().0.iter();
            words.map(|word| i64::from(i32::from_le_bytes(*word))).collect()
        }
        _ => return None,
    };
    if let [splat] = values[..] {
        values = vec![splat; count];
    }
    Some((shape.clone(), values))
}

/// A finite number in MLIR's syntax, which needs a point.
pub(crate) fn decimal(number: f64) -> String {
    let text = format!("{number:?}");
    match text.split_once('e') {
        Some((mantissa, exponent)) if !mantissa.contains('.') => format!("{mantissa}.0e{exponent}"),
        _ => text,
    }
}

/// The bytes of an element in MLIR's storage.
fn element_bytes(module: &Module, element: TypeId) -> usize {
    match module.types.get(element) {
        Type::Integer { width, .. } => (*width as usize).div_ceil(8),
        Type::Float(format) => (format.width() as usize).div_ceil(8),
        Type::Complex(part) => 2 * element_bytes(module, *part),
        Type::Boolean => 1,
        _ => 8,
    }
}

/// One element, from its bytes in memory.
pub(crate) fn element_text(module: &Module, element: TypeId, bytes: &[u8]) -> String {
    let word = |count: usize| {
        let mut word = [0; 8];
        for (to, from) in word.iter_mut().zip(&bytes[..count.min(bytes.len())]) {
            *to = *from;
        }
        u64::from_le_bytes(word)
    };
    match module.types.get(element) {
        Type::Integer { width, unsigned } => {
            let unused = 64 - (*width).clamp(1, 64);
            let bits = word(bytes.len()) << unused;
            if *unsigned {
                (bits >> unused).to_string()
            } else {
                (bits as i64 >> unused).to_string()
            }
        }
        Type::Float(format) => {
            let bits = word((format.width() as usize).div_ceil(8));
            let number = match format.width() {
                32 => f64::from(f32::from_bits(bits as u32)),
                64 => f64::from_bits(bits),
                _ => f64::NAN,
            };
            if number.is_finite() {
                decimal(number)
            } else {
                let digits = (format.width() as usize).div_ceil(4);
                format!("0x{bits:0digits$X}")
            }
        }
        Type::Complex(part) => {
            let (real, imaginary) = bytes.split_at(bytes.len() / 2);
            let text = |bytes| element_text(module, *part, bytes);
            format!("({}, {})", text(real), text(imaginary))
        }
        _ => word(bytes.len()).to_string(),
    }
}

/// The most elements that are printed one by one.
const MAX_LISTED: usize = 64;

/// `dense<...>`
pub(crate) fn elements(module: &Module, ty: TypeId, data: &[u8]) -> String {
    let (shape, element) = match module.types.get(ty) {
        Type::RankedTensor { shape, element, .. } => (&shape[..], *element),
        _ => (&[][..], ty),
    };
    let count = shape.iter().product::<i64>().max(0) as usize;
    if count == 0 {
        return "dense<>".to_owned();
    }
    if *module.types.get(element) == Type::Boolean {
        let bit = |index: usize| {
            let byte = data.get(index / 8).copied().unwrap_or_default();
            (byte >> (index % 8) & 1 == 1).to_string()
        };
        let is_splat = data.len() == 1 && (count == 1 || matches!(data[0], 0 | 0xff));
        return if is_splat {
            format!("dense<{}>", bit(0))
        } else {
            format!("dense<{}>", nested(shape, &mut (0..count).map(bit)))
        };
    }
    let size = element_bytes(module, element);
    let mut texts = data.chunks_exact(size).map(|bytes| element_text(module, element, bytes));
    if data.len() == size {
        return format!("dense<{}>", texts.next().unwrap_or_default());
    }
    if count > MAX_LISTED {
        let digits: String = data.iter().map(|byte| format!("{byte:02X}")).collect();
        return format!("dense<\"0x{digits}\">");
    }
    format!("dense<{}>", nested(shape, &mut texts))
}

fn nested(shape: &[i64], texts: &mut impl Iterator<Item = String>) -> String {
    let Some((size, inner)) = shape.split_first() else {
        return texts.next().unwrap_or_default();
    };
    let rows: Vec<String> = (0..*size).map(|_| nested(inner, &mut *texts)).collect();
    format!("[{}]", rows.join(", "))
}

/// The text of a type.
pub(crate) fn type_text(types: &Arena<Type>, attributes: &Arena<Attribute>, id: TypeId) -> String {
    let text = |id: &TypeId| type_text(types, attributes, *id);
    let sizes = |shape: &[i64]| -> String {
        shape
            .iter()
            .map(|size| match *size {
                DYNAMIC => "?x".to_owned(),
                size => format!("{size}x"),
            })
            .collect()
    };
    let quantized = |storage: &QuantizedStorage, axis: &str, parameters: &str| {
        let width = match types.get(storage.storage) {
            Type::Integer { width, .. } => *width,
            _ => 8,
        };
        let unsigned = storage.flags & 1 == 0;
        let letter = if unsigned { 'u' } else { 'i' };
        let full = full_range(width, unsigned);
        let range = if full == (storage.min, storage.max) {
            String::new()
        } else {
            format!("<{}:{}>", storage.min, storage.max)
        };
        let expressed = text(&storage.expressed);
        format!("!quant.uniform<{letter}{width}{range}:{expressed}{axis}, {parameters}>")
    };
    let parameter = |scale: u64, zero: i64| match zero {
        0 => decimal(f64::from_bits(scale)),
        zero => format!("{}:{zero}", decimal(f64::from_bits(scale))),
    };
    match types.get(id) {
        Type::Boolean => "i1".to_owned(),
        Type::Float(format) => {
            let name = format!("{format:?}");
            let digits = name.find(|letter: char| letter.is_ascii_digit()).unwrap_or_default();
            name[..digits].to_lowercase() + &name[digits..]
        }
        Type::Integer { width, unsigned } => {
            let letter = if *unsigned { "ui" } else { "i" };
            format!("{letter}{width}")
        }
        Type::Index => "index".to_owned(),
        Type::Complex(part) => format!("complex<{}>", text(part)),
        Type::Function { inputs, outputs } => {
            format!("({}) -> ({})", join(inputs, text), join(outputs, text))
        }
        Type::RankedTensor {
            shape,
            element,
            encoding,
        } => {
            let encoding = match encoding.map(|encoding| attributes.get(encoding)) {
                Some(Attribute::TypeExtensions(bounds)) => {
                    let bounds = join(bounds, |bound| match *bound {
                        DYNAMIC => "?".to_owned(),
                        bound => bound.to_string(),
                    });
                    format!(", #stablehlo.bounds<{bounds}>")
                }
                Some(Attribute::Text { text, .. }) => {
                    format!(", {}", String::from_utf8_lossy(text))
                }
                _ => String::new(),
            };
            format!("tensor<{}{}{encoding}>", sizes(shape), text(element))
        }
        Type::UnrankedTensor(element) => format!("tensor<*x{}>", text(element)),
        Type::RankedBuffer { shape, element } => {
            format!("memref<{}{}>", sizes(shape), text(element))
        }
        Type::Token => "!stablehlo.token".to_owned(),
        Type::Tuple(parts) => format!("tuple<{}>", join(parts, text)),
        Type::Future(parts) => format!("!stablehlo.future<{}>", join(parts, text)),
        Type::UniformQuantized {
            storage,
            scale,
            zero_point,
        } => quantized(storage, "", &parameter(*scale, *zero_point)),
        Type::UniformQuantizedPerAxis {
            storage,
            dimension,
            scales,
            zero_points,
        } => {
            let parameters = scales.iter().zip(zero_points);
            let parameters = join(parameters, |(scale, zero)| parameter(*scale, *zero));
            quantized(
                storage,
                &format!(":{dimension}"),
                &format!("{{{parameters}}}"),
            )
        }
        Type::Witness => "!shape.witness".to_owned(),
        Type::None => "none".to_owned(),
        Type::Builtin(other) => format!("{other:?}"),
        Type::Text(bytes) => String::from_utf8_lossy(bytes).into_owned(),
    }
}

/// The integers of a type.
pub(crate) fn full_range(width: u32, unsigned: bool) -> (i64, i64) {
    let width = width.clamp(1, 63);
    if unsigned {
        (0, (1 << width) - 1)
    } else {
        (-(1 << (width - 1)), (1 << (width - 1)) - 1)
    }
}
