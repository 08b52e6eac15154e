//! Tests of bits, and the search of tensors for elements that are faults.

use super::Kinds;
use halo_ir::{float_attribute, prelude::*};

/// A result to be searched.
pub(super) struct Found<'c> {
    pub value: Value<'c>,
    pub test: Test,
    /// The sizes of the part that is searched, at the start of each dimension; `None` for all.
    pub part: Option<Vec<i64>>,
}

/// The elements that are faults.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Test {
    /// Marks.
    Mark,
    /// Any NaN: a maximum does not keep the payload of a mark.
    Nan,
    /// Everything that the kinds name.
    Kinds,
}

impl<'c> Found<'c> {
    pub fn mark(value: Value<'c>) -> Self {
        Self {
            value,
            test: Test::Mark,
            part: None,
        }
    }

    pub fn nan(value: Value<'c>) -> Self {
        Self {
            value,
            test: Test::Nan,
            part: None,
        }
    }

    pub fn any(value: Value<'c>) -> Self {
        Self {
            value,
            test: Test::Kinds,
            part: None,
        }
    }
}

/// A quiet NaN whose payload fits in the mantissa of bf16.
const MARK: u64 = 0x7FFD_6000_0000_0000;

/// The bits of the mantissa of a supported float.
fn mantissa_bits(element: Type) -> Option<u32> {
    match element.float_kind()? {
        FloatKind::BF16 => Some(7),
        FloatKind::F16 => Some(10),
        FloatKind::F32 => Some(23),
        FloatKind::F64 => Some(52),
        FloatKind::Narrow => None,
    }
}

/// Returns true for an element type that is tested.
pub(super) fn is_supported(element: Type) -> bool {
    mantissa_bits(element).is_some()
}

/// The mark of a float.
pub(super) fn mark<'c>(b: &Builder<'c>, element: Type<'c>) -> Value<'c> {
    let mark = float_attribute(element, f64::from_bits(MARK));
    arith::ConstantOp::build(b, mark).value()
}

/// The bits of a float type.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Format<'c> {
    /// An integer of its width.
    ty: Type<'c>,
    /// The bits without the sign of the largest NaN, of an infinity, and of the largest subnormal
    /// number.
    largest: i64,
    infinity: i64,
    subnormal: i64,
}

impl<'c> Format<'c> {
    pub fn of(element: Type<'c>) -> Self {
        let width = element.bit_width().unwrap_or(32).clamp(1, 64);
        let largest = i64::MAX >> (64 - width);
        let subnormal = (1_i64 << mantissa_bits(element).unwrap_or(23)) - 1;
        Self {
            ty: integer_type(element.context(), width),
            largest,
            infinity: largest - subnormal,
            subnormal,
        }
    }

    fn constant(&self, b: &Builder<'c>, value: i64) -> Value<'c> {
        arith::constant(b, self.ty, value)
    }

    fn compare(
        &self,
        b: &Builder<'c>,
        predicate: CmpIPredicate,
        (magnitude, other): (Value<'c>, i64),
    ) -> Value<'c> {
        let other = self.constant(b, other);
        arith::cmpi(b, predicate, magnitude, other)
    }

    /// The bits of a float without its sign.
    pub fn magnitude(&self, b: &Builder<'c>, value: Value<'c>) -> Value<'c> {
        let bits = arith::bitcast(b, value, self.ty);
        let largest = self.constant(b, self.largest);
        arith::andi(b, bits, largest)
    }

    /// Whether a magnitude is of NaN, or of an infinity.
    pub fn is_special(
        &self,
        b: &Builder<'c>,
        (nan, inf): (bool, bool),
        magnitude: Value<'c>,
    ) -> Value<'c> {
        let predicate = match (nan, inf) {
            (true, true) => CmpIPredicate::Sge,
            (true, false) => CmpIPredicate::Sgt,
            _ => CmpIPredicate::Eq,
        };
        self.compare(b, predicate, (magnitude, self.infinity))
    }

    /// Whether a magnitude is of NaN and the largest one of the operands is not, or is of an
    /// infinity and all operands are finite.
    pub fn is_new(
        &self,
        b: &Builder<'c>,
        (nan, inf): (bool, bool),
        magnitude: Value<'c>,
        operands: Option<Value<'c>>,
    ) -> Value<'c> {
        let Some(operands) = operands else {
            return self.is_special(b, (nan, inf), magnitude);
        };
        if !nan {
            let found = self.is_special(b, (nan, inf), magnitude);
            let finite = self.compare(b, CmpIPredicate::Slt, (operands, self.infinity));
            return arith::andi(b, found, finite);
        }
        // Finite numbers, infinities and NaN as three successive integers.
        let nan = self.constant(b, self.infinity + 1);
        let below = self.constant(
            b,
            if inf {
                self.infinity - 1
            } else {
                self.infinity
            },
        );
        let result = arith::minsi(b, magnitude, nan);
        let operands = arith::maxsi(b, operands, below);
        arith::cmpi(b, CmpIPredicate::Sgt, result, operands)
    }

    /// Whether a magnitude is of a subnormal number.
    pub fn is_subnormal(&self, b: &Builder<'c>, magnitude: Value<'c>) -> Value<'c> {
        let one = self.constant(b, 1);
        let below = arith::subi(b, magnitude, one);
        self.compare(b, CmpIPredicate::Ult, (below, self.subnormal))
    }

    /// A magnitude of the same class, finite, infinite or NaN, in another format.
    pub fn convert(&self, b: &Builder<'c>, magnitude: Value<'c>, to: Self) -> Value<'c> {
        if *self == to {
            return magnitude;
        }
        let is_nan = self.is_special(b, (true, false), magnitude);
        let is_infinite = self.is_special(b, (false, true), magnitude);
        let [zero, infinity, nan] =
            [0, to.infinity, to.infinity + 1].map(|value| to.constant(b, value));
        let otherwise = arith::select(b, is_infinite, infinity, zero);
        arith::select(b, is_nan, nan, otherwise)
    }
}

/// The negation of a truth value.
pub(super) fn not<'c>(b: &Builder<'c>, value: Value<'c>) -> Value<'c> {
    let yes = arith::constant(b, value.ty(), 1);
    arith::xori(b, value, yes)
}

/// The disjunction of two truth values, of which the first may be absent.
pub(super) fn or<'c>(b: &Builder<'c>, one: Option<Value<'c>>, other: Value<'c>) -> Value<'c> {
    one.map_or(other, |one| arith::ori(b, one, other))
}

/// The elements at the start of each dimension.
fn part<'c>(b: &Builder<'c>, value: Value<'c>, sizes: &[i64]) -> Value<'c> {
    let ty = tensor_type(sizes, value.ty().element_type());
    let (zeros, ones) = (vec![0; sizes.len()], vec![1; sizes.len()]);
    tensor::extract_slice(b, value, &[], &[], &[], &zeros, sizes, &ones, ty)
}

/// The searches of a block.
pub(super) struct Search<'c> {
    kinds: Kinds,
    /// For each width of elements, a tensor of one integer, which is not 0 after a fault.
    faults: Vec<(u32, Value<'c>)>,
}

impl<'c> Search<'c> {
    pub fn new(kinds: Kinds) -> Self {
        Self {
            kinds,
            faults: Vec::new(),
        }
    }

    /// Searches a tensor.
    pub fn add(&mut self, b: &Builder<'c>, found: &Found<'c>) {
        let element = found.value.ty().element_type();
        let width = element.bit_width().unwrap_or(32);
        let ty = integer_type(b.context(), width);
        let known = self.faults.iter().position(|(of, _)| *of == width);
        let before = match known {
            Some(position) => self.faults[position].1,
            None => {
                let zero = arith::constant(b, ty, 0);
                structured::filled(b, zero, tensor_type(&[], ty))
            }
        };
        let value = match &found.part {
            None => found.value,
            Some(sizes) => part(b, found.value, sizes),
        };
        let rank = found.value.ty().shape().map_or(0, |shape| shape.len());
        let all: Vec<usize> = (0..rank).collect();
        let maps = [
            structured::projection(b, rank, &all),
            structured::projection(b, rank, &[]),
        ];
        let loops = vec![IteratorType::Reduction; rank];
        let generic = linalg::generic(b, &[value], &[before], &maps, &loops, |b, elements| {
            let fault = self.test(b, found.test, elements[0]);
            let fault = arith::extui(b, fault, ty);
            vec![arith::ori(b, elements[1], fault)]
        });
        let after = generic.operation().results()[0];
        match known {
            Some(position) => self.faults[position].1 = after,
            None => self.faults.push((width, after)),
        }
    }

    fn test(&self, b: &Builder<'c>, test: Test, element: Value<'c>) -> Value<'c> {
        match test {
            Test::Mark => {
                let width = element.ty().bit_width().unwrap_or(32);
                let ty = integer_type(b.context(), width);
                let bits = arith::bitcast(b, element, ty);
                let mark = mark(b, element.ty());
                let mark = arith::bitcast(b, mark, ty);
                arith::cmpi(b, CmpIPredicate::Eq, bits, mark)
            }
            Test::Nan => {
                let format = Format::of(element.ty());
                let magnitude = format.magnitude(b, element);
                format.is_special(b, (true, false), magnitude)
            }
            Test::Kinds => {
                let Kinds {
                    nan,
                    inf,
                    subnormal,
                } = self.kinds;
                let format = Format::of(element.ty());
                let magnitude = format.magnitude(b, element);
                let special = (nan || inf).then(|| format.is_special(b, (nan, inf), magnitude));
                if !subnormal && let Some(special) = special {
                    return special;
                }
                or(b, special, format.is_subnormal(b, magnitude))
            }
        }
    }

    /// Whether a search, or the code around them, has found a fault.
    pub fn finish(&self, b: &Builder<'c>, scalars: Option<Value<'c>>) -> Option<Value<'c>> {
        let mut fault = scalars;
        for (width, found) in &self.faults {
            let found = tensor::extract(b, *found, &[]);
            let zero = arith::constant(b, integer_type(b.context(), *width), 0);
            let found = arith::cmpi(b, CmpIPredicate::Ne, found, zero);
            fault = Some(or(b, fault, found));
        }
        fault
    }
}
