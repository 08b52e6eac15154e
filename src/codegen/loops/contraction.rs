//! Recognition of matrix products among structured ops.

use super::{
    emit::{self, Emitted},
    loop_nest::{Access, Expr, Extent, LoopNest},
};
use halo_ir::{
    Block, Builder, FloatKind, Operation, Type, Value, arguments_of, defining_operation,
    element_type, float_kind, integer_width, name_of, operands_of, operations_of,
    ops::{Op, arith},
    terminator_of, value_key,
};
use melior::ir::ValueLike;

/// `C[batch, m, n] += A[batch, m, k] * B[batch, k, n]`, where `n` is the
/// dimension along which C is contiguous. A and B may be laid out in any way.
pub struct Contraction<'c> {
    pub nest: LoopNest<'c>,
    pub batch: Vec<usize>,
    /// The dimension of the rows of C, if it has any.
    pub m: Option<usize>,
    pub n: usize,
    pub k: usize,
    pub a: Factor<'c>,
    pub b: Factor<'c>,
    pub c: Access<'c>,
    /// The type of the sums.
    pub accumulator: Type<'c>,
}

/// A or B.
#[derive(Clone)]
pub struct Factor<'c> {
    pub access: Access<'c>,
    /// The op from the element type to the type of the sums, if they differ.
    pub conversion: Option<Extension>,
}

/// What the body of a matrix product says of the types.
pub struct Body<'c> {
    /// The ops from the element types to the type of the sums, where they differ.
    pub conversions: [Option<Extension>; 2],
    /// The type of the sums.
    pub accumulator: Type<'c>,
}

impl<'c> Contraction<'c> {
    /// The matrix product that an op is, if it is one.
    pub fn of(builder: &Builder<'c>, operation: Operation<'c>) -> Emitted<Option<Self>> {
        let Some(mut nest) = LoopNest::of(builder, operation)? else {
            return Ok(None);
        };
        if nest.input_count != 2 || nest.accesses.len() != 3 {
            return Ok(None);
        }
        let Some(body) = body_of_product(builder, nest.body) else {
            return Ok(None);
        };
        nest.drop_unit_dims();
        nest.fuse_dims(builder)?;
        Ok(Self::classify(nest, body))
    }

    fn classify(nest: LoopNest<'c>, body: Body<'c>) -> Option<Self> {
        let [mut a, mut b, c] = [0, 1, 2].map(|number| nest.accesses[number].clone());
        if [&a, &b, &c]
            .iter()
            .any(|access| !is_permutation(access) || !is_plain(element_type(access.value.r#type())))
        {
            return None;
        }
        let Expr::Dim(n) = *c.indices.last()? else {
            return None;
        };
        let mut conversions = body.conversions;
        if !mentions(&b, n) {
            std::mem::swap(&mut a, &mut b);
            conversions.reverse();
        }
        let (mut batch, mut rows, mut inner) = (Vec::new(), Vec::new(), Vec::new());
        for dim in 0..nest.dims.len() {
            let Extent::Fixed(_) = nest.dims[dim].extent else {
                return None;
            };
            match (mentions(&a, dim), mentions(&b, dim), mentions(&c, dim)) {
                (true, true, true) => batch.push(dim),
                (true, false, true) => rows.push(dim),
                (true, true, false) => inner.push(dim),
                (false, true, true) if dim == n => {}
                _ => return None,
            }
        }
        let ([k], [] | [_]) = (&inner[..], &rows[..]) else {
            return None;
        };
        if c.stride(n) != 1 || batch.contains(&n) {
            return None;
        }
        batch.sort_by_key(|dim| std::cmp::Reverse(c.stride(*dim)));
        let [of_a, of_b] = conversions;
        Some(Self {
            batch,
            m: rows.first().copied(),
            n,
            k: *k,
            a: Factor {
                access: a,
                conversion: of_a,
            },
            b: Factor {
                access: b,
                conversion: of_b,
            },
            c,
            accumulator: body.accumulator,
            nest,
        })
    }

    /// The number of iterations of a dimension.
    pub fn size(&self, dim: usize) -> i64 {
        self.nest.dims[dim].extent.estimate()
    }

    /// The number of rows of C.
    pub fn rows(&self) -> i64 {
        self.m.map_or(1, |dim| self.size(dim))
    }

    /// Loop indices, zero but for those of one product of the batch.
    pub fn ivs_of_batch(
        &self,
        builder: &Builder<'c>,
        number: Value<'c>,
    ) -> Emitted<Vec<Value<'c>>> {
        let zero = emit::index(builder, 0)?;
        let mut ivs = vec![zero; self.nest.dims.len()];
        let mut rest = number;
        for (position, dim) in self.batch.iter().enumerate().rev() {
            if position == 0 {
                ivs[*dim] = rest;
            } else {
                let extent = emit::index(builder, self.size(*dim))?;
                ivs[*dim] = emit::rem(builder, rest, extent)?;
                rest = emit::div(builder, rest, extent)?;
            }
        }
        Ok(ivs)
    }

    /// Whether C has a narrower type than the sums.
    pub fn is_promoted(&self) -> bool {
        element_type(self.c.value.r#type()) != self.accumulator
    }
}

fn mentions(access: &Access, dim: usize) -> bool {
    access.indices.iter().any(|index| index.mentions(dim))
}

/// Whether vectors of an element type lie in memory as arrays of it do.
fn is_plain(element: Type) -> bool {
    match float_kind(element) {
        Some(kind) => kind != FloatKind::Narrow,
        None => matches!(integer_width(element), Some(8 | 16 | 32 | 64)),
    }
}

/// Whether each index of an operand is a loop of its own.
fn is_permutation(access: &Access) -> bool {
    !access.scalar
        && access.indices.iter().enumerate().all(|(position, index)| {
            matches!(index, Expr::Constant(0))
                || (matches!(index, Expr::Dim(_)) && !access.indices[..position].contains(index))
        })
}

/// How an element becomes a wider one of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extension {
    Float,
    Signed,
    Unsigned,
}

impl Extension {
    /// The extension that an op is, if it is one.
    pub fn of(operation: Operation) -> Option<Self> {
        match name_of(operation) {
            arith::ExtFOp::NAME => Some(Self::Float),
            arith::ExtSIOp::NAME => Some(Self::Signed),
            arith::ExtUIOp::NAME => Some(Self::Unsigned),
            _ => None,
        }
    }

    /// A number or vector extended to a type.
    pub fn build<'c>(
        self,
        builder: &Builder<'c>,
        value: Value<'c>,
        r#type: Type<'c>,
    ) -> Emitted<Value<'c>> {
        match self {
            Self::Float => arith::extf(builder, value, r#type),
            Self::Signed => arith::extsi(builder, value, r#type),
            Self::Unsigned => arith::extui(builder, value, r#type),
        }
    }
}

/// Reads a body `out + convert(x) * convert(y)`. Sums in 16 bits are made in
/// f32, which is as exact as StableHLO wants and far faster.
pub fn body_of_product<'c>(builder: &Builder<'c>, block: Block<'c>) -> Option<Body<'c>> {
    let arguments = arguments_of(block);
    let [left, right, out] = arguments[..] else {
        return None;
    };
    let yielded = operands_of(terminator_of(block)?);
    let [sum] = yielded[..] else {
        return None;
    };
    let (sum, _) = defining_operation(sum)?;
    let product = match (name_of(sum), &operands_of(sum)[..]) {
        (arith::AddFOp::NAME | arith::AddIOp::NAME, [x, y]) if *x == out => *y,
        (arith::AddFOp::NAME | arith::AddIOp::NAME, [x, y]) if *y == out => *x,
        _ => return None,
    };
    let (product, _) = defining_operation(product)?;
    if !matches!(name_of(product), arith::MulFOp::NAME | arith::MulIOp::NAME) {
        return None;
    }
    let factors = operands_of(product);
    let mut conversions = [None, None];
    let mut found = [false, false];
    let mut conversion_count = 0;
    for factor in factors {
        let (value, conversion) = through_conversion(factor);
        conversion_count += usize::from(conversion.is_some());
        let number = [left, right]
            .iter()
            .position(|argument| value_key(*argument) == value_key(value))?;
        found[number] = true;
        conversions[number] = conversion;
    }
    if found != [true, true] || operations_of(block).len() != 3 + conversion_count {
        return None;
    }
    let mut accumulator = out.r#type();
    match float_kind(accumulator) {
        Some(FloatKind::F32 | FloatKind::F64) => {}
        Some(FloatKind::BF16 | FloatKind::F16) => {
            if conversion_count != 0 {
                return None;
            }
            accumulator = Type::float32(builder.context());
            conversions = [Some(Extension::Float); 2];
        }
        Some(FloatKind::Narrow) => return None,
        None => {
            if !matches!(integer_width(accumulator), Some(8 | 16 | 32 | 64)) {
                return None;
            }
        }
    }
    Some(Body {
        conversions,
        accumulator,
    })
}

fn through_conversion(value: Value<'_>) -> (Value<'_>, Option<Extension>) {
    let extension = defining_operation(value).and_then(|(operation, _)| {
        let extension = Extension::of(operation)?;
        Some((*operands_of(operation).first()?, Some(extension)))
    });
    extension.unwrap_or((value, None))
}
