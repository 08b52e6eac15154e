//! `halo.sort`, the handler of sorts of long rows by a single key.
//!
//! The rows are the last dimension of the operands. The attribute `key` is the number of the
//! operand with the keys, and `descending`, `zeros_are_equal` and `nans_are_equal` specify the
//! order of its elements.
//!
//! Other operands are gathered by the indices of the sorted elements. The indices are computed in
//! the memory of a result that has room for them, which is gathered last, so that no temporary
//! memory is needed.

use super::{CustomCall, CustomCallRegistry, CustomCallSite, Handler, ParallelFor, SEQUENTIAL};
use bytemuck::Pod;
use halo_core::ElementType;
use halo_numerics::sort::{Element, Floats, Integers, NormalizedFloats, Order, sort};
use std::sync::{Arc, Mutex, PoisonError};

/// Fewer rows are sorted one after the other, each by all threads.
const MANY_ROWS: usize = 8;
/// The number of chunks of a result that are gathered separately.
const PARTS: usize = 16;

pub(super) fn register(registry: &mut CustomCallRegistry) {
    registry.register_factory("halo.sort", bind);
}

fn bind(site: &CustomCallSite) -> Result<Handler, String> {
    let operands = &site.operands;
    let key = usize::try_from(site.attributes.integer("key")?).ok();
    let key = key.filter(|key| *key < operands.len() && site.results == *operands);
    let Some(key) = key else {
        return Err("the results are the operands, one of which is the key".to_owned());
    };
    let descending = site.attributes.flag("descending")?;
    let zeros_are_equal = site.attributes.flag("zeros_are_equal")?;
    let nans_are_equal = site.attributes.flag("nans_are_equal")?;
    if nans_are_equal && !zeros_are_equal {
        return Err("there is no order of equal NaNs and different zeros".to_owned());
    }
    let widths: Vec<usize> =
        operands.iter().map(|shape| shape.element_type().byte_width()).collect();
    let count = operands[key].dims().last().copied().unwrap_or(1);
    let has_room = |number: &usize| *number != key && widths[*number] >= size_of::<u32>();
    let numbers = (0..widths.len()).find(has_room);
    if numbers.is_none() && widths.len() > 1 {
        return Err("no result has room for the numbers of elements".to_owned());
    }
    let rows = Rows {
        key,
        numbers,
        widths,
        count,
    };
    let order = Ordering {
        descending,
        zeros_are_equal,
        nans_are_equal,
    };
    let element = operands[key].element_type();
    let signed = element.is_signed_integer();
    Ok(match element {
        ElementType::I8 | ElementType::Ui8 => integers::<u8>(rows, signed, descending),
        ElementType::I16 | ElementType::Ui16 => integers::<u16>(rows, signed, descending),
        ElementType::I32 | ElementType::Ui32 => integers::<u32>(rows, signed, descending),
        ElementType::I64 | ElementType::Ui64 => integers::<u64>(rows, signed, descending),
        ElementType::F16 => floats::<u16>(rows, 0x7C00, order),
        ElementType::BF16 => floats::<u16>(rows, 0x7F80, order),
        ElementType::F32 => floats::<u32>(rows, 0x7F80_0000, order),
        ElementType::F64 => floats::<u64>(rows, 0x7FF0_0000_0000_0000, order),
        other => return Err(format!("there is no sort by {other}")),
    })
}

/// The values of the attributes.
#[derive(Clone, Copy)]
struct Ordering {
    descending: bool,
    zeros_are_equal: bool,
    nans_are_equal: bool,
}

fn integers<T: Element + Pod>(rows: Rows, signed: bool, descending: bool) -> Handler {
    let order = Integers::<T>::new(signed, descending);
    Arc::new(move |call| rows.sort_all(call, |parallel_for, row| row.sort(parallel_for, order)))
}

/// `infinity` has the bits of infinity.
fn floats<T: Element + Pod>(rows: Rows, infinity: T, ordering: Ordering) -> Handler {
    let bits = Floats::<T>::new(ordering.descending);
    if !ordering.zeros_are_equal && !ordering.nans_are_equal {
        return Arc::new(move |call| {
            rows.sort_all(call, |parallel_for, row| row.sort(parallel_for, bits))
        });
    }
    let order = NormalizedFloats::new(infinity, ordering.nans_are_equal, ordering.descending);
    Arc::new(move |call| {
        rows.sort_all(call, |parallel_for, row| {
            match order.of_bits(row.source::<T>()?) {
                Some(bits) => row.sort(parallel_for, bits),
                None => row.sort(parallel_for, order),
            }
        })
    })
}

/// The rows of all operands.
struct Rows {
    key: usize,
    /// The result in which the numbers of elements are computed.
    numbers: Option<usize>,
    /// The bytes of an element of each operand.
    widths: Vec<usize>,
    /// The elements of a row.
    count: usize,
}

/// A row of all operands and results, as bytes.
struct Row<'a> {
    rows: &'a Rows,
    sources: Vec<&'a [u8]>,
    results: Vec<&'a mut [u8]>,
}

impl Rows {
    /// Calls a function for each row.
    fn sort_all(
        &self,
        call: &mut CustomCall<'_>,
        sort: impl Fn(ParallelFor<'_>, Row<'_>) -> Result<(), String> + Sync,
    ) -> Result<(), String> {
        let mut rows: Vec<Row> = Vec::new();
        for ((operand, result), width) in
            call.operands.iter().zip(&mut call.results).zip(&self.widths)
        {
            let size = (width * self.count).max(1);
            rows.resize_with(operand.bytes.len() / size, || Row {
                rows: self,
                sources: Vec::new(),
                results: Vec::new(),
            });
            let sources = operand.bytes.chunks_exact(size);
            let results = result.bytes.chunks_exact_mut(size);
            for (row, (source, result)) in rows.iter_mut().zip(sources.zip(results)) {
                row.sources.push(source);
                row.results.push(result);
            }
        }
        if rows.len() < MANY_ROWS {
            let mut rows = rows.into_iter();
            return rows.try_for_each(|row| sort(call.parallel_for, row));
        }
        let failure = Mutex::new(None);
        let rows: Vec<_> = rows.into_iter().map(|row| Mutex::new(Some(row))).collect();
        (call.parallel_for)(rows.len() as i64, 1, &|begin, end| {
            for row in &rows[begin as usize..end as usize] {
                let row = row.lock().unwrap_or_else(PoisonError::into_inner).take();
                if let Some(Err(error)) = row.map(|row| sort(SEQUENTIAL, row)) {
                    *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                }
            }
        });
        let failure = failure.into_inner().unwrap_or_else(PoisonError::into_inner);
        failure.map_or(Ok(()), Err)
    }
}

impl<'a> Row<'a> {
    /// The elements that are compared.
    fn source<T: Pod>(&self) -> Result<&'a [T], String> {
        let source = self.sources.get(self.rows.key);
        slice(source.ok_or("it has no key")?)
    }

    fn sort<T: Element + Pod>(
        mut self,
        parallel_for: ParallelFor<'_>,
        order: impl Order<T>,
    ) -> Result<(), String> {
        let source = self.source::<T>()?;
        // Results are taken one after the other.
        let mut take = |number: usize| self.results.get_mut(number).map(std::mem::take);
        let Rows {
            key,
            numbers,
            widths,
            ..
        } = self.rows;
        let keys = slice_mut::<T>(take(*key).ok_or("it has no result")?)?;
        let Some((number, room)) = numbers.and_then(|number| Some((number, take(number)?))) else {
            sort(
                parallel_for,
                order,
                source,
                (keys, &mut vec![(); source.len()]),
            );
            return Ok(());
        };
        let tags = &mut slice_mut::<u32>(room)?[..source.len()];
        sort(parallel_for, order, source, (keys, &mut *tags));
        for (other, (source, width)) in self.sources.iter().zip(widths).enumerate() {
            if let (true, Some(result)) = (other != number && other != *key, take(other)) {
                gather(parallel_for, (source, *width), tags, result);
            }
        }
        gather_in_place(parallel_for, (self.sources[number], widths[number]), room);
        Ok(())
    }
}

/// Gathers the elements with the given indices.
fn gather(
    parallel_for: ParallelFor<'_>,
    (source, width): (&[u8], usize),
    numbers: &[u32],
    result: &mut [u8],
) {
    let count = numbers.len().div_ceil(PARTS).max(1);
    each(parallel_for, result, count * width, |part, result| {
        let numbers = &numbers[part * count..];
        match width {
            1 => gather_elements::<1>(source, numbers, result),
            2 => gather_elements::<2>(source, numbers, result),
            4 => gather_elements::<4>(source, numbers, result),
            8 => gather_elements::<8>(source, numbers, result),
            _ => gather_elements::<16>(source, numbers, result),
        }
    });
}

fn gather_elements<const WIDTH: usize>(source: &[u8], numbers: &[u32], result: &mut [u8]) {
    let (source, result) = (
        source.as_chunks::<WIDTH>().0,
        result.as_chunks_mut::<WIDTH>().0,
    );
    for (element, number) in result.iter_mut().zip(numbers) {
        *element = source[*number as usize];
    }
}

/// Replaces numbers of 32 bits at the beginning of the result by the elements that they
/// are the numbers of.
fn gather_in_place(
    parallel_for: ParallelFor<'_>,
    (source, width): (&[u8], usize),
    result: &mut [u8],
) {
    // If elements have the size of indices, each chunk has its own.
    let count = (result.len() / width).div_ceil(PARTS).max(1);
    match width {
        4 => each(parallel_for, result, count * width, |_, result| {
            replace_numbers::<4>(source, result);
        }),
        8 => replace_numbers::<8>(source, result),
        _ => replace_numbers::<16>(source, result),
    }
}

fn replace_numbers<const WIDTH: usize>(source: &[u8], result: &mut [u8]) {
    let source = source.as_chunks::<WIDTH>().0;
    // The last element overwrites the last indices, which are not needed any more.
    for at in (0..result.len() / WIDTH).rev() {
        let number = result[4 * at..].first_chunk().copied().map_or(0, u32::from_ne_bytes);
        result[WIDTH * at..][..WIDTH].copy_from_slice(&source[number as usize]);
    }
}

/// Calls a function for chunks of bytes, on several threads.
fn each(
    parallel_for: ParallelFor<'_>,
    bytes: &mut [u8],
    size: usize,
    body: impl Fn(usize, &mut [u8]) + Sync,
) {
    let parts: Vec<Mutex<&mut [u8]>> = bytes.chunks_mut(size.max(1)).map(Mutex::new).collect();
    parallel_for(parts.len() as i64, 1, &|begin, end| {
        let (begin, end) = (begin as usize, end as usize);
        for (number, part) in (begin..end).zip(&parts[begin..end]) {
            let mut part = part.lock().unwrap_or_else(PoisonError::into_inner);
            body(number, &mut part);
        }
    });
}

fn slice<T: Pod>(bytes: &[u8]) -> Result<&[T], String> {
    bytemuck::try_cast_slice(bytes).map_err(|error| error.to_string())
}

fn slice_mut<T: Pod>(bytes: &mut [u8]) -> Result<&mut [T], String> {
    bytemuck::try_cast_slice_mut(bytes).map_err(|error| error.to_string())
}
