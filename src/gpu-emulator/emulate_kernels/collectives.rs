//! Ops by which the lanes of a warp read values of other lanes.
//!
//! All threads compute the operands before the loop that contains such an op,
//! so that a thread reads another lane's value from an array or recomputes it.

use super::{
    WARP,
    barrier_split::Emulation,
    error::{Emulated, EmulationError},
    threads::{Thread, range},
};
use halo_ir::{
    ops::arith::CmpIPredicate,
    ops::{
        BinaryFn,
        gpu::{self, AllReduceOperation, ShuffleMode},
        nvgpu,
    },
    prelude::*,
};

impl<'c> Emulation<'c> {
    /// The results of a collective op for a thread.
    pub fn exchange(
        &mut self,
        b: &Builder<'c>,
        operation: Operation<'c>,
        thread: &Thread<'c>,
        local: &mut ValueMap<'c>,
    ) -> Emulated<'c, Vec<Value<'c>>> {
        match operation.name() {
            gpu::ShuffleOp::NAME => self.shuffle(b, operation, thread, local),
            nvgpu::LdMatrixOp::NAME => Ok(vec![self.load_matrix(b, operation, thread)?]),
            _ => Err(EmulationError::op(operation, "has no emulation")),
        }
    }

    /// The lane of a thread in its warp, and the index of the warp's first
    /// thread.
    fn lane(&self, b: &Builder<'c>, thread: &Thread<'c>) -> (Value<'c>, Value<'c>) {
        let warp = index::constant(b, WARP);
        let lane = index::rem(b, thread.number, warp);
        let first = index::sub(b, thread.number, lane);
        (lane, first)
    }

    /// The value of another thread of the block.
    fn of_thread(
        &mut self,
        b: &Builder<'c>,
        value: Value<'c>,
        number: Value<'c>,
    ) -> Emulated<'c, Value<'c>> {
        let thread = self.launch.thread(b, number);
        self.materialize(b, value, &thread, &mut ValueMap::new())
    }

    /// The value of the lane that the mode and the offset select; if it is out
    /// of the width, the thread's own, marked invalid.
    fn shuffle(
        &mut self,
        b: &Builder<'c>,
        operation: Operation<'c>,
        thread: &Thread<'c>,
        local: &mut ValueMap<'c>,
    ) -> Emulated<'c, Vec<Value<'c>>> {
        let shuffle = gpu::ShuffleOp::from_unchecked(operation);
        let (value, offset, width) = (shuffle.value(), shuffle.offset(), shuffle.width());
        let index = Type::index(b.context());
        let offset = self.materialize(b, offset, thread, local)?;
        let offset = arith::index_cast(b, offset, index);
        let width = self.materialize(b, width, thread, local)?;
        let width = arith::index_cast(b, width, index);
        let (lane, first) = self.lane(b, thread);
        let source = match shuffle.mode() {
            ShuffleMode::Xor => arith::xori(b, lane, offset),
            ShuffleMode::Down => arith::addi(b, lane, offset),
            ShuffleMode::Up => arith::subi(b, lane, offset),
            ShuffleMode::Idx => offset,
        };
        // As unsigned, negative lanes are beyond the width.
        let within = arith::cmpi(b, CmpIPredicate::Ult, source, width);
        let number = index::add(b, first, source);
        let exists = arith::cmpi(b, CmpIPredicate::Ult, number, self.launch.thread_count);
        let valid = arith::andi(b, within, exists);
        let number = arith::select(b, valid, number, thread.number);
        Ok(vec![self.of_thread(b, value, number)?, valid])
    }

    /// Each lane addresses a row of 16 bytes: lanes 0 to 7 the rows of the first 8x8 matrix of
    /// 16-bit elements, and so on. Of each matrix a lane gets the 32 bits at index `lane % 4` of
    /// row `lane / 4`, or with `transpose` of the transposed matrix (PTX ISA, `ldmatrix`).
    fn load_matrix(
        &mut self,
        b: &Builder<'c>,
        operation: Operation<'c>,
        thread: &Thread<'c>,
    ) -> Emulated<'c, Value<'c>> {
        let load = nvgpu::LdMatrixOp::from_unchecked(operation);
        let (memory, indices) = (load.src_memref(), load.indices());
        let result = load.res().ty();
        let Some(&[matrices, width]) = result.static_shape().as_deref() else {
            return Err(EmulationError::op(operation, "gives no matrices"));
        };
        let transpose = load.transpose();
        let (lane, first) = self.lane(b, thread);
        let four = index::constant(b, 4);
        let row = index::div(b, lane, four);
        let part = index::rem(b, lane, four);
        let column = index::mul(b, part, width);
        let mut tiles = arith::constant(b, result, 0);
        for matrix in 0..matrices {
            for element in 0..width {
                let along = index::constant(b, element);
                let along = index::add(b, column, along);
                let (row, column) = if transpose {
                    (along, row)
                } else {
                    (row, along)
                };
                let above = index::constant(b, 8 * matrix);
                let source = index::add(b, above, row);
                let source = index::add(b, first, source);
                let memory = self.of_thread(b, memory, source)?;
                let mut own = Vec::new();
                for index in &indices {
                    own.push(self.of_thread(b, *index, source)?);
                }
                if let Some(last) = own.last_mut() {
                    *last = index::add(b, *last, column);
                }
                self.note_read(b, memory, &own, thread.number)?;
                let value = memref::load(b, memory, &own);
                tiles = vector::insert(b, value, tiles, &[], &[matrix, element]);
            }
        }
        Ok(tiles)
    }

    /// The reduction over each warp, or over all threads of the block.
    pub fn reduce(&mut self, b: &Builder<'c>, operation: Operation<'c>) -> Emulated<'c, ()> {
        let (value, result, kind) = match operation.cast::<gpu::AllReduceOp>() {
            Some(reduce) => (reduce.value(), reduce.result(), reduce.op()),
            None => {
                let reduce = gpu::SubgroupReduceOp::from_unchecked(operation);
                let kind = reduce.cluster_size().is_none().then(|| reduce.op());
                (reduce.value(), reduce.result(), kind)
            }
        };
        let kind =
            kind.ok_or_else(|| EmulationError::op(operation, "is not supported by emulation"))?;
        let combine = combining_op(kind, value.ty().element_type());
        let values = self.array_of(b, value, operation)?;
        let results = self.result_array(b, operation, result)?;
        let (zero, warp) = (index::constant(b, 0), index::constant(b, WARP));
        let count = self.launch.thread_count;
        let (groups, size) = match operation.name() {
            gpu::AllReduceOp::NAME => (index::constant(b, 1), count),
            _ => (self.launch.warp_count, warp),
        };
        range(b, zero, groups, |b, group| {
            let first = index::mul(b, group, size);
            let end = index::add(b, first, size);
            let end = arith::minsi(b, end, count);
            let one = index::constant(b, 1);
            let second = index::add(b, first, one);
            let start = memref::load(b, values, &[first]);
            let total = scf::for_(b, (second, end, one), &[start], |b, number, carried| {
                let next = memref::load(b, values, &[number]);
                vec![combine(b, carried[0], next)]
            })
            .results();
            range(b, first, end, |b, number| {
                memref::store(b, total[0], results, &[number]);
                Ok(())
            })
        })
    }
}

/// The op of `arith` for a reduction kind.
fn combining_op(kind: AllReduceOperation, element: Type) -> BinaryFn {
    use AllReduceOperation as K;
    match (kind, element.is_float()) {
        (K::Add, true) => arith::addf,
        (K::Add, false) => arith::addi,
        (K::Mul, true) => arith::mulf,
        (K::Mul, false) => arith::muli,
        (K::Minui, _) => arith::minui,
        (K::Minsi, _) => arith::minsi,
        (K::Minnumf, _) => arith::minnumf,
        (K::Maxui, _) => arith::maxui,
        (K::Maxsi, _) => arith::maxsi,
        (K::Maxnumf, _) => arith::maxnumf,
        (K::And, _) => arith::andi,
        (K::Or, _) => arith::ori,
        (K::Xor, _) => arith::xori,
        (K::Minimumf, _) => arith::minimumf,
        (K::Maximumf, _) => arith::maximumf,
    }
}
