//! Tests of bits, and the search of tensors for elements that are faults.

use super::Kinds;
use halo_ir::{float_attribute, prelude::*};

/// A result to be searched.
pub(super) struct Found<'c> {
    pub value: Value<'c>,
    pub test: Test,
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
        }
    }

    pub fn nan(value: Value<'c>) -> Self {
        Self {
            value,
            test: Test::Nan,
        }
    }

    pub fn any(value: Value<'c>) -> Self {
        Self {
            value,
            test: Test::Kinds,
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

/// The bits of a float.
struct Bits<'b, 'c> {
    b: &'b Builder<'c>,
    ty: Type<'c>,
    /// Without the sign.
    magnitude: Value<'c>,
    /// The bits of an infinity.
    infinity: i64,
    /// The largest subnormal number.
    subnormal: i64,
}

impl<'b, 'c> Bits<'b, 'c> {
    fn of(b: &'b Builder<'c>, value: Value<'c>) -> Self {
        let element = value.ty();
        let width = element.bit_width().unwrap_or(32);
        let mantissa = mantissa_bits(element).unwrap_or(23);
        let ty = integer_type(b.context(), width);
        let bits = arith::bitcast(b, value, ty);
        let largest = ((1_u64 << (width - 1)) - 1) as i64;
        let largest_value = arith::constant(b, ty, largest);
        let subnormal = (1_i64 << mantissa) - 1;
        Self {
            b,
            ty,
            magnitude: arith::andi(b, bits, largest_value),
            infinity: largest - subnormal,
            subnormal,
        }
    }

    fn compare(&self, predicate: CmpIPredicate, other: i64) -> Value<'c> {
        let other = arith::constant(self.b, self.ty, other);
        arith::cmpi(self.b, predicate, self.magnitude, other)
    }

    fn is_subnormal(&self) -> Value<'c> {
        let one = arith::constant(self.b, self.ty, 1);
        let below = arith::subi(self.b, self.magnitude, one);
        let limit = arith::constant(self.b, self.ty, self.subnormal);
        arith::cmpi(self.b, CmpIPredicate::Ult, below, limit)
    }
}

/// A property of a float.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Property {
    Nan,
    Infinite,
    /// NaN or infinite.
    NotFinite,
    Subnormal,
}

/// Whether a float has a property.
pub(super) fn has<'c>(b: &Builder<'c>, value: Value<'c>, property: Property) -> Value<'c> {
    let bits = Bits::of(b, value);
    match property {
        Property::Nan => bits.compare(CmpIPredicate::Ugt, bits.infinity),
        Property::Infinite => bits.compare(CmpIPredicate::Eq, bits.infinity),
        Property::NotFinite => bits.compare(CmpIPredicate::Uge, bits.infinity),
        Property::Subnormal => bits.is_subnormal(),
    }
}

/// The disjunction of two truth values, of which the first may be absent.
pub(super) fn or<'c>(b: &Builder<'c>, one: Option<Value<'c>>, other: Value<'c>) -> Value<'c> {
    one.map_or(other, |one| arith::ori(b, one, other))
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
        let rank = found.value.ty().shape().map_or(0, |shape| shape.len());
        let all: Vec<usize> = (0..rank).collect();
        let maps = [structured::projection(b, rank, &all), structured::projection(b, rank, &[])];
        let loops = vec![IteratorType::Reduction; rank];
        let generic = linalg::generic(b, &[found.value], &[before], &maps, &loops, |b, elements| {
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
            Test::Nan => has(b, element, Property::Nan),
            Test::Kinds => {
                let mut fault = None;
                for property in self.kinds.properties() {
                    fault = Some(or(b, fault, has(b, element, property)));
                }
                fault.unwrap_or_else(|| arith::constant(b, integer_type(b.context(), 1), 0))
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

impl Kinds {
    /// The properties of the elements that are faults.
    pub fn properties(self) -> Vec<Property> {
        let of_inf = match (self.nan, self.inf) {
            (true, true) => Some(Property::NotFinite),
            (true, false) => Some(Property::Nan),
            (false, true) => Some(Property::Infinite),
            (false, false) => None,
        };
        let subnormal = self.subnormal.then_some(Property::Subnormal);
        of_inf.into_iter().chain(subnormal).collect()
    }
}
