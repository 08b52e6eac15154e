//! Sizes of tensors of which some are known only at run time.
//!
//! A [`Size`] is a number or a value of type `index`. [`Size::of`] finds the value that determines a
//! dimension: the operand of the `tensor.empty` that an op writes to rather than a `tensor.dim` of
//! its result. So tensors of equal shape share their sizes, and [`Size::equals`] proves it:
//!
//! ```mlir
//! %n = tensor.dim %x, %c0 : tensor<?x4xf32>
//! %0 = tensor.empty(%n) : tensor<?x4xf32>
//! %1 = linalg.generic ... outs(%0)   // Its sizes are %n and 4.
//! ```

use crate::{
    ops::{arith::constant_index, index::Index},
    prelude::*,
};

/// The number that marks a dynamic size, offset or stride in attributes and types.
pub const DYNAMIC: i64 = i64::MIN;

/// The depth of index arithmetic that [`Size::equals`] compares.
const MAX_DEPTH: usize = 8;

/// The size of a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size<'c> {
    /// A number.
    Static(i64),
    /// A value of type `index`.
    Dynamic(Value<'c>),
}

impl From<i64> for Size<'_> {
    fn from(size: i64) -> Self {
        Self::Static(size)
    }
}

impl<'c> Index<'c> for Size<'c> {
    fn value(self, builder: &Builder<'c>) -> Value<'c> {
        match self {
            Self::Static(size) => index::constant(builder, size),
            Self::Dynamic(value) => value,
        }
    }
}

impl<'c> Size<'c> {
    /// The size of a dimension of a tensor.
    #[track_caller]
    pub fn of(b: &Builder<'c>, tensor: Value<'c>, dimension: usize) -> Self {
        Symbol::of(tensor, dimension).build(b)
    }

    /// The sizes of a tensor; none of an element.
    #[track_caller]
    pub fn all(b: &Builder<'c>, tensor: Value<'c>) -> Vec<Self> {
        let rank = tensor.ty().shape().map_or(0, |shape| shape.len());
        (0..rank).map(|dimension| Self::of(b, tensor, dimension)).collect()
    }

    /// A value of type `index` as a size: a number if it is constant.
    pub fn from_index(value: Value<'c>) -> Self {
        constant_index(value).map_or(Self::Dynamic(value), Self::Static)
    }

    /// The number, unless the size is dynamic.
    pub fn known(self) -> Option<i64> {
        match self {
            Self::Static(size) => Some(size),
            Self::Dynamic(_) => None,
        }
    }

    /// Returns true if two sizes are equal in every run.
    pub fn equals(self, other: Self) -> bool {
        Product::of(&[self]).equals(&Product::of(&[other]))
    }

    /// A key that sizes with the same definition share.
    pub fn key(self) -> (usize, i64) {
        match Symbol::from(self) {
            Symbol::Static(size) => (0, size),
            Symbol::Value(value) => (value.key(), -1),
            Symbol::Dimension(tensor, dimension) => (tensor.key(), dimension as i64),
            Symbol::Product(_) => match self {
                Self::Static(size) => (0, size),
                Self::Dynamic(value) => (value.key(), -1),
            },
        }
    }

    /// Returns true if the size is at least zero in every run.
    pub fn is_not_negative(self) -> bool {
        match Symbol::from(self) {
            Symbol::Static(size) => size >= 0,
            Symbol::Value(value) => is_not_negative(value, MAX_DEPTH),
            Symbol::Dimension(..) | Symbol::Product(_) => true,
        }
    }

    /// `self + other`
    #[track_caller]
    pub fn plus(self, b: &Builder<'c>, other: impl Into<Self>) -> Self {
        match (self, other.into()) {
            (Self::Static(left), Self::Static(right)) => left.saturating_add(right).into(),
            (left, right) => Self::from_index(index::add(b, left, right)),
        }
    }

    /// `self - other`
    #[track_caller]
    pub fn minus(self, b: &Builder<'c>, other: impl Into<Self>) -> Self {
        match (self, other.into()) {
            (Self::Static(left), Self::Static(right)) => left.saturating_sub(right).into(),
            (left, right) if left.equals(right) => 0.into(),
            (left, right) => Self::from_index(index::sub(b, left, right)),
        }
    }

    /// `self * other`
    #[track_caller]
    pub fn times(self, b: &Builder<'c>, other: impl Into<Self>) -> Self {
        match (self, other.into()) {
            (Self::Static(left), Self::Static(right)) => left.saturating_mul(right).into(),
            (Self::Static(0), _) | (_, Self::Static(0)) => 0.into(),
            (left, right) => Self::from_index(index::mul(b, left, right)),
        }
    }

    /// `self / by`, rounded up, for a size that is not negative and a positive divisor.
    #[track_caller]
    pub fn divided_up(self, b: &Builder<'c>, by: impl Into<Self>) -> Self {
        match (self, by.into()) {
            (size, Self::Static(1)) => size,
            (Self::Static(size), Self::Static(by)) if by > 0 => {
                (size / by + i64::from(size % by > 0)).into()
            }
            (size, by) => {
                let (size, by) = (size.value(b), by.value(b));
                Self::Dynamic(arith::ceildivsi(b, size, by))
            }
        }
    }

    /// The smaller one.
    #[track_caller]
    pub fn min(self, b: &Builder<'c>, other: impl Into<Self>) -> Self {
        match (self, other.into()) {
            (Self::Static(left), Self::Static(right)) => left.min(right).into(),
            (left, right) if left.equals(right) => left,
            (left, right) => Self::Dynamic(index::min(b, left.value(b), right)),
        }
    }

    /// The larger one.
    #[track_caller]
    pub fn max(self, b: &Builder<'c>, other: impl Into<Self>) -> Self {
        match (self, other.into()) {
            (Self::Static(left), Self::Static(right)) => left.max(right).into(),
            (left, Self::Static(..=0)) if left.is_not_negative() => left,
            (left, right) if left.equals(right) => left,
            (left, right) => Self::Dynamic(index::max(b, left.value(b), right)),
        }
    }
}

/// The product of sizes.
#[track_caller]
pub fn product<'c>(b: &Builder<'c>, sizes: &[Size<'c>]) -> Size<'c> {
    sizes.iter().fold(1.into(), |product: Size, size| product.times(b, *size))
}

/// The numbers of static sizes, and [`DYNAMIC`] for others.
pub fn numbers(sizes: &[Size]) -> Vec<i64> {
    sizes.iter().map(|size| size.known().unwrap_or(DYNAMIC)).collect()
}

/// The values of dynamic sizes.
pub fn values<'c>(sizes: &[Size<'c>]) -> Vec<Value<'c>> {
    let dynamic = |size: &Size<'c>| match size {
        Size::Static(_) => None,
        Size::Dynamic(value) => Some(*value),
    };
    sizes.iter().filter_map(dynamic).collect()
}

/// Static sizes.
pub fn fixed<'c>(sizes: &[i64]) -> Vec<Size<'c>> {
    sizes.iter().copied().map(Size::from).collect()
}

/// The shape and the element type of a tensor, or the type of an element.
#[derive(Clone, Debug)]
pub struct Shape<'c> {
    /// The sizes; none for an element.
    pub sizes: Vec<Size<'c>>,
    /// The element type.
    pub element: Type<'c>,
    pub(super) is_element: bool,
}

impl<'c> Shape<'c> {
    /// The shape of a tensor.
    pub fn new(sizes: Vec<Size<'c>>, element: Type<'c>) -> Self {
        Self {
            sizes,
            element,
            is_element: false,
        }
    }

    /// The type of the tensor.
    pub fn ty(&self) -> Type<'c> {
        tensor_type(&numbers(&self.sizes), self.element)
    }

    /// The shape with another element type.
    pub fn with_element(&self, element: Type<'c>) -> Self {
        Self {
            element,
            ..self.clone()
        }
    }
}

/// The shape of a type without dynamic sizes.
impl<'c> From<Type<'c>> for Shape<'c> {
    #[track_caller]
    fn from(ty: Type<'c>) -> Self {
        Self {
            sizes: fixed(&ty.sizes()),
            element: ty.element_type(),
            is_element: !ty.is_tensor(),
        }
    }
}

impl<'c> From<&Shape<'c>> for Shape<'c> {
    fn from(shape: &Shape<'c>) -> Self {
        shape.clone()
    }
}

/// The definition of a size.
#[derive(Clone, Debug)]
enum Symbol<'c> {
    Static(i64),
    /// A value of type `index` or a wider integer.
    Value(Value<'c>),
    /// The size of a tensor that no op determines.
    Dimension(Value<'c>, usize),
    Product(Vec<Symbol<'c>>),
}

impl<'c> From<Size<'c>> for Symbol<'c> {
    fn from(size: Size<'c>) -> Self {
        match size {
            Size::Static(size) => Self::Static(size),
            Size::Dynamic(value) => Self::of_value(value),
        }
    }
}

impl<'c> Symbol<'c> {
    fn of(tensor: Value<'c>, dimension: usize) -> Self {
        let mut tensor = tensor;
        while let Some(shape) = tensor.ty().shape() {
            match shape.get(dimension) {
                Some(Some(size)) => return Self::Static(*size),
                Some(None) => {}
                None => break,
            }
            let number = shape[..dimension].iter().filter(|size| size.is_none()).count();
            match Source::of(tensor, dimension, number) {
                Some(Source::SameShape(source)) => tensor = source,
                Some(Source::Size(size)) => return Self::of_value(size),
                Some(Source::Collapsed(source, groups)) => {
                    let group = groups.get(dimension).cloned().unwrap_or_default();
                    let group = group.into_iter().filter_map(|dim| usize::try_from(dim).ok());
                    return Self::Product(group.map(|dim| Self::of(source, dim)).collect());
                }
                None => break,
            }
        }
        Self::Dimension(tensor, dimension)
    }

    fn of_value(value: Value<'c>) -> Self {
        if let Some(number) = constant_index(value) {
            return Self::Static(number);
        }
        if let Some(dim) = value.defined_by::<tensor::DimOp>()
            && let Some(Ok(dimension)) = constant_index(dim.index()).map(usize::try_from)
        {
            return Self::of(dim.source(), dimension);
        }
        Self::Value(value)
    }

    #[track_caller]
    fn build(&self, b: &Builder<'c>) -> Size<'c> {
        match self {
            Self::Static(size) => Size::Static(*size),
            Self::Value(value) => Size::Dynamic(*value),
            Self::Dimension(tensor, dimension) => {
                let dimension = index::constant(b, *dimension as i64);
                Size::Dynamic(tensor::dim(b, *tensor, dimension))
            }
            Self::Product(factors) => {
                let sizes: Vec<Size> = factors.iter().map(|factor| factor.build(b)).collect();
                product(b, &sizes)
            }
        }
    }

    fn equals(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Static(left), Self::Static(right)) => left == right,
            (Self::Value(left), Self::Value(right)) => same_value(*left, *right, MAX_DEPTH),
            (Self::Dimension(left, of_left), Self::Dimension(right, of_right)) => {
                left == right && of_left == of_right
            }
            _ => false,
        }
    }
}

/// The value that determines a dynamic size of a result.
enum Source<'c> {
    /// The tensor has the same shape.
    SameShape(Value<'c>),
    /// The value is the size.
    Size(Value<'c>),
    /// The sizes are products of the sizes of the tensor in each group.
    Collapsed(Value<'c>, Vec<Vec<i64>>),
}

impl<'c> Source<'c> {
    /// The source of a dimension of a tensor, which is dynamic size `number`.
    fn of(tensor: Value<'c>, dimension: usize, number: usize) -> Option<Self> {
        let (op, result) = tensor.as_result()?;
        let size = |sizes: Vec<Value<'c>>| sizes.get(number).copied().map(Self::Size);
        if let Some(cast) = op.cast::<tensor::CastOp>() {
            let is_ranked = cast.source().ty().shape().is_some();
            return is_ranked.then(|| Self::SameShape(cast.source()));
        }
        if let Some(empty) = op.cast::<tensor::EmptyOp>() {
            return size(empty.dynamic_sizes());
        }
        if let Some(expand) = op.cast::<tensor::ExpandShapeOp>() {
            return size(expand.output_shape());
        }
        if let Some(slice) = op.cast::<tensor::ExtractSliceOp>() {
            let keeps_rank = tensor.ty().shape()?.len() == slice.static_sizes().len();
            return keeps_rank.then(|| size(slice.sizes()))?;
        }
        if let Some(collapse) = op.cast::<tensor::CollapseShapeOp>() {
            return Some(Self::Collapsed(collapse.src(), collapse.reassociation()));
        }
        if let Some(insert) = op.cast::<tensor::InsertSliceOp>() {
            return Some(Self::SameShape(insert.dest()));
        }
        if let Some(insert) = op.cast::<tensor::InsertOp>() {
            return Some(Self::SameShape(insert.dest()));
        }
        if let Some(generic) = op.cast::<linalg::GenericOp>() {
            return generic.outputs().get(result).copied().map(Self::SameShape);
        }
        if let Some(fill) = op.cast::<linalg::FillOp>() {
            return fill.outputs().get(result).copied().map(Self::SameShape);
        }
        if let Some(branches) = op.cast::<scf::IfOp>() {
            return Self::of_branches(branches, result, dimension);
        }
        let carried = op.cast::<scf::ForOp>()?;
        let body = op.body(0)?;
        let yielded = body.terminator()?.operands().get(result).copied()?;
        let argument = body.arguments().get(result + 1).copied()?;
        let is_kept =
            Symbol::of(yielded, dimension).equals(&Symbol::Dimension(argument, dimension));
        is_kept.then(|| carried.init_args().get(result).copied().map(Self::SameShape))?
    }

    /// The source of a size that both branches take from the same value outside.
    fn of_branches(branches: scf::IfOp<'c>, result: usize, dimension: usize) -> Option<Self> {
        let op = branches.operation();
        let yielded = |region| op.body(region)?.terminator()?.operands().get(result).copied();
        match (
            Symbol::of(yielded(0)?, dimension),
            Symbol::of(yielded(1)?, dimension),
        ) {
            (Symbol::Value(left), Symbol::Value(right)) if left == right => Some(Self::Size(left)),
            (Symbol::Dimension(left, of_left), Symbol::Dimension(right, of_right))
                if left == right && of_left == dimension && of_right == dimension =>
            {
                Some(Self::SameShape(left))
            }
            _ => None,
        }
    }
}

/// A product of a number and of sizes.
#[derive(Clone, Debug)]
pub struct Product<'c> {
    factor: i64,
    symbols: Vec<Symbol<'c>>,
}

impl<'c> Product<'c> {
    /// The product of sizes.
    pub fn of(sizes: &[Size<'c>]) -> Self {
        let mut product = Self {
            factor: 1,
            symbols: Vec::new(),
        };
        for size in sizes {
            product.multiply(&Symbol::from(*size));
        }
        product
    }

    fn multiply(&mut self, by: &Symbol<'c>) {
        match by {
            Symbol::Static(number) => match self.factor.checked_mul(*number) {
                Some(factor) => self.factor = factor,
                None => self.symbols.push(by.clone()),
            },
            Symbol::Product(factors) => factors.iter().for_each(|factor| self.multiply(factor)),
            Symbol::Value(value) => match value.defined_by::<arith::MulIOp>() {
                Some(product) => {
                    self.multiply(&Symbol::of_value(product.lhs()));
                    self.multiply(&Symbol::of_value(product.rhs()));
                }
                None => self.symbols.push(by.clone()),
            },
            Symbol::Dimension(..) => self.symbols.push(by.clone()),
        }
    }

    /// The product divided by another one, if it is a multiple of it.
    pub(super) fn quotient(&self, divisor: &Self) -> Option<Self> {
        let factor = if self.factor == divisor.factor {
            1
        } else if divisor.factor != 0 && self.factor % divisor.factor == 0 {
            self.factor / divisor.factor
        } else {
            return None;
        };
        let mut symbols = self.symbols.clone();
        for symbol in &divisor.symbols {
            let found = symbols.iter().position(|other| other.equals(symbol))?;
            symbols.remove(found);
        }
        Some(Self { factor, symbols })
    }

    /// Returns true if two products are equal in every run.
    pub fn equals(&self, other: &Self) -> bool {
        self.quotient(other).is_some_and(|rest| rest.is_one())
    }

    /// Returns true for an empty product.
    fn is_one(&self) -> bool {
        self.factor == 1 && self.symbols.is_empty()
    }
}

/// Returns true if values are the same, or results of the same arithmetic.
fn same_value<'c>(left: Value<'c>, right: Value<'c>, depth: usize) -> bool {
    if left == right {
        return true;
    }
    if depth == 0 || left.ty() != right.ty() {
        return false;
    }
    let (Some(of_left), Some(of_right)) = (left.defining_op(), right.defining_op()) else {
        return false;
    };
    if of_left.isa::<tensor::DimOp>() {
        let (left, right) = (Symbol::of_value(left), Symbol::of_value(right));
        return !matches!(left, Symbol::Value(_)) && left.equals(&right);
    }
    let is_pure = of_left.isa::<tensor::ExtractOp>() || of_left.name().starts_with("arith.");
    let (of_left_operands, of_right_operands) = (of_left.operands(), of_right.operands());
    is_pure
        && of_left.name() == of_right.name()
        && of_left_operands.len() == of_right_operands.len()
        && of_left.attributes() == of_right.attributes()
        && of_left_operands
            .into_iter()
            .zip(of_right_operands)
            .all(|(left, right)| same_value(left, right, depth - 1))
}

/// Returns true if a value is at least zero in every run in which no sum or product overflows.
fn is_not_negative(value: Value, depth: usize) -> bool {
    if let Some(number) = constant_index(value) {
        return number >= 0;
    }
    let Some(op) = value.defining_op().filter(|_| depth > 0) else {
        return false;
    };
    let mut operands = op.operands().into_iter().map(|operand| is_not_negative(operand, depth - 1));
    match op.name() {
        tensor::DimOp::NAME => true,
        arith::MaxSIOp::NAME => operands.any(|is| is),
        arith::AddIOp::NAME
        | arith::CeilDivSIOp::NAME
        | arith::DivSIOp::NAME
        | arith::MinSIOp::NAME
        | arith::MulIOp::NAME
        | arith::RemSIOp::NAME => operands.all(|is| is),
        _ => false,
    }
}
