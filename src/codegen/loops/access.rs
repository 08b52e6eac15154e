//! Accesses of an op to an operand: indices as functions of the loop indices,
//! and the view of the operand that they index.
//!
//! An access only describes its view, so analyses can query the strides and types of views that are
//! not built.

use halo_ir::prelude::*;
use melior::ir::AffineExpr;

/// An unknown stride, or a nonlinear index.
pub const IRREGULAR: i64 = i64::MAX;

/// An index of an operand as a function of the loop indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    Dim(usize),
    Constant(i64),
    Binary(Operator, Box<Expr>, Box<Expr>),
}

/// The operators of affine expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Add,
    Multiply,
    Modulo,
    FloorDivide,
    CeilDivide,
}

impl Expr {
    pub fn from_affine(expression: AffineExpr) -> Option<Self> {
        if expression.is_dim() {
            return Some(Self::Dim(expression.dim_position()));
        }
        if expression.is_constant() {
            return Some(Self::Constant(expression.constant_value()));
        }
        if !expression.is_binary() {
            return None;
        }
        let operator = if expression.is_add() {
            Operator::Add
        } else if expression.is_mul() {
            Operator::Multiply
        } else if expression.is_mod() {
            Operator::Modulo
        } else if expression.is_floor_div() {
            Operator::FloorDivide
        } else {
            Operator::CeilDivide
        };
        Some(Self::Binary(
            operator,
            Box::new(Self::from_affine(expression.lhs())?),
            Box::new(Self::from_affine(expression.rhs())?),
        ))
    }

    /// Whether the loop index of a dimension occurs.
    pub fn mentions(&self, dim: usize) -> bool {
        match self {
            Self::Dim(own) => *own == dim,
            Self::Constant(_) => false,
            Self::Binary(_, lhs, rhs) => lhs.mentions(dim) || rhs.mentions(dim),
        }
    }

    /// The stride of the index along a loop.
    pub fn coefficient(&self, dim: usize) -> i64 {
        match self {
            Self::Dim(own) => i64::from(*own == dim),
            Self::Constant(_) => 0,
            Self::Binary(operator, lhs, rhs) => {
                let (left, right) = (lhs.coefficient(dim), rhs.coefficient(dim));
                match (operator, &**lhs, &**rhs) {
                    _ if left == 0 && right == 0 => 0,
                    _ if left == IRREGULAR || right == IRREGULAR => IRREGULAR,
                    (Operator::Add, ..) => left + right,
                    (Operator::Multiply, _, Self::Constant(factor)) => left * factor,
                    (Operator::Multiply, Self::Constant(factor), _) => right * factor,
                    _ => IRREGULAR,
                }
            }
        }
    }

    /// Substitutes an expression for the loop index of each dimension.
    pub fn rename(&mut self, new: &impl Fn(usize) -> Self) {
        match self {
            Self::Dim(own) => *self = new(*own),
            Self::Constant(_) => {}
            Self::Binary(_, lhs, rhs) => {
                lhs.rename(new);
                rhs.rename(new);
            }
        }
    }

    /// The affine expression.
    pub fn to_affine<'c>(&self, context: &'c Context) -> AffineExpr<'c> {
        match self {
            Self::Dim(dim) => AffineExpr::dim(context, *dim),
            Self::Constant(value) => AffineExpr::constant(context, *value),
            Self::Binary(operator, lhs, rhs) => {
                let (lhs, rhs) = (lhs.to_affine(context), rhs.to_affine(context));
                match operator {
                    Operator::Add => lhs + rhs,
                    Operator::Multiply => lhs * rhs,
                    Operator::Modulo => AffineExpr::modulo(lhs, rhs),
                    Operator::FloorDivide => AffineExpr::floor_div(lhs, rhs),
                    Operator::CeilDivide => AffineExpr::ceil_div(lhs, rhs),
                }
            }
        }
    }

    /// The least and the greatest value, if the index is linear and `size` returns the sizes of all
    /// loops that it mentions.
    pub fn range(&self, size: &impl Fn(usize) -> Option<i64>) -> Option<(i64, i64)> {
        match self {
            Self::Dim(dim) => Some((0, size(*dim)?.checked_sub(1)?)),
            Self::Constant(value) => Some((*value, *value)),
            Self::Binary(operator, lhs, rhs) => {
                let (left, right) = (lhs.range(size)?, rhs.range(size)?);
                match (operator, &**lhs, &**rhs) {
                    (Operator::Add, ..) => {
                        Some((left.0.checked_add(right.0)?, left.1.checked_add(right.1)?))
                    }
                    (Operator::Multiply, _, Self::Constant(factor))
                    | (Operator::Multiply, Self::Constant(factor), _) => {
                        let (least, most) = match &**rhs {
                            Self::Constant(_) => left,
                            _ => right,
                        };
                        let ends = (least.checked_mul(*factor)?, most.checked_mul(*factor)?);
                        Some((ends.0.min(ends.1), ends.0.max(ends.1)))
                    }
                    _ => None,
                }
            }
        }
    }

    /// The index plus a constant.
    pub fn plus(self, constant: i64) -> Self {
        match constant {
            0 => self,
            _ => Self::Binary(
                Operator::Add,
                Box::new(self),
                Box::new(Self::Constant(constant)),
            ),
        }
    }

    /// Emits the index.
    pub fn emit<'c>(&self, builder: &Builder<'c>, ivs: &[Value<'c>]) -> Value<'c> {
        self.emit_at(builder, &|dim| ivs[dim])
    }

    /// The same with a function that returns the index of a loop.
    pub fn emit_at<'c>(&self, builder: &Builder<'c>, iv: &dyn Fn(usize) -> Value<'c>) -> Value<'c> {
        match self {
            Self::Dim(dim) => iv(*dim),
            Self::Constant(value) => index::constant(builder, *value),
            Self::Binary(operator, lhs, rhs) => {
                let lhs = lhs.emit_at(builder, iv);
                let rhs = rhs.emit_at(builder, iv);
                match operator {
                    Operator::Add => index::add(builder, lhs, rhs),
                    Operator::Multiply => index::mul(builder, lhs, rhs),
                    // Loop indices, and indices derived from them, are not negative.
                    Operator::Modulo => index::rem(builder, lhs, rhs),
                    Operator::FloorDivide => index::div(builder, lhs, rhs),
                    Operator::CeilDivide => arith::ceildivsi(builder, lhs, rhs),
                }
            }
        }
    }
}

/// An access of one operand.
#[derive(Clone, Debug)]
pub struct Access<'c> {
    /// The memref, or the value of a scalar operand.
    pub value: Value<'c>,
    /// The dimensions of the memref that each dimension of the view collapses,
    /// if the view is not the memref itself.
    reassociation: Option<Vec<Vec<i64>>>,
    /// One index for each dimension of the view.
    pub indices: Vec<Expr>,
    /// Whether the operand is a scalar.
    pub scalar: bool,
    /// The value read where indices are out of bounds.
    pub padding: Option<Padding<'c>>,
    /// The initial value of each element, if the op need not load it.
    pub start: Option<Value<'c>>,
}

/// A scalar that an access reads outside of its operand.
#[derive(Clone, Debug)]
pub struct Padding<'c> {
    /// The scalar.
    pub value: Value<'c>,
    /// The indices that may be out of bounds, with the sizes of their dimensions.
    pub bounds: Vec<(Expr, i64)>,
}

impl<'c> Access<'c> {
    /// An access of a memref.
    pub fn of_memref(memref: Value<'c>, indices: Vec<Expr>) -> Self {
        Self {
            value: memref,
            reassociation: None,
            indices,
            scalar: false,
            padding: None,
            start: None,
        }
    }

    /// A scalar operand.
    pub fn of_scalar(value: Value<'c>) -> Self {
        Self {
            value,
            reassociation: None,
            indices: Vec::new(),
            scalar: true,
            padding: None,
            start: None,
        }
    }

    /// Substitutes an expression for the loop index of each dimension.
    pub fn rename(&mut self, new: &impl Fn(usize) -> Expr) {
        let bounds = self.padding.iter_mut().flat_map(|padding| {
            let bounds = padding.bounds.iter_mut();
            bounds.map(|(index, _)| index)
        });
        for index in self.indices.iter_mut().chain(bounds) {
            index.rename(new);
        }
    }

    /// Whether the index of a loop occurs in the indices.
    pub fn mentions(&self, dim: usize) -> bool {
        self.indices.iter().any(|index| index.mentions(dim))
    }

    /// The type of the view, or of a scalar operand.
    pub fn ty(&self) -> Type<'c> {
        let own = self.value.ty();
        let Some(groups) = &self.reassociation else {
            return own;
        };
        let shape = own.shape().unwrap_or_default();
        let size = |dim: &i64| usize::try_from(*dim).ok().and_then(|dim| shape.get(dim).copied());
        let product = |group: &Vec<i64>| {
            let sizes: Option<Vec<i64>> = group.iter().filter_map(size).collect();
            sizes.map_or(sizes::DYNAMIC, |sizes| sizes.iter().product())
        };
        let dims: Vec<i64> = groups.iter().map(product).collect();
        memref_type(&dims, own.element_type())
    }

    /// The first and the last dimension of the memref that dimensions of the view collapse.
    pub fn dimensions(&self, first: usize, last: usize) -> Option<(usize, usize)> {
        let Some(groups) = &self.reassociation else {
            return Some((first, last));
        };
        let (first, last) = (groups.get(first)?.first()?, groups.get(last)?.last()?);
        Some((usize::try_from(*first).ok()?, usize::try_from(*last).ok()?))
    }

    /// Collapses the contiguous dimensions `first` to `last` of the view.
    pub fn collapse(&mut self, first: usize, last: usize) {
        let rank = self.value.ty().shape().map_or(0, |shape| shape.len());
        let groups = self
            .reassociation
            .get_or_insert_with(|| (0..rank as i64).map(|dim| vec![dim]).collect());
        let group = groups.drain(first..=last).flatten().collect();
        groups.insert(first, group);
    }

    /// Emits the view.
    pub fn view(&self, builder: &Builder<'c>) -> Value<'c> {
        let Some(groups) = &self.reassociation else {
            return self.value;
        };
        let groups: Vec<&[i64]> = groups.iter().map(|group| &group[..]).collect();
        memref::collapse_shape(builder, self.value, &groups, self.ty())
    }

    /// Builds the view and replaces the operand by it.
    pub fn build_view(&mut self, builder: &Builder<'c>) {
        self.value = self.view(builder);
        self.reassociation = None;
    }

    /// The stride of the address along a loop, in elements.
    pub fn stride(&self, dim: usize) -> i64 {
        let Some((strides, _)) = self.ty().strides() else {
            return if self.scalar { 0 } else { IRREGULAR };
        };
        let mut total = 0_i64;
        for (index, stride) in self.indices.iter().zip(strides) {
            match (index.coefficient(dim), stride) {
                (0, _) => {}
                (IRREGULAR, _) | (_, None) => return IRREGULAR,
                (coefficient, Some(stride)) => total += coefficient * stride,
            }
        }
        total
    }

    /// The indices at given loop indices.
    pub fn indices_at(&self, builder: &Builder<'c>, ivs: &[Value<'c>]) -> Vec<Value<'c>> {
        self.indices.iter().map(|index| index.emit(builder, ivs)).collect()
    }

    /// The element at given loop indices.
    pub fn load(&self, builder: &Builder<'c>, ivs: &[Value<'c>]) -> Value<'c> {
        if self.scalar {
            return self.value;
        }
        if let Some(start) = self.start {
            return start;
        }
        let (indices, is_inside) = self.indices_inside(builder, ivs);
        let element = memref::load(builder, self.view(builder), &indices);
        self.padded(builder, element, is_inside)
    }

    /// The indices at given loop indices, with zero for an index out of bounds, and a condition
    /// that is true if all are in bounds; `None` if they always are.
    pub fn indices_inside(
        &self,
        builder: &Builder<'c>,
        ivs: &[Value<'c>],
    ) -> (Vec<Value<'c>>, Option<Value<'c>>) {
        let mut indices = self.indices_at(builder, ivs);
        let Some(padding) = &self.padding else {
            return (indices, None);
        };
        let zero = index::constant(builder, 0);
        let mut is_inside: Option<Value> = None;
        for (index, value) in self.indices.iter().zip(&mut indices) {
            let Some((_, size)) = padding.bounds.iter().find(|(bound, _)| bound == index) else {
                continue;
            };
            let inside = index::compare(builder, CmpIPredicate::Ult, *value, *size);
            *value = arith::select(builder, inside, *value, zero);
            is_inside = Some(match is_inside {
                Some(others) => arith::andi(builder, others, inside),
                None => inside,
            });
        }
        (indices, is_inside)
    }

    /// An element, or the padding if its indices are out of bounds.
    pub fn padded(
        &self,
        builder: &Builder<'c>,
        element: Value<'c>,
        is_inside: Option<Value<'c>>,
    ) -> Value<'c> {
        match (is_inside, &self.padding) {
            (Some(is_inside), Some(padding)) => {
                arith::select(builder, is_inside, element, padding.value)
            }
            _ => element,
        }
    }

    /// Stores the element at given loop indices.
    pub fn store(&self, builder: &Builder<'c>, ivs: &[Value<'c>], value: Value<'c>) {
        let (view, indices) = (self.view(builder), self.indices_at(builder, ivs));
        memref::store(builder, value, view, &indices);
    }
}

/// `linalg.generic` on memrefs, which writes the last `outputs` operands. The function gets an
/// element of each operand and returns the values to yield.
pub fn generic<'c>(
    builder: &Builder<'c>,
    operands: &[Access<'c>],
    outputs: usize,
    reductions: &[bool],
    body: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> Vec<Value<'c>>,
) -> Operation<'c> {
    let context = builder.context();
    let maps: Vec<_> = operands
        .iter()
        .map(|access| {
            let results: Vec<_> =
                access.indices.iter().map(|index| index.to_affine(context)).collect();
            AffineMap::new(context, reductions.len(), 0, &results)
        })
        .collect();
    let kinds: Vec<_> = reductions
        .iter()
        .map(|reduction| {
            if *reduction {
                IteratorType::Reduction
            } else {
                IteratorType::Parallel
            }
        })
        .collect();
    let values = (operands.iter().map(|access| access.view(builder))).collect::<Vec<_>>();
    let (inputs, outputs) = values.split_at(values.len() - outputs);
    let op = linalg::generic(builder, inputs, outputs, &maps, &kinds, body);
    op.operation()
}

/// The copy as an elementwise op.
pub fn copy_as_generic<'c>(builder: &Builder<'c>, operation: Operation<'c>) -> Operation<'c> {
    let accesses: Vec<Access> = operation
        .operands()
        .into_iter()
        .map(|value| {
            let rank = value.ty().shape().map_or(0, |shape| shape.len());
            Access::of_memref(value, (0..rank).map(Expr::Dim).collect())
        })
        .collect();
    let parallel = vec![false; accesses[0].indices.len()];
    generic(builder, &accesses, 1, &parallel, |_, values| {
        vec![values[0]]
    })
}
