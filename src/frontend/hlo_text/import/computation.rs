//! Computations as functions, as regions, and inlined.

use super::{
    dispatch, entry,
    failure::{Failure, failure},
    importer::Importer,
    instruction::Instruction,
    values::Tree,
};
use crate::hlo_text::locations;
use halo_hlo_text::{Arguments, HloComputation, HloInstruction, Shape};
use halo_ir::{Location, Region, prelude::*};
use melior::ir::r#type::FunctionType;
use std::collections::{HashMap, HashSet};

/// The names of control predecessors. Their ops are identified by name, since a location may be
/// lost.
fn predecessors(computation: &HloComputation) -> HashSet<&str> {
    let instructions = computation.instructions.iter();
    let lists = instructions.filter_map(|it| it.attributes.get("control-predecessors"));
    let names = lists.filter_map(|list| match list {
        halo_hlo_text::Value::Instructions(names) => Some(names),
        _ => None,
    });
    names.flatten().map(String::as_str).collect()
}

impl<'m> Importer<'m> {
    /// The instructions that are parameters, by their numbers.
    pub fn parameters(
        &self,
        computation: &'m HloComputation,
    ) -> Result<Vec<&'m HloInstruction>, Failure> {
        let mut found = Vec::new();
        for instruction in &computation.instructions {
            if let Arguments::Parameter(number) = instruction.arguments {
                found.push((number, instruction));
            }
        }
        found.sort_by_key(|(number, _)| *number);
        for (position, (number, instruction)) in found.iter().enumerate() {
            if *number != position {
                let message = format!("expected parameter {position}, but this is {number}");
                return Err(failure(message).at(instruction.position));
            }
        }
        Ok(found.into_iter().map(|(_, instruction)| instruction).collect())
    }

    /// The instruction whose value is the computation's.
    pub fn root(&self, computation: &'m HloComputation) -> Result<&'m HloInstruction, Failure> {
        computation
            .root()
            .ok_or_else(|| failure(format!("computation '{}' is empty", computation.name)))
    }

    /// The types of a shape in a function's signature.
    pub fn passed_types(&self, shape: &Shape) -> Result<Vec<Type<'m>>, Failure> {
        if self.options.flatten {
            self.flat_types(shape)
        } else {
            Ok(vec![self.type_of(shape)?])
        }
    }

    /// The values that a function takes or returns for a value.
    pub fn passed(
        &self,
        builder: &Builder<'m>,
        tree: &Tree<'m>,
    ) -> Result<Vec<Value<'m>>, Failure> {
        if self.options.flatten {
            self.flatten(builder, tree)
        } else {
            Ok(vec![self.whole(builder, tree)?])
        }
    }

    /// The value that values of [`Self::passed_types`] are.
    pub fn received(&self, shape: &Shape, values: &[Value<'m>]) -> Result<Tree<'m>, Failure> {
        match values {
            [value] if !self.options.flatten => Ok(Tree::Value(*value)),
            values => self.assemble(shape, values),
        }
    }

    /// Builds the function of a computation.
    pub fn build_function(
        &self,
        computation: &'m HloComputation,
    ) -> Result<Operation<'m>, Failure> {
        let name = self.function(computation);
        let is_entry = self.hlo.entry().is_some_and(|entry| std::ptr::eq(entry, computation));
        let parameters = self.parameters(computation)?;
        let located = |parameter: &&'m HloInstruction| {
            let types = self.passed_types(&parameter.shape);
            let types = types.map_err(|failure| failure.at(parameter.position))?;
            Ok((types, self.location(parameter)))
        };
        let passed = parameters.iter().map(located).collect::<Result<Vec<_>, Failure>>()?;
        let arguments: Vec<(Type, Location)> = passed
            .iter()
            .flat_map(|(types, location)| types.iter().map(|it| (*it, *location)))
            .collect();
        let location = locations::of_computation(self.context, computation, self.file);
        let builder = self.builder.at(location);
        let mut results = Vec::new();
        let body = builder.region_at(&arguments, |builder, values| -> Result<(), Failure> {
            let mut rest = values;
            let mut trees = Vec::new();
            for (parameter, (types, _)) in parameters.iter().zip(&passed) {
                let (own, others) = rest.split_at(types.len().min(rest.len()));
                rest = others;
                trees.push(self.received(&parameter.shape, own)?);
            }
            let root = self.instructions(builder, computation, trees)?;
            let values = self.passed(builder, &root)?;
            self.note_tuple(&values, &self.root(computation)?.shape);
            results = values.iter().map(|value| value.ty()).collect();
            func::return_(builder, &values);
            Ok(())
        })?;
        let inputs: Vec<Type> = arguments.iter().map(|argument| argument.0).collect();
        let ty = FunctionType::new(self.context, &inputs, &results).into();
        let visibility = (!is_entry).then_some("private");
        let function = func::FuncOp::build(&builder, &name, ty, body)
            .maybe(visibility, |op, visibility| op.sym_visibility(visibility))
            .insert()
            .operation();
        for (name, value) in computation.attributes.iter() {
            let value = self.attribute(value)?;
            match name {
                "execution_thread" => function.set_attribute(name, value),
                _ => function.set_attribute(&format!("mhlo.{name}"), value),
            }
        }
        let counts: Vec<usize> = passed.iter().map(|(types, _)| types.len()).collect();
        entry::argument_attributes(self, function, &parameters, &counts, is_entry)?;
        let root = self.root(computation)?;
        entry::result_attributes(self, function, root, results.len(), is_entry)?;
        Ok(function)
    }

    /// A region that takes the flattened parameters and returns the flattened root.
    pub fn region(
        &self,
        builder: &Builder<'m>,
        computation: &'m HloComputation,
    ) -> Result<Region<'m>, Failure> {
        let parameters = self.parameters(computation)?;
        let mut arguments = Vec::new();
        for parameter in &parameters {
            let types = self.flat_types(&parameter.shape);
            let types = types.map_err(|failure| failure.at(parameter.position))?;
            let location = self.location(parameter);
            arguments.extend(types.into_iter().map(|it| (it, location)));
        }
        builder.region_at(&arguments, |builder, values| {
            let mut rest = values;
            let mut trees = Vec::new();
            for parameter in &parameters {
                let count = super::types::leaves(&parameter.shape).len();
                let (own, others) = rest.split_at(count.min(rest.len()));
                rest = others;
                trees.push(self.assemble(&parameter.shape, own)?);
            }
            self.returning(builder, computation, trees)
        })
    }

    /// Fills a region without arguments: its computation uses captured values.
    pub fn fill_region(
        &self,
        builder: &Builder<'m>,
        (operation, number): (Operation<'m>, usize),
        computation: &'m HloComputation,
        arguments: Vec<Tree<'m>>,
    ) -> Result<(), Failure> {
        builder.fill_region(operation, number, |builder| {
            self.returning(builder, computation, arguments)
        })
    }

    fn returning(
        &self,
        builder: &Builder<'m>,
        computation: &'m HloComputation,
        arguments: Vec<Tree<'m>>,
    ) -> Result<(), Failure> {
        let root = self.instructions(builder, computation, arguments)?;
        let values = self.flatten(builder, &root)?;
        stablehlo::return_(builder, &values);
        Ok(())
    }

    /// Builds the instructions of a computation at the insertion point, with values for its
    /// parameters, and returns the value of the root.
    pub fn instructions(
        &self,
        builder: &Builder<'m>,
        computation: &'m HloComputation,
        arguments: Vec<Tree<'m>>,
    ) -> Result<Tree<'m>, Failure> {
        let expected = self.parameters(computation)?.len();
        if arguments.len() != expected {
            return Err(failure(format!(
                "computation '{}' has {expected} parameters, but is given {} values",
                computation.name,
                arguments.len()
            )));
        }
        let waited_for = predecessors(computation);
        let mut values: HashMap<&'m str, (Tree<'m>, &'m Shape)> = HashMap::new();
        for source in &computation.instructions {
            let tree = match &source.arguments {
                Arguments::Parameter(number) => arguments.get(*number).cloned(),
                _ => None,
            };
            let tree = match tree {
                Some(tree) => tree,
                None => {
                    let builder = builder.at(self.location(source));
                    let built = Instruction::new(self, builder, source, &values);
                    let built = built.and_then(|instruction| {
                        let tree = BuildError::catch(|| dispatch::instruction(&instruction))??;
                        if waited_for.contains(&source.name[..]) {
                            instruction.keep("mhlo.name", self.string(&source.name));
                        }
                        Ok(tree)
                    });
                    built.map_err(|failure| failure.at(source.position))?
                }
            };
            if values.insert(&source.name, (tree, &source.shape)).is_some() {
                let message = format!("instruction '{}' is defined twice", source.name);
                return Err(failure(message).at(source.position));
            }
        }
        let root = self.root(computation)?;
        let found = values.remove(&root.name[..]).map(|(tree, _)| tree);
        found.ok_or_else(|| failure(format!("there is no instruction '{}'", root.name)))
    }

    /// The location of an instruction.
    pub fn location(&self, instruction: &HloInstruction) -> Location<'m> {
        locations::of_instruction(self.context, instruction, &self.hlo.stack_frames, self.file)
    }
}
