//! `nvgpu.mma.sync`: the matrix product of a warp.
//!
//! Each lane has registers of 32 bits, `w` elements in each. Lane `l` is in
//! group `g = l / 4` and the `q = l % 4`th of it; of an `m x k` matrix A,
//! register `r`, element `e` is
//!
//! - row `g + 8 * (r % 2)` and column `4 * w * (r / 2) + w * q + e`;
//!
//! of a `k x 8` matrix B, row `4 * w * r + w * q + e` and column `g`; and of
//! the `m x 8` matrices C and D, row `g + 8 * r` and column `2 * q + e` (PTX
//! ISA, "Matrix Fragments for mma.m16n8k8" and the sections after it, which all
//! have this layout).
//!
//! One function for each shape and types spreads the fragments of a warp into
//! three matrices, multiplies them row by row, and gathers the result. The sums
//! of floats narrower than f64 are kept in f64 and rounded once, as the hardware
//! adds up the products of one instruction before it rounds.

use super::{
    WARP,
    barrier_split::Emulation,
    error::{Emulated, EmulationError},
    threads::range,
};
use halo_ir::{ops::nvgpu, prelude::*};
use melior::ir::r#type::FunctionType;

/// Columns of B, C and D.
const COLUMNS: i64 = 8;

/// The shape and types of a product.
#[derive(Clone, Copy)]
struct Product<'c> {
    rows: i64,
    inner: i64,
    /// The types of the fragments of a lane.
    fragments: [Type<'c>; 3],
    /// The element types of products and sums.
    computed: Type<'c>,
    /// Whether operands are truncated to TF32.
    tf32: bool,
}

/// The position of a fragment's element in its matrix.
enum Matrix {
    A,
    B,
    C,
}

impl<'c> Product<'c> {
    fn of(b: &Builder<'c>, operation: Operation<'c>) -> Emulated<'c, Self> {
        let product = nvgpu::MmaSyncOp::from_unchecked(operation);
        let factors = [product.matrix_a(), product.matrix_b(), product.matrix_c()];
        let [a, other, c] = factors.map(|value| value.ty());
        let shape = |ty: Type| ty.static_shape().unwrap_or_default();
        let (&[a_registers, width], &[b_registers, b_width], &[rows, 2]) =
            (&shape(a)[..], &shape(other)[..], &shape(c)[..])
        else {
            return Err(EmulationError::op(
                operation,
                "has operand types that emulation does not support",
            ));
        };
        // A has two rows of registers for each one of C.
        if b_width != width || a_registers != rows * b_registers || !(1..=2).contains(&rows) {
            return Err(EmulationError::op(
                operation,
                "has operand types that emulation does not support",
            ));
        }
        let element = c.element_type();
        let computed = match element.bit_width() {
            Some(16 | 32) if element.is_float() => Type::float64(b.context()),
            _ => element,
        };
        Ok(Self {
            rows: COLUMNS * rows,
            inner: 4 * width * b_registers,
            fragments: [a, other, c],
            computed,
            tf32: product.tf32_enabled(),
        })
    }

    fn name(&self) -> String {
        let [a, b, c] = self.fragments.map(|ty| ty.element_type().to_string());
        let tf32 = if self.tf32 { "_tf32" } else { "" };
        let (rows, inner) = (self.rows, self.inner);
        format!("__halo_mma_m{rows}n{COLUMNS}k{inner}_{a}_{b}_{c}{tf32}")
    }

    /// The row-major index of an element: the part that depends on the
    /// register, and the part that depends on the lane.
    fn element_index(
        &self,
        b: &Builder<'c>,
        matrix: &Matrix,
        (group, quarter): (Value<'c>, Value<'c>),
        (register, element): (i64, i64),
        width: i64,
    ) -> Value<'c> {
        let (constant, group_stride, quarter_stride) = match matrix {
            Matrix::A => {
                let halves = self.rows / COLUMNS;
                let row = 8 * (register % halves);
                let column = 4 * width * (register / halves) + element;
                (row * self.inner + column, self.inner, width)
            }
            Matrix::B => {
                let row = 4 * width * register + element;
                (row * COLUMNS, 1, width * COLUMNS)
            }
            Matrix::C => (8 * register * COLUMNS + element, COLUMNS, 2),
        };
        let row = index::mul(b, group, group_stride);
        let column = index::mul(b, quarter, quarter_stride);
        let lane = index::add(b, row, column);
        let constant = index::constant(b, constant);
        index::add(b, lane, constant)
    }

    /// An element, converted for the multiplication.
    fn widen(&self, b: &Builder<'c>, value: Value<'c>) -> Value<'c> {
        let ty = value.ty();
        if self.tf32 {
            let word = integer_type(b.context(), 32);
            let bits = arith::bitcast(b, value, word);
            // The 13 fraction bits that TF32 lacks are ignored.
            let mask = arith::scalar(b, word, 0.0, !0x1fff);
            let bits = arith::andi(b, bits, mask);
            let value = arith::bitcast(b, bits, ty);
            return arith::extf(b, value, self.computed);
        }
        if ty == self.computed {
            return value;
        }
        if ty.is_float() {
            arith::extf(b, value, self.computed)
        } else {
            arith::extsi(b, value, self.computed)
        }
    }

    /// Spreads the fragments of all lanes into a matrix.
    fn spread(
        &self,
        b: &Builder<'c>,
        matrix: &Matrix,
        fragments: Value<'c>,
        target: Value<'c>,
    ) -> Emulated<'c, ()> {
        let shape = fragments.ty().element_type().static_shape().unwrap_or_default();
        let &[registers, width] = shape.as_slice() else {
            return Ok(());
        };
        each_lane(b, |b, lane, parts| {
            let fragment = memref::load(b, fragments, &[lane]);
            for register in 0..registers {
                for element in 0..width {
                    let value = vector::extract(b, fragment, &[], &[register, element]);
                    let value = match matrix {
                        Matrix::C if value.ty() == self.computed => value,
                        Matrix::C => arith::extf(b, value, self.computed),
                        _ => self.widen(b, value),
                    };
                    let index = self.element_index(b, matrix, parts, (register, element), width);
                    memref::store(b, value, target, &[index]);
                }
            }
            Ok(())
        })
    }

    /// The function of the product of a warp.
    fn define(&self, b: &Builder<'c>) -> Emulated<'c, ()> {
        let context = b.context();
        let [a, other, c] = self.fragments.map(|ty| memref_type(&[WARP], ty));
        let types = [a, other, c, c];
        let region = b.region(&types, |b, arguments| {
            if let &[a, other, c, d] = arguments {
                self.fill(b, [a, other, c], d)?;
            }
            func::return_(b, &[]);
            Ok::<_, EmulationError>(())
        })?;
        let signature = FunctionType::new(context, &types, &[]);
        func::FuncOp::build(b, &self.name(), signature.into(), region)
            .sym_visibility("private")
            .no_inline(true)
            .insert();
        Ok(())
    }

    fn fill(
        &self,
        b: &Builder<'c>,
        [a, other, c]: [Value<'c>; 3],
        d: Value<'c>,
    ) -> Emulated<'c, ()> {
        let matrix = |size: i64| -> Value<'c> {
            memref::AllocaOp::build(b, &[], &[], memref_type(&[size], self.computed))
                .alignment(64)
                .value()
        };
        let left = matrix(self.rows * self.inner);
        let right = matrix(self.inner * COLUMNS);
        let sums = matrix(self.rows * COLUMNS);
        self.spread(b, &Matrix::A, a, left)?;
        self.spread(b, &Matrix::B, other, right)?;
        self.spread(b, &Matrix::C, c, sums)?;
        let zero = index::constant(b, 0);
        let rows = index::constant(b, self.rows);
        range(b, zero, rows, |b, row| {
            self.multiply_row(b, row, left, right, sums);
            Ok(())
        })?;
        let element = self.fragments[2].element_type();
        each_lane(b, |b, lane, parts| {
            let mut fragment = arith::constant(b, self.fragments[2], 0);
            for register in 0..self.rows / COLUMNS {
                for number in 0..2 {
                    let index = self.element_index(b, &Matrix::C, parts, (register, number), 2);
                    let mut value = memref::load(b, sums, &[index]);
                    if element != self.computed {
                        value = arith::truncf(b, value, element);
                    }
                    fragment = vector::insert(b, value, fragment, &[], &[register, number]);
                }
            }
            memref::store(b, fragment, d, &[lane]);
            Ok(())
        })
    }

    /// A row of A times B, added to a row of C.
    fn multiply_row(
        &self,
        b: &Builder<'c>,
        row: Value<'c>,
        left: Value<'c>,
        right: Value<'c>,
        sums: Value<'c>,
    ) {
        let vector = vector_type(&[COLUMNS], self.computed);
        let load = |b: &Builder<'c>, memory, index| vector::load(b, memory, &[index], vector);
        let index = index::mul(b, row, COLUMNS);
        let first = index::mul(b, row, self.inner);
        let bounds = (
            index::constant(b, 0),
            index::constant(b, self.inner),
            index::constant(b, 1),
        );
        let sum = load(b, sums, index);
        let sum = scf::for_(b, bounds, &[sum], |b, step, carried| {
            let factor = index::add(b, first, step);
            let factor = memref::load(b, left, &[factor]);
            let factor = vector::broadcast(b, factor, vector);
            let line = index::mul(b, step, COLUMNS);
            let line = load(b, right, line);
            let sum = if self.computed.is_float() {
                vector::fma(b, factor, line, carried[0])
            } else {
                let product = arith::muli(b, factor, line);
                arith::addi(b, product, carried[0])
            };
            vec![sum]
        })
        .results();
        vector::store(b, sum[0], sums, &[index]);
    }
}

/// A loop over the lanes of a warp, with the group and the index in it.
fn each_lane<'c>(
    b: &Builder<'c>,
    body: impl FnOnce(&Builder<'c>, Value<'c>, (Value<'c>, Value<'c>)) -> Emulated<'c, ()>,
) -> Emulated<'c, ()> {
    let (zero, warp) = (index::constant(b, 0), index::constant(b, WARP));
    range(b, zero, warp, |b, lane| {
        let four = index::constant(b, 4);
        let group = index::div(b, lane, four);
        let quarter = index::rem(b, lane, four);
        body(b, lane, (group, quarter))
    })
}

impl<'c> Emulation<'c> {
    /// Emulates a product in a separate phase, warp by warp: its operands and
    /// its result are in arrays.
    pub fn matrix_product(
        &mut self,
        b: &Builder<'c>,
        operation: Operation<'c>,
    ) -> Emulated<'c, ()> {
        let product = Product::of(b, operation)?;
        self.define_product(b, &product)?;
        let mut arrays = Vec::new();
        for operand in operation.operands() {
            arrays.push(self.array_of(b, operand, operation)?);
        }
        for result in operation.results() {
            arrays.push(self.result_array(b, operation, result)?);
        }
        let zero = index::constant(b, 0);
        range(b, zero, self.launch.warp_count, |b, warp| {
            let first = index::mul(b, warp, WARP);
            let mut operands = Vec::new();
            for array in &arrays {
                operands.push(self.warp_of_array(b, *array, first)?);
            }
            func::call(b, &product.name(), &operands, &[]);
            Ok(())
        })
    }

    /// Defines the function of a product next to the kernel's module, unless it
    /// exists.
    fn define_product(&self, b: &Builder<'c>, product: &Product<'c>) -> Emulated<'c, ()> {
        let Some(module) = self.kernel.parent() else {
            return Ok(());
        };
        let name = product.name();
        let beside = module.block().map(Block::operations);
        let defined = beside.unwrap_or_default().into_iter().any(|operation| {
            operation.attribute("sym_name").and_then(Attribute::string_value) == Some(&name)
        });
        if defined {
            return Ok(());
        }
        b.with_insertion_point(|b| {
            b.set_before(module);
            product.define(b)
        })
    }
}
