//! Extracts sort keys from comparators.
//!
//! Programs compare one number of each element, possibly after normalizing it: `jax.numpy.sort`
//! makes all zeros and all NaNs equal before it compares in total order. Such an order is
//! equivalent to an order of unsigned integers, which need no comparator.

use super::{constant, elementwise::Description};
use crate::conversion::scalar::{is_elementwise, storage, total_order_key};
use halo_ir::{prelude::*, stablehlo::attributes::ComparisonType};

/// The key that elements are sorted by.
pub struct SortKey<'c> {
    /// The operand from which the key is computed.
    pub operand: usize,
    /// The key in the comparator, and the argument from which it is computed.
    formula: Option<(Value<'c>, Value<'c>)>,
    /// The element type of the key in HLO.
    element: Type<'c>,
    /// True if zeros of different signs are equal.
    zeros_are_equal: bool,
    /// True if larger keys come first.
    pub descending: bool,
}

impl<'c> SortKey<'c> {
    /// The elements of an operand as keys, in total order.
    pub fn element(operand: usize, element: Type<'c>, descending: bool) -> Self {
        Self {
            operand,
            formula: None,
            element,
            zeros_are_equal: false,
            descending,
        }
    }

    /// The key that a comparator compares, if it compares one.
    pub fn of(comparator: Block<'c>) -> Option<Self> {
        let verdict = *comparator.terminator()?.operands().first()?;
        let compare = verdict.defined_by::<stablehlo::CompareOp>()?;
        let descending = match compare.comparison_direction() {
            ComparisonDirection::Lt => false,
            ComparisonDirection::Gt => true,
            _ => return None,
        };
        let kind = compare.compare_type();
        let (left, right) = (compare.lhs(), compare.rhs());
        let element = left.ty().element_type();
        if !element.is_integer() && !element.is_float() {
            return None;
        }
        let mut leaves = None;
        if !same_formula(left, right, comparator, &mut leaves) {
            return None;
        }
        let (of_left, of_right) = leaves?;
        let swapped = of_left > of_right;
        let argument = *comparator.arguments().get(of_left)?;
        Some(Self {
            operand: of_left / 2,
            formula: Some((left, argument)),
            element,
            zeros_are_equal: kind != Some(ComparisonType::TotalOrder),
            descending: descending != swapped,
        })
    }

    /// The arguments of the handler `halo.sort` for the order, if it supports the order.
    pub fn runtime_order(&self) -> Option<RuntimeOrder> {
        let bits = self.element.bit_width()?;
        let is_known = if self.element.is_float() {
            self.element.float_kind().is_some() && bits >= 16
        } else {
            [8, 16, 32, 64].contains(&bits)
        };
        let formula = self.formula.filter(|(formula, argument)| formula != argument);
        let is_simple = formula.is_none_or(|(formula, argument)| is_normalized(formula, argument));
        let normalized = formula.is_some();
        (is_known && is_simple).then_some(RuntimeOrder {
            zeros_are_equal: self.zeros_are_equal || normalized,
            nans_are_equal: normalized,
        })
    }

    /// The type of the keys: integers of whole bytes.
    pub fn bits(&self) -> u32 {
        storage::working_bits(self.element).max(8)
    }

    /// The key of an element of the operand, as an integer whose signed order is the ascending
    /// order of the elements.
    pub fn signed(&self, b: &Builder<'c>, element: Value<'c>) -> RewriteResult<Value<'c>> {
        let mut value = match self.formula {
            Some((formula, argument)) => evaluate(b, formula, (argument, element))?,
            None => element,
        };
        value = storage::read(b, value, self.element)?;
        let wide = integer_type(b.context(), self.bits());
        if self.element.is_float() {
            if self.zeros_are_equal {
                // The sum of zeros of different signs is positive zero.
                let zero = arith::constant(b, value.ty(), 0.0);
                value = arith::addf(b, value, zero);
            }
            return Ok(total_order_key(b, value));
        }
        let unsigned = self.element.is_unsigned() || self.element.integer_width() == Some(1);
        let value = arith::resize_integer(b, value, wide, !unsigned);
        if unsigned && self.element.bit_width() == Some(self.bits()) {
            return Ok(self.with_sign_flipped(b, value));
        }
        Ok(value)
    }

    /// The key of an element as an integer whose unsigned order is the requested order.
    pub fn unsigned(&self, b: &Builder<'c>, element: Value<'c>) -> RewriteResult<Value<'c>> {
        let key = self.signed(b, element)?;
        let key = self.with_sign_flipped(b, key);
        if !self.descending {
            return Ok(key);
        }
        let ones = arith::constant(b, key.ty(), -1);
        Ok(arith::xori(b, key, ones))
    }

    fn with_sign_flipped(&self, b: &Builder<'c>, key: Value<'c>) -> Value<'c> {
        let sign = arith::constant(b, key.ty(), i64::MIN >> (64 - self.bits()));
        arith::xori(b, key, sign)
    }
}

/// The arguments of the handler `halo.sort` for the order of floats.
#[derive(Clone, Copy, Debug)]
pub struct RuntimeOrder {
    pub zeros_are_equal: bool,
    pub nans_are_equal: bool,
}

/// Returns true if a value is a float with normalized zeros and NaNs, as in `jax.numpy.sort`:
/// `select(x != x, nan, select(x == 0, 0, x))`.
fn is_normalized<'c>(value: Value<'c>, argument: Value<'c>) -> bool {
    let selects = |value: Value<'c>, direction, of: &dyn Fn(Value<'c>) -> bool| {
        let select = value.defined_by::<stablehlo::SelectOp>()?;
        let compare = select.pred().defined_by::<stablehlo::CompareOp>()?;
        let is_test = compare.comparison_direction() == direction
            && compare.compare_type() != Some(ComparisonType::TotalOrder)
            && compare.lhs() == argument
            && of(compare.rhs());
        is_test.then(|| (select.on_true(), select.on_false()))
    };
    let number = |value: Value<'c>| {
        let constant = value.defined_by::<stablehlo::ConstantOp>()?;
        constant.value().splat_number()
    };
    let is_zero = |value: Value<'c>| {
        number(value).is_some_and(|number| number == 0.0 && number.is_sign_positive())
    };
    let Some((nan, rest)) = selects(value, ComparisonDirection::Ne, &|other| other == argument)
    else {
        return false;
    };
    let Some((zero, same)) = selects(rest, ComparisonDirection::Eq, &|other| is_zero(other)) else {
        return false;
    };
    let is_nan = number(nan).is_some_and(|nan| nan.is_nan() && nan.is_sign_positive());
    is_nan && is_zero(zero) && same == argument
}

/// Returns true if two values of a comparator are the same function of the left and of the right
/// argument of one operand. Records the arguments.
fn same_formula<'c>(
    left: Value<'c>,
    right: Value<'c>,
    comparator: Block<'c>,
    leaves: &mut Option<(usize, usize)>,
) -> bool {
    match (left.as_block_argument(), right.as_block_argument()) {
        (Some((of_left, left)), Some((of_right, right))) => {
            of_left == comparator
                && of_right == comparator
                && left != right
                && left / 2 == right / 2
                && *leaves.get_or_insert((left, right)) == (left, right)
        }
        (None, None) => {
            let (Some(left), Some(right)) = (left.defining_op(), right.defining_op()) else {
                return false;
            };
            // Passes move constants out of the comparator.
            let known = |op: Operation<'c>| {
                op.isa::<stablehlo::ConstantOp>()
                    || op.block() == Some(comparator) && is_elementwise(op.name())
            };
            known(left)
                && known(right)
                && left.name() == right.name()
                && left.result_types() == right.result_types()
                && same_attributes(left, right)
                && left.operand_count() == right.operand_count()
                && left
                    .operands()
                    .into_iter()
                    .zip(right.operands())
                    .all(|(left, right)| same_formula(left, right, comparator, leaves))
        }
        _ => false,
    }
}

fn same_attributes(left: Operation, right: Operation) -> bool {
    let attributes = |op: Operation| {
        let mut all: Vec<(String, String)> = op
            .attributes()
            .into_iter()
            .map(|(name, attribute)| (name.to_owned(), attribute.to_string()))
            .collect();
        all.sort();
        all
    };
    attributes(left) == attributes(right)
}

/// Evaluates a formula with an element as its argument.
fn evaluate<'c>(
    b: &Builder<'c>,
    formula: Value<'c>,
    (argument, element): (Value<'c>, Value<'c>),
) -> RewriteResult<Value<'c>> {
    if formula == argument {
        return Ok(element);
    }
    let op = formula.defining_op().ok_or_else(|| no_match("the key is an argument"))?;
    let lowered = storage::stored_type(b.context(), formula.ty());
    if op.isa::<stablehlo::ConstantOp>() {
        let attribute = constant::scalar_value(b.context(), op)?;
        return Ok(arith::constant_of(b, attribute, lowered.element_type()));
    }
    let operands = op
        .operands()
        .into_iter()
        .map(|operand| evaluate(b, operand, (argument, element)))
        .collect::<Result<Vec<_>, _>>()?;
    Description::new(op, lowered)?.lower(b, &operands)
}
