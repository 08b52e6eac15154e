//! Sorting for devices of many threads by a sorting network, whose comparisons within a stage are
//! independent.
//!
//! Batcher's bitonic network, with all comparisons in one direction: two sorted
//! runs of `k` elements are merged by comparing element `i` with `2k - 1 - i`,
//! and then with the elements `k/2`, `k/4`, ... away. Elements after the end of
//! a row compare as larger than all others and never move, so a row may have
//! any length. (K. E. Batcher, Sorting networks and their applications, 1968.)
//!
//! Each stage compares element `i` with element `i xor mask`; the masks are a constant. Both
//! elements compute the same comparison and select their result by it, so that the result is a
//! permutation even if the comparator is not an order. For a stable sort, the indices of equal
//! elements are compared as well.
//!
//! ```mlir
//! %0 = scf.for %t = %c0 to %c210 step %c2 iter_args(%x = %row) -> tensor<1x1048576xf32> {
//!   %1 = linalg.generic ... {        // stage t
//!     %mask = tensor.extract %masks[%t] : tensor<210xi32>
//!     %partner = arith.xori %i, %mask : index
//!     ...
//!   }
//!   %2 = linalg.generic ...          // stage t + 1, back into the place of %x
//!   scf.yield %2 : tensor<1x1048576xf32>
//! }
//! ```

use super::sort::Before;
use halo_ir::ops::structured::Generic;
use halo_ir::{dense_from_integers, prelude::*};

/// Sorts the rows of tensors of two dimensions, stably if requested.
pub fn sort_rows<'c>(
    b: &Builder<'c>,
    operands: &[Value<'c>],
    stable: bool,
    before: &Before<'_, 'c>,
) -> RewriteResult<Vec<Value<'c>>> {
    let first = *operands.first().ok_or_else(|| no_match("it has no operand"))?;
    let sizes = first.ty().sizes();
    let count = *sizes.get(1).ok_or_else(|| no_match("a dimension is out of range"))?;
    let number = integer_type(b.context(), number_bits(count));
    let mut rows = operands.to_vec();
    if stable {
        rows.push(structured::gather_elements(
            b,
            Vec::new(),
            tensor_type(&sizes, number),
            |b, _| arith::cast(b, arith::index_cast, position(b, 1), number),
        ));
    }
    let masks = masks(count);
    let ty = tensor_type(&[masks.len() as i64], number);
    let value = dense_from_integers(ty, &masks).ok_or_else(|| {
        RewriteError::Invalid("internal error: the masks of a sort are not constant".into())
    })?;
    let network = Network {
        masks: arith::constant_of(b, value, ty),
        sizes,
        stable,
        before,
    };
    let stages = masks.len() as i64;
    let mut sorted = network.stages(b, stages, &rows)?;
    sorted.truncate(operands.len());
    Ok(sorted)
}

/// The width of the signed integers for element indices and masks.
fn number_bits(count: i64) -> u32 {
    // A mask is less than twice the last index.
    if count <= 1 << 30 { 32 } else { 64 }
}

/// The partner of each element in each stage, as the bits in which their
/// indices differ. The number of stages is even.
fn masks(count: i64) -> Vec<i64> {
    let mut masks = Vec::new();
    let mut run = 1;
    while run < count {
        masks.push(2 * run - 1);
        let mut distance = run / 2;
        while distance > 0 {
            masks.push(distance);
            distance /= 2;
        }
        run *= 2;
    }
    if masks.len() % 2 == 1 {
        masks.push(0);
    }
    masks
}

struct Network<'a, 'b, 'c> {
    masks: Value<'c>,
    /// The number of rows and their length.
    sizes: Vec<i64>,
    /// True if the last operand is the element indices.
    stable: bool,
    before: &'a Before<'b, 'c>,
}

impl<'c> Network<'_, '_, 'c> {
    /// Emits all stages, two per iteration: the second one writes to the input of the first one.
    fn stages(
        &self,
        b: &Builder<'c>,
        stages: i64,
        rows: &[Value<'c>],
    ) -> RewriteResult<Vec<Value<'c>>> {
        Ok(scf::for_(b, (0, stages / 2, 1), rows, |b, pair, rows| {
            let two = index::constant(b, 2);
            let even = arith::muli(b, pair, two);
            let one = index::constant(b, 1);
            let odd = arith::addi(b, even, one);
            let between = self.stage(b, even, rows)?;
            self.stage(b, odd, &between)
        })?
        .results())
    }

    fn stage(
        &self,
        b: &Builder<'c>,
        stage: Value<'c>,
        rows: &[Value<'c>],
    ) -> RewriteResult<Vec<Value<'c>>> {
        let identity = AffineMap::multi_dim_identity(b.context(), 2);
        let outputs = rows.iter().map(|row| (structured::empty(b, row.ty()), identity)).collect();
        let generic = Generic {
            inputs: Vec::new(),
            outputs,
            iterators: vec![IteratorType::Parallel; 2],
        };
        generic.build(b, |b, _| self.element(b, stage, rows))
    }

    /// The value of an element after a stage.
    fn element(
        &self,
        b: &Builder<'c>,
        stage: Value<'c>,
        rows: &[Value<'c>],
    ) -> RewriteResult<Vec<Value<'c>>> {
        let index = Type::index(b.context());
        let (row, own) = (position(b, 0), position(b, 1));
        let mask = tensor::extract(b, self.masks, &[stage]);
        let mask = arith::cast(b, arith::index_cast, mask, index);
        let partner = arith::xori(b, own, mask);
        let end = index::constant(b, self.sizes[1]);
        let there = arith::cmpi(b, CmpIPredicate::Ult, partner, end);
        let partner = arith::select(b, there, partner, own);
        let lower = arith::minui(b, own, partner);
        let upper = arith::maxui(b, own, partner);
        let elements = |at: Value<'c>| -> Vec<Value<'c>> {
            rows.iter().map(|tensor| tensor::extract(b, *tensor, &[row, at])).collect()
        };
        let (low, high) = (elements(lower), elements(upper));
        let swap = self.swap(b, &low, &high)?;
        let first = arith::cmpi(b, CmpIPredicate::Eq, own, lower);
        let takes_low = arith::xori(b, first, swap);
        low.into_iter()
            .zip(high)
            .map(|(low, high)| Ok(arith::select(b, takes_low, low, high)))
            .collect()
    }

    /// True if two elements must be swapped: the upper one orders before the lower one.
    fn swap(
        &self,
        b: &Builder<'c>,
        low: &[Value<'c>],
        high: &[Value<'c>],
    ) -> RewriteResult<Value<'c>> {
        if !self.stable {
            return (self.before)(b, high, low);
        }
        let ((low_number, low), (high_number, high)) = match (low.split_last(), high.split_last()) {
            (Some(low), Some(high)) => (low, high),
            _ => return Err(no_match("there is no row")),
        };
        let above = (self.before)(b, high, low)?;
        let below = (self.before)(b, low, high)?;
        let earlier = arith::cmpi(b, CmpIPredicate::Slt, *high_number, *low_number);
        // The index breaks ties of the comparator.
        let no = arith::constant(b, below.ty(), 0);
        let tie = arith::select(b, below, no, earlier);
        Ok(arith::select(b, above, above, tie))
    }
}

/// `linalg.index`
fn position<'c>(b: &Builder<'c>, dim: i64) -> Value<'c> {
    linalg::index(b, dim)
}

#[cfg(test)]
mod tests {
    use super::{masks, number_bits};

    #[test]
    fn numbers_hold_all_masks() {
        for count in [2, 1 << 29, 1 << 30, (1 << 30) + 1, 1 << 31, 1 << 40] {
            let largest = masks(count).into_iter().max().unwrap_or(0);
            let most = i64::MAX >> (64 - number_bits(count));
            assert!(largest.max(count - 1) <= most, "{count}: {largest}");
        }
        assert_eq!(number_bits(1 << 30), 32);
    }

    /// Applies the network to integers.
    fn sort(mut numbers: Vec<i64>) -> Vec<i64> {
        for mask in masks(numbers.len() as i64) {
            let before = numbers.clone();
            for (own, number) in numbers.iter_mut().enumerate() {
                let partner = own ^ mask as usize;
                if let Some(other) = before.get(partner) {
                    let smaller = before[own].min(*other);
                    let larger = before[own].max(*other);
                    *number = if own < partner { smaller } else { larger };
                }
            }
        }
        numbers
    }

    #[test]
    fn networks_of_any_length_sort() {
        for count in 0..70_i64 {
            assert_eq!(masks(count).len() % 2, 0);
            let mixed: Vec<i64> = (0..count).map(|i| i * 7919 % 31).collect();
            let mut expected = mixed.clone();
            expected.sort_unstable();
            assert_eq!(sort(mixed), expected);
        }
        // By the 0-1 principle, these inputs suffice for 8 elements.
        for bits in 0..256_u32 {
            let mixed: Vec<i64> = (0..8).map(|i| i64::from(bits >> i & 1)).collect();
            let mut expected = mixed.clone();
            expected.sort_unstable();
            assert_eq!(sort(mixed), expected);
        }
    }
}
