//! Bodies of contractions: the product of two values, possibly extended first, is added to the
//! element of the result.

use halo_ir::prelude::*;
use std::collections::HashSet;

/// The conversion of an element to a wider type of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extension {
    Float,
    Signed,
    Unsigned,
}

impl Extension {
    /// The extension that an op performs, if any.
    pub fn of(operation: Operation) -> Option<Self> {
        match operation.name() {
            arith::ExtFOp::NAME => Some(Self::Float),
            arith::ExtSIOp::NAME => Some(Self::Signed),
            arith::ExtUIOp::NAME => Some(Self::Unsigned),
            _ => None,
        }
    }

    /// Extends a number or vector to a type.
    pub fn build<'c>(self, builder: &Builder<'c>, value: Value<'c>, ty: Type<'c>) -> Value<'c> {
        match self {
            Self::Float => arith::extf(builder, value, ty),
            Self::Signed => arith::extsi(builder, value, ty),
            Self::Unsigned => arith::extui(builder, value, ty),
        }
    }
}

/// A body `result + convert(x) * convert(y)`.
pub struct Body<'c> {
    pub add: Operation<'c>,
    pub multiply: Operation<'c>,
    /// The operands of the multiplication, in its order.
    pub multiplicands: [Multiplicand<'c>; 2],
}

/// An operand of the multiplication.
#[derive(Clone, Copy)]
pub struct Multiplicand<'c> {
    /// The value before its extension to the accumulator type.
    pub value: Value<'c>,
    pub conversion: Option<(Extension, Operation<'c>)>,
}

impl<'c> Body<'c> {
    /// Matches a block that adds a product to its last argument. The block may compute the
    /// multiplicands.
    pub fn of(block: Block<'c>) -> Option<Self> {
        let result = *block.arguments().last()?;
        let yielded = block.terminator()?.operands();
        let add = yielded.first()?.defining_op()?;
        let product = match (add.name(), &add.operands()[..]) {
            (arith::AddFOp::NAME | arith::AddIOp::NAME, [x, y]) if *x == result => *y,
            (arith::AddFOp::NAME | arith::AddIOp::NAME, [x, y]) if *y == result => *x,
            _ => return None,
        };
        let multiply = product.defining_op()?;
        if !matches!(multiply.name(), arith::MulFOp::NAME | arith::MulIOp::NAME) {
            return None;
        }
        let [x, y] = multiply.operands()[..] else {
            return None;
        };
        Some(Self {
            add,
            multiply,
            multiplicands: [Multiplicand::of(x), Multiplicand::of(y)],
        })
    }
}

impl<'c> Multiplicand<'c> {
    /// The numbers of the arguments of a block that the multiplicand is computed from.
    pub fn arguments(&self, block: Block<'c>) -> Vec<usize> {
        let (mut pending, mut numbers) = (vec![self.value], Vec::new());
        let mut visited = HashSet::new();
        while let Some(value) = pending.pop() {
            match value.as_block_argument() {
                Some((own, number)) if own == block => numbers.push(number),
                Some(_) => {}
                None => {
                    let computed = value.defining_op();
                    let computed = computed.filter(|op| op.block() == Some(block));
                    let op = computed.filter(|op| visited.insert(op.key()));
                    pending.extend(op.map(Operation::operands).unwrap_or_default());
                }
            }
        }
        numbers
    }

    fn of(value: Value<'c>) -> Self {
        let converted = value.defining_op().and_then(|operation| {
            let extension = Extension::of(operation)?;
            Some(Self {
                value: *operation.operands().first()?,
                conversion: Some((extension, operation)),
            })
        });
        converted.unwrap_or(Self {
            value,
            conversion: None,
        })
    }
}

/// A body whose multiplicands are its two inputs.
pub struct DirectBody<'c> {
    /// The conversion of each input.
    pub conversions: [Option<Extension>; 2],
    /// The accumulator type.
    pub accumulator: Type<'c>,
}

impl<'c> DirectBody<'c> {
    /// Matches a block that multiplies its first two arguments, and adds to the third one.
    pub fn of(block: Block<'c>) -> Option<Self> {
        let [x, y, result] = block.arguments()[..] else {
            return None;
        };
        let body = Body::of(block)?;
        let mut conversions = [None, None];
        let mut found = [false, false];
        for multiplicand in &body.multiplicands {
            let number = [x, y].iter().position(|input| *input == multiplicand.value)?;
            found[number] = true;
            conversions[number] = multiplicand.conversion.map(|(extension, _)| extension);
        }
        let converts = body.multiplicands.iter().filter(|m| m.conversion.is_some());
        let conversion_count = converts.count();
        // The block has no ops except the conversions, the multiplication, the addition and the
        // terminator.
        if found != [true, true] || block.operations().len() != 3 + conversion_count {
            return None;
        }
        Self::with_sums(result.ty(), conversions)
    }

    /// The body with these sums, whose inputs may be computed. 16-bit sums are computed in f32,
    /// which is as exact as StableHLO requires and much faster.
    pub fn with_sums(sum: Type<'c>, mut conversions: [Option<Extension>; 2]) -> Option<Self> {
        let mut accumulator = sum;
        match accumulator.float_kind() {
            Some(FloatKind::F32 | FloatKind::F64) => {}
            Some(FloatKind::BF16 | FloatKind::F16) => {
                if conversions != [None, None] {
                    return None;
                }
                accumulator = Type::float32(sum.context());
                conversions = [Some(Extension::Float); 2];
            }
            Some(FloatKind::Narrow) => return None,
            None => {
                if !matches!(accumulator.integer_width(), Some(8 | 16 | 32 | 64)) {
                    return None;
                }
            }
        }
        Some(Self {
            conversions,
            accumulator,
        })
    }
}
