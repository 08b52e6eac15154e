//! Ops by which the lanes of a warp read what others have.
//!
//! Their operands are complete for all threads before the loop that such an op
//! runs in, so that a thread finds in arrays, or computes again, what another
//! lane has.

use super::{
    WARP,
    error::{Emulated, EmulationError},
    phases::Emulation,
    threads::{Thread, range},
};
use halo_codegen::loops::emit;
use halo_ir::ops::arith::CmpIPredicate;
use halo_ir::{
    Builder, Operation, Type, Value, ValueMap, attribute_of, element_type, index_type,
    integer_attribute_value, is_float, name_of, operands_of,
    ops::{Op, arith, gpu, nvgpu},
    result_types_of, results_of, static_shape_of,
};
use melior::ir::{ValueLike, attribute::DenseI64ArrayAttribute};

impl<'c> Emulation<'c> {
    /// The results of such an op for a thread.
    pub fn exchange(
        &mut self,
        b: &Builder<'c>,
        operation: Operation<'c>,
        thread: &Thread<'c>,
        local: &mut ValueMap<'c>,
    ) -> Emulated<'c, Vec<Value<'c>>> {
        match name_of(operation) {
            gpu::ShuffleOp::NAME => self.shuffle(b, operation, thread, local),
            nvgpu::LdMatrixOp::NAME => Ok(vec![self.load_matrix(b, operation, thread)?]),
            _ => Err(EmulationError::op(operation, "has no emulation")),
        }
    }

    /// The lane of a thread in its warp, and the number of the warp's first
    /// thread.
    fn lane(&self, b: &Builder<'c>, thread: &Thread<'c>) -> emit::Emitted<(Value<'c>, Value<'c>)> {
        let warp = emit::index(b, WARP)?;
        let lane = emit::rem(b, thread.number, warp)?;
        let first = emit::sub(b, thread.number, lane)?;
        Ok((lane, first))
    }

    /// A value as another thread of the block has it.
    fn of_thread(
        &mut self,
        b: &Builder<'c>,
        value: Value<'c>,
        number: Value<'c>,
    ) -> Emulated<'c, Value<'c>> {
        let thread = self.launch.thread(b, number)?;
        self.materialize(b, value, &thread, &mut ValueMap::new())
    }

    /// The value of the lane that the mode and the offset name; where there is
    /// none within the width, the thread's own, which is then not valid.
    fn shuffle(
        &mut self,
        b: &Builder<'c>,
        operation: Operation<'c>,
        thread: &Thread<'c>,
        local: &mut ValueMap<'c>,
    ) -> Emulated<'c, Vec<Value<'c>>> {
        let [value, offset, width] = operands_of(operation)[..] else {
            return Err(EmulationError::op(operation, "has no offset and width"));
        };
        let index = index_type(b.context());
        let offset = self.materialize(b, offset, thread, local)?;
        let offset = arith::index_cast(b, offset, index)?;
        let width = self.materialize(b, width, thread, local)?;
        let width = arith::index_cast(b, width, index)?;
        let (lane, first) = self.lane(b, thread)?;
        let mode = attribute_of(operation, "mode").map(|mode| mode.to_string());
        let mode = mode.as_deref().unwrap_or_default();
        let source = match mode
            .trim_start_matches("#gpu<shuffle_mode ")
            .trim_end_matches('>')
        {
            "xor" => arith::xori(b, lane, offset)?,
            "down" => arith::addi(b, lane, offset)?,
            "up" => arith::subi(b, lane, offset)?,
            "idx" => offset,
            _ => return Err(EmulationError::op(operation, "has an unknown mode")),
        };
        // Below 0 is beyond the width when taken as unsigned.
        let within = arith::cmpi(b, CmpIPredicate::Ult, source, width)?;
        let number = emit::add(b, first, source)?;
        let exists = arith::cmpi(b, CmpIPredicate::Ult, number, self.launch.thread_count)?;
        let valid = arith::andi(b, within, exists)?;
        let number = arith::select(b, valid, number, thread.number)?;
        Ok(vec![self.of_thread(b, value, number)?, valid])
    }

    /// Each lane names a row of 16 bytes: lanes 0 to 7 those of the first 8x8
    /// matrix of 16-bit elements, and so on. Of each matrix a lane gets 32 bits
    /// of row `lane / 4`, the `lane % 4`th, or with `transpose` those of the
    /// transposed matrix (PTX ISA, `ldmatrix`).
    fn load_matrix(
        &mut self,
        b: &Builder<'c>,
        operation: Operation<'c>,
        thread: &Thread<'c>,
    ) -> Emulated<'c, Value<'c>> {
        let operands = operands_of(operation);
        let result = result_types_of(operation).first().copied();
        let shape = result.and_then(static_shape_of);
        let (Some((memory, indices)), Some(result), Some(&[matrices, width])) =
            (operands.split_first(), result, shape.as_deref())
        else {
            return Err(EmulationError::op(operation, "gives no matrices"));
        };
        let transpose = attribute_of(operation, "transpose")
            .and_then(integer_attribute_value)
            .is_some_and(|value| value != 0);
        let (lane, first) = self.lane(b, thread)?;
        let four = emit::index(b, 4)?;
        let row = emit::div(b, lane, four)?;
        let part = emit::rem(b, lane, four)?;
        let column = emit::scale(b, part, width)?;
        let mut tiles = emit::zero(b, result)?;
        for matrix in 0..matrices {
            for element in 0..width {
                let along = emit::index(b, element)?;
                let along = emit::add(b, column, along)?;
                let (row, column) = if transpose {
                    (along, row)
                } else {
                    (row, along)
                };
                let above = emit::index(b, 8 * matrix)?;
                let source = emit::add(b, above, row)?;
                let source = emit::add(b, first, source)?;
                let memory = self.of_thread(b, *memory, source)?;
                let mut place = Vec::new();
                for index in indices {
                    place.push(self.of_thread(b, *index, source)?);
                }
                if let Some(last) = place.last_mut() {
                    *last = emit::add(b, *last, column)?;
                }
                self.note_read(b, memory, &place, thread.number)?;
                let value = emit::load(b, memory, &place)?;
                tiles = insert(b, value, tiles, &[matrix, element])?;
            }
        }
        Ok(tiles)
    }

    /// The sum, or what else the op says, of the values of each warp, or of all
    /// threads of the block.
    pub fn reduce(&mut self, b: &Builder<'c>, operation: Operation<'c>) -> Emulated<'c, ()> {
        let (Some(value), Some(result)) = (
            operands_of(operation).first().copied(),
            results_of(operation).first().copied(),
        ) else {
            return Err(EmulationError::op(operation, "reduces nothing"));
        };
        let combine = attribute_of(operation, "op")
            .and_then(|kind| combining_op(&kind.to_string(), element_type(value.r#type())))
            .filter(|_| attribute_of(operation, "cluster_size").is_none())
            .ok_or_else(|| EmulationError::op(operation, "has a form without emulation"))?;
        let values = self.array_of(b, value, operation)?;
        let results = self.result_array(b, operation, result)?;
        let (zero, warp) = (emit::index(b, 0)?, emit::index(b, WARP)?);
        let count = self.launch.thread_count;
        let (groups, size) = match name_of(operation) {
            gpu::AllReduceOp::NAME => (emit::index(b, 1)?, count),
            _ => (self.launch.warp_count, warp),
        };
        range(b, zero, groups, |b, group| {
            let first = emit::mul(b, group, size)?;
            let end = emit::add(b, first, size)?;
            let end = emit::minimum(b, end, count)?;
            let one = emit::index(b, 1)?;
            let second = emit::add(b, first, one)?;
            let start = emit::load(b, values, &[first])?;
            let total = emit::for_loop(b, (second, end, one), &[start], |b, number, carried| {
                let next = emit::load(b, values, &[number])?;
                Ok(vec![b.value(
                    combine,
                    &[carried[0], next],
                    next.r#type(),
                )?])
            })?;
            range(b, first, end, |b, number| {
                emit::store(b, total[0], results, &[number])?;
                Ok(())
            })
        })
    }
}

/// The op of `arith` that combines two values as a reduction says.
fn combining_op(kind: &str, element: Type) -> Option<&'static str> {
    let kind = kind
        .trim_start_matches("#gpu<all_reduce_op ")
        .trim_end_matches('>');
    Some(match (kind, is_float(element)) {
        ("add", true) => arith::AddFOp::NAME,
        ("add", false) => arith::AddIOp::NAME,
        ("mul", true) => arith::MulFOp::NAME,
        ("mul", false) => arith::MulIOp::NAME,
        ("minui", _) => arith::MinUIOp::NAME,
        ("minsi", _) => arith::MinSIOp::NAME,
        ("minnumf", _) => arith::MinNumFOp::NAME,
        ("maxui", _) => arith::MaxUIOp::NAME,
        ("maxsi", _) => arith::MaxSIOp::NAME,
        ("maxnumf", _) => arith::MaxNumFOp::NAME,
        ("and", _) => arith::AndIOp::NAME,
        ("or", _) => arith::OrIOp::NAME,
        ("xor", _) => arith::XOrIOp::NAME,
        ("minimumf", _) => arith::MinimumFOp::NAME,
        ("maximumf", _) => arith::MaximumFOp::NAME,
        _ => return None,
    })
}

/// `vector.insert` of a scalar at a place that is known.
pub fn insert<'c>(
    b: &Builder<'c>,
    value: Value<'c>,
    vector: Value<'c>,
    place: &[i64],
) -> emit::Emitted<Value<'c>> {
    b.op("vector.insert")
        .operands(&[value, vector])
        .attribute(
            "static_position",
            DenseI64ArrayAttribute::new(b.context(), place),
        )
        .result(vector.r#type())
        .value()
}

/// `vector.extract` of a scalar at a place that is known.
pub fn extract<'c>(b: &Builder<'c>, vector: Value<'c>, place: &[i64]) -> emit::Emitted<Value<'c>> {
    b.op("vector.extract")
        .operands(&[vector])
        .attribute(
            "static_position",
            DenseI64ArrayAttribute::new(b.context(), place),
        )
        .result(element_type(vector.r#type()))
        .value()
}
