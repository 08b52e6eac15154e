//! Rows of several operands, which are tensors or scratch memory, that are read and written
//! together.
//!
//! An algorithm reads a row of an operand and writes a row of a result; both are tensors. Its
//! scratch memory is a buffer, to which buffer assignment gives an address.

use super::sort::Before;
use halo_ir::prelude::*;

/// A row of each of several tensors or buffers.
#[derive(Clone)]
pub struct Rows<'c> {
    values: Vec<Value<'c>>,
    /// The index of the row, if the values have two dimensions.
    row: Option<Value<'c>>,
}

impl<'c> Rows<'c> {
    /// Tensors of one dimension.
    pub fn whole(values: &[Value<'c>]) -> Self {
        Self {
            values: values.to_vec(),
            row: None,
        }
    }

    /// A row of tensors or buffers of two dimensions.
    pub fn of(values: &[Value<'c>], row: Value<'c>) -> Self {
        Self {
            values: values.to_vec(),
            row: Some(row),
        }
    }

    /// The values that a loop must carry to write the rows: the tensors.
    pub fn carried(&self) -> Vec<Value<'c>> {
        let tensors = self.values.iter().copied();
        tensors.filter(|value| !value.ty().is_memref()).collect()
    }

    /// The rows in a loop that carries them: its first carried values. Also returns the other
    /// carried values.
    pub fn resume<'a>(&self, carried: &'a [Value<'c>]) -> (Self, &'a [Value<'c>]) {
        let (own, others) = carried.split_at(self.carried().len());
        let values = if own.is_empty() { &self.values } else { own };
        let rows = Self {
            values: values.to_vec(),
            row: self.row,
        };
        (rows, others)
    }

    fn position(&self, index: Value<'c>) -> Vec<Value<'c>> {
        self.row.into_iter().chain([index]).collect()
    }

    /// Loads the elements at a position.
    pub fn load(&self, b: &Builder<'c>, index: Value<'c>) -> RewriteResult<Vec<Value<'c>>> {
        (0..self.values.len()).map(|number| self.load_one(b, number, index)).collect()
    }

    /// Loads the element of one operand at a position.
    pub fn load_one(
        &self,
        b: &Builder<'c>,
        number: usize,
        index: Value<'c>,
    ) -> RewriteResult<Value<'c>> {
        let value = self.values.get(number).ok_or_else(|| no_match("there is no such row"))?;
        Ok(load(b, *value, &self.position(index)))
    }

    /// The rows with the elements at a position replaced.
    pub fn store(&self, b: &Builder<'c>, index: Value<'c>, elements: &[Value<'c>]) -> Self {
        let position = self.position(index);
        let values = self
            .values
            .iter()
            .zip(elements)
            .map(|(value, element)| {
                if !value.ty().is_memref() {
                    return tensor::insert(b, *element, *value, &position);
                }
                store(b, *element, *value, &position);
                *value
            })
            .collect();
        Self {
            values,
            row: self.row,
        }
    }
}

/// Scratch memory.
pub fn scratch<'c>(
    b: &Builder<'c>,
    sizes: &[impl Into<Size<'c>> + Copy],
    element: Type<'c>,
) -> Value<'c> {
    let sizes: Vec<Size> = sizes.iter().map(|size| (*size).into()).collect();
    let ty = memref_type(&sizes::numbers(&sizes), element);
    memref::alloc(b, &sizes::values(&sizes), &[], ty)
}

/// Loads an element of a tensor or of scratch memory.
pub fn load<'c>(b: &Builder<'c>, source: Value<'c>, position: &[Value<'c>]) -> Value<'c> {
    if !source.ty().is_memref() {
        return tensor::extract(b, source, position);
    }
    memref::load(b, source, position)
}

/// Writes an element of scratch memory.
pub fn store<'c>(
    b: &Builder<'c>,
    element: Value<'c>,
    destination: Value<'c>,
    position: &[Value<'c>],
) {
    memref::store(b, element, destination, position);
}

/// A loop that writes rows and carries other values. The body gets the index, the rows and the
/// values, and returns the next rows and values.
pub fn for_rows<'c>(
    b: &Builder<'c>,
    bounds: (Value<'c>, Value<'c>),
    rows: &Rows<'c>,
    others: &[Value<'c>],
    body: impl FnOnce(
        &Builder<'c>,
        Value<'c>,
        &Rows<'c>,
        &[Value<'c>],
    ) -> RewriteResult<(Rows<'c>, Vec<Value<'c>>)>,
) -> RewriteResult<(Rows<'c>, Vec<Value<'c>>)> {
    let mut carried = rows.carried();
    carried.extend(others);
    let results = scf::for_(b, (bounds.0, bounds.1, 1), &carried, |b, index, carried| {
        let (rows, others) = rows.resume(carried);
        let (rows, others) = body(b, index, &rows, others)?;
        let mut next = rows.carried();
        next.extend(others);
        Ok::<_, RewriteError>(next)
    })?
    .results();
    let (rows, others) = rows.resume(&results);
    Ok((rows, others.to_vec()))
}

/// Inserts elements into the sorted positions `first` to `at`, the last of which is free: elements
/// that order after the new ones move up by one.
pub fn insert_sorted<'c>(
    b: &Builder<'c>,
    rows: &Rows<'c>,
    (first, at): (Value<'c>, Value<'c>),
    elements: &[Value<'c>],
    before: &Before<'_, 'c>,
) -> RewriteResult<Rows<'c>> {
    let one = index::constant(b, 1);
    let mut carried = rows.carried();
    carried.push(at);
    let results = scf::while_(
        b,
        &carried,
        |b, carried| {
            let (rows, position) = rows.resume(carried);
            let previous = arith::subi(b, position[0], one);
            let readable = arith::maxsi(b, previous, first);
            let present = rows.load(b, readable)?;
            let moves = before(b, elements, &present)?;
            let more = arith::cmpi(b, CmpIPredicate::Sgt, position[0], first);
            Ok((arith::andi(b, more, moves), carried.to_vec()))
        },
        |b, carried| {
            let (rows, position) = rows.resume(carried);
            let previous = arith::subi(b, position[0], one);
            let moved = rows.load(b, previous)?;
            let mut next = rows.store(b, position[0], &moved).carried();
            next.push(previous);
            Ok::<_, RewriteError>(next)
        },
    )?
    .results();
    let (rows, position) = rows.resume(&results);
    Ok(rows.store(b, position[0], elements))
}
