//! From StableHLO to instructions of the accelerator.
//!
//! Each value of the program has a place in memory, in the order of its rows. An op is
//! cut into tiles: loads, work on registers, a store. Ops that the machine lacks are functions of
//! the host, one for consecutive ops.

use crate::{
    host::Group,
    machine::{Code, HostCall, Instruction, MEMORY, Place, Rectangle, SIZE, Tile, VectorOp, words},
};
use halo::{
    compiler::error_at,
    core::{ElementType, Shape},
    hlo::literals,
    prelude::*,
    runtime::{CompileOptions, Result},
};
use std::collections::HashMap;

/// Makes the code of a function.
///
/// # Errors
/// At the first value that does not fit in memory or is not a tensor.
pub fn assemble(entry: Operation, options: &CompileOptions) -> Result<Code> {
    let body = entry.body(0).ok_or_else(|| error_at(entry, "the function has no body"))?;
    let mut assembler = Assembler::default();
    for argument in body.arguments() {
        let place = assembler.allocate(entry, argument)?;
        assembler.code.inputs.push(place);
    }
    let mut group = Group::default();
    for op in body.operations() {
        let is_last = op.isa::<func::ReturnOp>();
        if !is_last && !has(op) {
            group.push(op);
            continue;
        }
        assembler.call(&std::mem::take(&mut group), options)?;
        if is_last {
            assembler.code.results = assembler.places(op, &op.operands())?;
        } else {
            assembler.op(op)?;
        }
    }
    Ok(assembler.code)
}

/// Returns true if the machine has instructions for an op.
fn has(op: Operation) -> bool {
    let values = op.operands().into_iter().chain(op.results());
    let is_f32 = |value: Value| {
        literals::shape_of(value.ty()).is_ok_and(|shape| shape.element_type() == ElementType::F32)
    };
    let is_known = match op.name() {
        stablehlo::ConstantOp::NAME
        | stablehlo::ReshapeOp::NAME
        | stablehlo::BroadcastInDimOp::NAME
        | stablehlo::TransposeOp::NAME => true,
        stablehlo::DotGeneralOp::NAME => op.cast().is_some_and(is_product),
        name => vector_op(name).is_some(),
    };
    is_known && values.into_iter().all(is_f32)
}

/// The instruction of an elementwise op.
fn vector_op(name: &str) -> Option<VectorOp> {
    Some(match name {
        stablehlo::AddOp::NAME => VectorOp::Add,
        stablehlo::SubtractOp::NAME => VectorOp::Subtract,
        stablehlo::MulOp::NAME => VectorOp::Multiply,
        stablehlo::DivOp::NAME => VectorOp::Divide,
        stablehlo::MaxOp::NAME => VectorOp::Maximum,
        stablehlo::MinOp::NAME => VectorOp::Minimum,
        stablehlo::AbsOp::NAME => VectorOp::Absolute,
        stablehlo::ExpOp::NAME => VectorOp::Exponential,
        stablehlo::LogOp::NAME => VectorOp::Logarithm,
        stablehlo::NegOp::NAME => VectorOp::Negate,
        stablehlo::SqrtOp::NAME => VectorOp::SquareRoot,
        stablehlo::TanhOp::NAME => VectorOp::Tanh,
        _ => return None,
    })
}

/// Returns true for a product of two matrices or vectors.
fn is_product(dot: stablehlo::DotGeneralOp) -> bool {
    let numbers = dot.dot_dimension_numbers();
    let is_matrix = |operand: Value, contracting: &[i64]| {
        let rank = literals::shape_of(operand.ty()).map_or(0, |shape| shape.rank());
        contracting.len() == 1 && rank <= 2
    };
    numbers.lhs_batching_dimensions.is_empty()
        && is_matrix(dot.lhs(), &numbers.lhs_contracting_dimensions)
        && is_matrix(dot.rhs(), &numbers.rhs_contracting_dimensions)
}

#[derive(Default)]
struct Assembler {
    code: Code,
    /// Where each value is.
    addresses: HashMap<usize, usize>,
}

impl Assembler {
    fn op(&mut self, op: Operation) -> Result<()> {
        if let Some(constant) = op.cast::<stablehlo::ConstantOp>() {
            let address = self.result(op)?;
            let literal = literals::literal_of(constant.value());
            let literal = literal.map_err(|message| error_at(op, message))?;
            let values = literal.as_slice::<f32>()?.to_vec();
            self.code.data.push((address, values));
            return Ok(());
        }
        if let Some(reshape) = op.cast::<stablehlo::ReshapeOp>() {
            // The same elements, in the same order.
            let address = self.addresses[&reshape.operand().key()];
            self.addresses.insert(reshape.result().key(), address);
            return Ok(());
        }
        if let Some(broadcast) = op.cast::<stablehlo::BroadcastInDimOp>() {
            let from = shape(op, broadcast.operand().ty())?;
            let strides = from.strides();
            let mut of_result = vec![0; shape(op, broadcast.result().ty())?.rank()];
            for (position, dim) in broadcast.broadcast_dimensions().into_iter().enumerate() {
                if from.dims()[position] != 1 {
                    of_result[dim as usize] = strides[position];
                }
            }
            return self.gather(op, &of_result);
        }
        if let Some(transpose) = op.cast::<stablehlo::TransposeOp>() {
            let strides = shape(op, transpose.operand().ty())?.strides();
            let permutation = transpose.permutation().into_iter();
            let of_result: Vec<usize> = permutation.map(|dim| strides[dim as usize]).collect();
            return self.gather(op, &of_result);
        }
        if let Some(dot) = op.cast::<stablehlo::DotGeneralOp>() {
            return self.dot(dot);
        }
        match vector_op(op.name()) {
            Some(vector_op) => self.elementwise(op, vector_op),
            None => Err(error_at(op, "the accelerator lacks the op")),
        }
    }

    /// Memory for a value.
    fn allocate(&mut self, op: Operation, value: Value) -> Result<Place> {
        let (address, shape) = (self.code.memory, shape(op, value.ty())?);
        self.code.memory += words(&shape);
        if self.code.memory > MEMORY {
            let message = format!("the accelerator has memory for {MEMORY} words");
            return Err(error_at(op, message));
        }
        self.addresses.insert(value.key(), address);
        Ok(Place { address, shape })
    }

    /// Where the values of an op are.
    fn places(&self, op: Operation, values: &[Value]) -> Result<Vec<Place>> {
        let place = |value: &Value| {
            let address = self.addresses[&value.key()];
            let shape = shape(op, value.ty())?;
            Ok(Place { address, shape })
        };
        values.iter().map(place).collect()
    }

    /// Memory for the result of an op.
    fn result(&mut self, op: Operation) -> Result<usize> {
        match op.results()[..] {
            [result] => Ok(self.allocate(op, result)?.address),
            _ => Err(error_at(op, "the accelerator has only ops of one result")),
        }
    }

    fn emit(&mut self, instruction: Instruction) {
        self.code.instructions.push(instruction);
    }

    /// Works through the elements in their order, up to a tile at a time.
    fn elementwise(&mut self, op: Operation, vector_op: VectorOp) -> Result<()> {
        let operands = op.operands().into_iter();
        let operands: Vec<usize> = operands.map(|operand| self.addresses[&operand.key()]).collect();
        let to = self.result(op)?;
        let mut left = self.code.memory - to;
        let mut offset = 0;
        while left > 0 {
            // Full rows, or at the end a part of one.
            let columns = left.min(SIZE);
            let rows = (left / columns).min(SIZE);
            let at = |address: usize| Rectangle {
                address: address + offset,
                rows,
                columns,
                row: columns,
                column: 1,
            };
            let (a, b) = (Tile(0), Tile(1));
            self.emit(Instruction::Load(a, at(operands[0])));
            if let Some(address) = operands.get(1) {
                self.emit(Instruction::Load(b, at(*address)));
            }
            self.emit(Instruction::Vector(vector_op, a, a, b));
            self.emit(Instruction::Store(at(to), a));
            offset += rows * columns;
            left -= rows * columns;
        }
        Ok(())
    }

    /// Copies the elements of the operand to the result: the strides say how far apart
    /// they are in the operand along the dimensions of the result.
    fn gather(&mut self, op: Operation, from: &[usize]) -> Result<()> {
        let source = self.addresses[&op.operands()[0].key()];
        let target = self.result(op)?;
        let shape = shape(op, op.results()[0].ty())?;
        let to = shape.strides();
        // The last two dimensions are those of tiles.
        let outer = shape.rank().saturating_sub(2);
        let inner = |values: &[usize], missing: usize| match values[outer..] {
            [row, column] => (row, column),
            [column] => (missing, column),
            _ => (missing, missing),
        };
        let (rows, columns) = inner(shape.dims(), 1);
        let ((from_row, from_column), (to_row, to_column)) = (inner(from, 0), inner(&to, 0));
        let offset = |index: &[usize], strides: &[usize]| -> usize {
            index.iter().zip(strides).map(|(at, stride)| at * stride).sum()
        };
        for index in Shape::new(ElementType::F32, &shape.dims()[..outer])?.indices() {
            let (source, target) = (source + offset(&index, from), target + offset(&index, &to));
            for (row, rows) in tiles(rows) {
                for (column, columns) in tiles(columns) {
                    let rectangle = |address: usize, by_row: usize, by_column: usize| Rectangle {
                        address: address + row * by_row + column * by_column,
                        rows,
                        columns,
                        row: by_row,
                        column: by_column,
                    };
                    let tile = Tile(0);
                    self.emit(Instruction::Load(
                        tile,
                        rectangle(source, from_row, from_column),
                    ));
                    self.emit(Instruction::Store(
                        rectangle(target, to_row, to_column),
                        tile,
                    ));
                }
            }
        }
        Ok(())
    }

    /// Has a function of the host work on memory.
    fn call(&mut self, group: &Group, options: &CompileOptions) -> Result<()> {
        let Some(op) = group.first() else {
            return Ok(());
        };
        let operands = group.operands(|value| self.addresses.contains_key(&value.key()));
        let results = group.results();
        let function = group.compile(&operands, &results, options)?;
        let operands = self.places(op, &operands)?;
        let results = results.into_iter().map(|result| self.allocate(op, result));
        let results = results.collect::<Result<_>>()?;
        self.emit(Instruction::Call(self.code.calls.len()));
        self.code.calls.push(HostCall {
            function,
            operands,
            results,
        });
        Ok(())
    }

    /// Multiplies matrices: each tile of the result is a sum in a register.
    fn dot(&mut self, dot: stablehlo::DotGeneralOp) -> Result<()> {
        let op = dot.operation();
        let numbers = dot.dot_dimension_numbers();
        let lhs = Matrix::new(op, dot.lhs(), &numbers.lhs_contracting_dimensions)?;
        let rhs = Matrix::new(op, dot.rhs(), &numbers.rhs_contracting_dimensions)?;
        let (a, b) = (
            self.addresses[&dot.lhs().key()],
            self.addresses[&dot.rhs().key()],
        );
        let result = self.result(op)?;
        let (sum, left, right) = (Tile(0), Tile(1), Tile(2));
        for (row, rows) in tiles(lhs.free) {
            for (column, columns) in tiles(rhs.free) {
                self.emit(Instruction::Clear(sum));
                for (k, depth) in tiles(lhs.contracted) {
                    let of_lhs = Rectangle {
                        address: a + row * lhs.free_stride + k * lhs.contracted_stride,
                        rows,
                        columns: depth,
                        row: lhs.free_stride,
                        column: lhs.contracted_stride,
                    };
                    let of_rhs = Rectangle {
                        address: b + k * rhs.contracted_stride + column * rhs.free_stride,
                        rows: depth,
                        columns,
                        row: rhs.contracted_stride,
                        column: rhs.free_stride,
                    };
                    self.emit(Instruction::Load(left, of_lhs));
                    self.emit(Instruction::Load(right, of_rhs));
                    self.emit(Instruction::MultiplyAdd(sum, left, right));
                }
                let of_result = Rectangle {
                    address: result + row * rhs.free + column,
                    rows,
                    columns,
                    row: rhs.free,
                    column: 1,
                };
                self.emit(Instruction::Store(of_result, sum));
            }
        }
        Ok(())
    }
}

/// An operand of a product: one dimension that is summed over, and at most one other.
struct Matrix {
    contracted: usize,
    contracted_stride: usize,
    free: usize,
    free_stride: usize,
}

impl Matrix {
    fn new(op: Operation, operand: Value, contracting: &[i64]) -> Result<Self> {
        let shape = shape(op, operand.ty())?;
        let (dims, strides) = (shape.dims(), shape.strides());
        let [contracted] = contracting else {
            return Err(error_at(op, "the accelerator sums over one dimension"));
        };
        let contracted = *contracted as usize;
        let free: Vec<usize> = (0..dims.len()).filter(|dim| *dim != contracted).collect();
        let (free, free_stride) = match free[..] {
            [] => (1, 0),
            [dim] => (dims[dim], strides[dim]),
            _ => return Err(error_at(op, "the accelerator multiplies matrices")),
        };
        Ok(Self {
            contracted: dims[contracted],
            contracted_stride: strides[contracted],
            free,
            free_stride,
        })
    }
}

/// The shape of a tensor.
fn shape(op: Operation, ty: Type) -> Result<Shape> {
    literals::shape_of(ty).map_err(|message| error_at(op, message))
}

/// The starts and lengths of the tiles of a dimension.
fn tiles(size: usize) -> impl Iterator<Item = (usize, usize)> + Clone {
    (0..size).step_by(SIZE).map(move |start| (start, SIZE.min(size - start)))
}
