//! Computations of blocks and regions.

use super::{
    computation::{ComputationBuilder, captures, instruction},
    failure::failure,
    operation,
};
use halo_hlo_text::{Arguments, HloComputation, HloInstruction, Opcode, Shape};
use halo_ir::prelude::*;
use halo_runtime::Error;

impl<'c> ComputationBuilder<'_, 'c> {
    /// Adds the ops of a block, and makes its terminator's operands the result: a single one
    /// directly, others as a tuple.
    pub fn finish(mut self, name: String, block: Block<'c>) -> Result<HloComputation, Error> {
        let mut root = None;
        for op in block.operations() {
            self.origin = Some(op);
            if op.isa::<func::ReturnOp>() || op.isa::<stablehlo::ReturnOp>() {
                root = Some(self.root(op)?);
            } else {
                operation::export(&mut self, op)?;
            }
        }
        let root = root.and_then(|root| {
            let mut instructions = self.instructions.iter();
            instructions.position(|instruction| instruction.name == root)
        });
        Ok(HloComputation {
            name,
            root: root.unwrap_or_default(),
            instructions: self.instructions,
            ..HloComputation::default()
        })
    }

    fn root(&mut self, terminator: Operation<'c>) -> Result<String, Error> {
        let values = terminator.operands();
        if let [only] = values.as_slice() {
            return self.name_of(terminator, *only);
        }
        self.origin = None;
        let elements = values.iter().map(|value| {
            Ok((
                self.name_of(terminator, *value)?,
                self.shape_of(terminator, *value)?,
            ))
        });
        let elements = elements.collect::<Result<_, Error>>()?;
        Ok(self.tuple(elements))
    }

    /// Makes a computation of a region whose arguments become parameters, and returns its name.
    /// Captured constants are copied into it.
    pub fn region(&mut self, op: Operation<'c>, region: usize) -> Result<String, Error> {
        let Some(block) = op.body(region) else {
            return Err(failure(op, format!("has no region {region}")));
        };
        let name = self.exporter.names.unique("region");
        let captured = captures(op, region);
        let mut builder = ComputationBuilder::new(self.exporter);
        builder.parameters(op, block, &[])?;
        for value in captured {
            builder.copy_constant(value)?;
        }
        let computation = builder.finish(name.clone(), block)?;
        self.exporter.computations.push(computation);
        Ok(name)
    }

    /// Makes a computation of a region without arguments whose parameter is a captured value.
    pub fn region_of_value(
        &mut self,
        op: Operation<'c>,
        region: usize,
        value: Value<'c>,
    ) -> Result<String, Error> {
        let Some(block) = op.body(region) else {
            return Err(failure(op, format!("has no region {region}")));
        };
        let name = self.exporter.names.unique("region");
        let mut builder = ComputationBuilder::new(self.exporter);
        let shape = builder.shape_of(op, value)?;
        let parameter = builder.push(HloInstruction {
            name: "arg".into(),
            arguments: Arguments::Parameter(0),
            ..instruction(Opcode::Parameter, shape)
        });
        builder.bind(value, parameter);
        let computation = builder.finish(name.clone(), block)?;
        self.exporter.computations.push(computation);
        Ok(name)
    }

    /// Makes a computation of a region with one parameter: the tuple of its arguments and of its
    /// captured values.
    pub fn region_of_tuple(
        &mut self,
        op: Operation<'c>,
        region: usize,
        captured: &[Value<'c>],
        returns_captured: bool,
    ) -> Result<String, Error> {
        let Some(block) = op.body(region) else {
            return Err(failure(op, format!("has no region {region}")));
        };
        let name = self.exporter.names.unique("region");
        let mut builder = ComputationBuilder::new(self.exporter);
        let mut values = block.arguments();
        values.extend(captured);
        let shapes = values.iter().map(|value| builder.shape_of(op, *value));
        let shapes: Vec<Shape> = shapes.collect::<Result<_, _>>()?;
        let tuple = builder.push(HloInstruction {
            name: "arg_tuple".into(),
            arguments: Arguments::Parameter(0),
            ..instruction(Opcode::Parameter, Shape::Tuple(shapes.clone()))
        });
        for (position, (value, shape)) in values.into_iter().zip(shapes).enumerate() {
            let element = builder.element(&tuple, position, shape);
            builder.bind(value, element);
        }
        let computation = if returns_captured {
            builder.finish_with(name.clone(), block, captured)?
        } else {
            builder.finish(name.clone(), block)?
        };
        self.exporter.computations.push(computation);
        Ok(name)
    }

    /// Like [`Self::finish`], with more values after the terminator's; the result is always a
    /// tuple.
    fn finish_with(
        mut self,
        name: String,
        block: Block<'c>,
        more: &[Value<'c>],
    ) -> Result<HloComputation, Error> {
        let ops = block.operations();
        let Some((terminator, ops)) = ops.split_last() else {
            return Err(Error::internal("a block without a terminator"));
        };
        for op in ops {
            self.origin = Some(*op);
            operation::export(&mut self, *op)?;
        }
        self.origin = None;
        let mut values = terminator.operands();
        values.extend(more);
        let elements = values.iter().map(|value| {
            Ok((
                self.name_of(*terminator, *value)?,
                self.shape_of(*terminator, *value)?,
            ))
        });
        let elements = elements.collect::<Result<_, Error>>()?;
        self.tuple(elements);
        Ok(HloComputation {
            name,
            root: self.instructions.len() - 1,
            instructions: self.instructions,
            ..HloComputation::default()
        })
    }

    fn copy_constant(&mut self, value: Value<'c>) -> Result<(), Error> {
        match value.defining_op() {
            Some(op) if is_constant(op) => {
                self.origin = Some(op);
                operation::export(self, op)
            }
            // Reported at the op that uses it.
            _ => Ok(()),
        }
    }
}

fn is_constant(op: Operation) -> bool {
    op.isa::<stablehlo::ConstantOp>()
}
