//! The functions inside ops: their arguments and results.

use super::{
    dims::{Dim, ShapeText},
    tensor::{Subject, Tensor, VerifyResult, expect_same_type},
    ty::Ty,
};

/// A single-block region as a function: the types of its arguments and results.
#[derive(Clone, Debug)]
pub struct Body<T> {
    /// The index of the region.
    pub region: usize,
    pub arguments: Vec<T>,
    pub results: Vec<T>,
}

impl<T: Ty> Body<T> {
    /// How many arguments there are.
    pub fn argument_count(&self) -> usize {
        self.arguments.len()
    }

    /// The types of the arguments, with their names.
    pub fn arguments(&self) -> impl Iterator<Item = (Subject, T)> {
        let region = self.region;
        let named = move |(number, ty): (usize, &T)| (Subject::Argument { region, number }, *ty);
        self.arguments.iter().enumerate().map(named)
    }

    /// An argument that is a tensor.
    pub fn argument(&self, number: usize) -> Result<Tensor<T>, String> {
        match self.arguments().nth(number) {
            Some((subject, ty)) => Tensor::new(subject, ty),
            None => Err(format!(
                "has no argument {number} of region {}",
                self.region
            )),
        }
    }

    /// The types of the returned values, with their names.
    pub fn returned(&self) -> Vec<(Subject, T)> {
        let region = self.region;
        let named = |(number, ty): (usize, &T)| (Subject::Returned { region, number }, *ty);
        self.results.iter().enumerate().map(named).collect()
    }

    /// Fails unless there are this many arguments.
    pub fn expect_argument_count(&self, count: usize) -> VerifyResult {
        if self.argument_count() == count {
            return Ok(());
        }
        Err(format!(
            "region {} has {} arguments, but must have {count}",
            self.region,
            self.argument_count()
        ))
    }

    /// The returned values; fails unless there are this many.
    pub fn expect_returned(&self, count: usize) -> Result<Vec<(Subject, T)>, String> {
        let returned = self.returned();
        if returned.len() == count {
            return Ok(returned);
        }
        Err(format!(
            "region {} returns {} values, but must return {count}",
            self.region,
            returned.len()
        ))
    }

    /// The only returned value, which must be a scalar `i1`.
    pub fn expect_predicate(&self) -> VerifyResult {
        let returned = self.expect_returned(1)?;
        let result = Tensor::new(returned[0].0, returned[0].1)?;
        result.expect_rank(0)?;
        if result.element.is_integer() && result.element.bit_width() == Some(1) {
            return Ok(());
        }
        Err(format!(
            "{} has type {}, but must have type tensor<i1>",
            result.subject, result.ty
        ))
    }

    /// Fails unless the body has arguments of these types, which are named after the values that it
    /// is called with.
    pub fn expect_arguments(&self, types: impl Iterator<Item = (Subject, T)>) -> VerifyResult {
        self.arguments()
            .zip(types)
            .try_for_each(|(argument, value)| expect_same_type(argument, value))
    }
}

/// Returns true if one element type can be promoted to another: same kind, and no fewer bits. The
/// specification's `is_promotable`.
pub fn is_promotable<T: Ty>(from: T, to: T) -> bool {
    if from == to {
        return true;
    }
    match (from.quantized(), to.quantized()) {
        (Some(from), Some(to)) => {
            return from.expressed == to.expressed
                && from.storage.bit_width() <= to.storage.bit_width();
        }
        (None, None) => {}
        _ => return false,
    }
    let wider = |from: T, to: T| from.bit_width() <= to.bit_width();
    if let (Some(from), Some(to)) = (from.complex_element(), to.complex_element()) {
        return wider(from, to);
    }
    let boolean = |element: T| element.bit_width() == Some(1);
    if from.is_integer() && to.is_integer() {
        return boolean(from) == boolean(to) && wider(from, to);
    }
    from.is_float() && to.is_float() && wider(from, to)
}

/// Checks a reduction function: `(E0, ..., EN-1, E0, ..., EN-1) -> (E0, ..., EN-1)` on scalars,
/// where the elements of `inputs` and `inits` are promotable to the `Ek`. Returns the `Ek`.
///
/// A body may also take slices of the dimensions that the op keeps, `kept`; the inits are then such
/// slices too.
///
/// Sections `reduce`, (C6); `reduce_window`, (C13); `scatter`, (C15); `select_and_scatter`, (C10);
/// `all_reduce`, (C5); `reduce_scatter`, (C7).
pub fn expect_reducer<T: Ty>(
    body: &Body<T>,
    inputs: &[Tensor<T>],
    inits: &[Tensor<T>],
    kept: &[Dim],
) -> Result<Vec<T>, String> {
    let count = inputs.len();
    body.expect_argument_count(2 * count)?;
    let returned = body.expect_returned(count)?;
    let mut elements = Vec::with_capacity(count);
    for (number, value) in returned.into_iter().enumerate() {
        let result = Tensor::new(value.0, value.1)?;
        if !is_part_of(&result.dims, kept) {
            return Err(format!(
                "{} has shape {}, but must be a scalar",
                result.subject,
                ShapeText(&result.dims)
            ));
        }
        if let Some(init) = inits.get(number) {
            init.expect_shape_of(&result)?;
        }
        for argument in [body.argument(number)?, body.argument(number + count)?] {
            argument.expect_shape_of(&result)?;
            argument.expect_element_of(&result)?;
        }
        for value in inputs.get(number).into_iter().chain(inits.get(number)) {
            if !is_promotable(value.element, result.element) {
                return Err(format!(
                    "{} has element type {}, which is not promotable to element type {} of {}",
                    value.subject, value.element, result.element, result.subject
                ));
            }
        }
        elements.push(result.element);
    }
    Ok(elements)
}

/// Returns true if a shape consists of some dimensions of another, in order.
fn is_part_of(part: &[Dim], whole: &[Dim]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|dim| rest.any(|other| dim.agrees_with(*other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_keeps_the_order_of_the_whole() {
        let [two, three, four] = [2, 3, 4].map(Dim::Static);
        assert!(is_part_of(&[], &[]));
        assert!(is_part_of(&[two, four], &[two, three, four]));
        assert!(!is_part_of(&[four, two], &[two, three, four]));
        assert!(!is_part_of(&[two], &[]));
    }
}
