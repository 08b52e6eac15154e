//! The ops of Shardy in an artifact.
//!
//! Meshes and shardings are kept as attributes. A manual computation becomes XLA's representation:
//! calls that convert between whole values and the values of one device, around its ops.

use super::{
    attribute_names::{MESHES, SHARDING},
    import::{Failure, Importer, fail},
};
use halo_ir::prelude::*;
use halo_vhlo::{Attribute as Vhlo, AttributeId, Block, Operation, ShardyOp, ValueId};

impl<'c, 't> Importer<'c, 't> {
    /// Maps the results of an op to its operands.
    pub fn pass_on(&mut self, operation: &Operation) -> Result<(), Failure> {
        let types = self.value_types(&operation.results)?;
        if operation.operands.len() != types.len() {
            return fail("a cast with another number of results than of operands");
        }
        for ((id, operand), ty) in operation.results.iter().zip(&operation.operands).zip(types) {
            let value = self.value(*operand)?;
            if value.ty() != ty {
                let found = value.ty();
                return Err(format!("a cast from '{found}' to '{ty}'").into());
            }
            self.set_value(*id, value);
        }
        Ok(())
    }

    /// An op without regions.
    pub fn shardy(
        &mut self,
        operation: &Operation,
        op: ShardyOp,
        block: halo_ir::Block<'c>,
    ) -> Result<(), Failure> {
        match op {
            ShardyOp::Mesh => {
                let name = self.tree.attributes.string(needed(operation, "sym_name")?);
                let name = name.and_then(|name| std::str::from_utf8(name).ok());
                let name = name.ok_or("a mesh whose name is not valid UTF-8")?.to_owned();
                let mesh = self.attribute(needed(operation, "mesh")?)?;
                self.meshes.push((name, mesh));
                Ok(())
            }
            ShardyOp::ShardingConstraint | ShardyOp::Reshard => {
                let sharding = self.per_value(needed(operation, "sharding")?)?;
                let pairs = (&operation.operands[..], &operation.results[..]);
                if pairs.0.len() != 1 || pairs.1.len() != 1 {
                    return fail("a constraint has one operand and one result");
                }
                self.annotate("Sharding", &[(SHARDING, sharding)], pairs, block)
            }
            ShardyOp::DataFlowEdge | ShardyOp::PropagationBarrier => self.pass_on(operation),
            ShardyOp::ShardingGroup => {
                let group = self.attribute(needed(operation, "group_id")?)?;
                // Otherwise it is erased, since its results have no uses.
                let effect = halo_ir::bool_attribute(self.context, true);
                let attributes = [
                    ("has_side_effect", effect),
                    ("sdy.sharding_group_id", group),
                ];
                let pairs = (&operation.operands[..], &operation.results[..]);
                self.annotate("xla.sdy.ShardingGroup", &attributes, pairs, block)
            }
            ShardyOp::ManualComputation | ShardyOp::Return => fail("an op in the wrong place"),
        }
    }

    /// Creates the arguments of a manual computation, and returns its ops.
    pub fn enter_manual(
        &mut self,
        operation: &'t Operation,
        block: halo_ir::Block<'c>,
    ) -> Result<&'t Block, Failure> {
        let source = match &operation.regions[..] {
            [region] => match &region.blocks[..] {
                [source] => source,
                _ => return fail("a manual computation has one block"),
            },
            _ => return fail("a manual computation has one region"),
        };
        if source.arguments.len() != operation.operands.len() {
            return fail("a manual computation has as many arguments as operands");
        }
        let attributes = [
            (
                "sdy.in_shardings",
                self.attribute(needed(operation, "in_shardings")?)?,
            ),
            (
                "sdy.manual_axes",
                self.attribute(needed(operation, "manual_axes")?)?,
            ),
        ];
        let arguments: Vec<ValueId> = source.arguments.iter().map(|(id, _)| *id).collect();
        let pairs = (&operation.operands[..], &arguments[..]);
        self.annotate("SPMDFullToShardShape", &attributes, pairs, block)?;
        Ok(source)
    }

    /// Creates the results of a manual computation at its end.
    pub fn leave_manual(
        &mut self,
        end: &Operation,
        computation: &Operation,
        block: halo_ir::Block<'c>,
    ) -> Result<(), Failure> {
        if end.operands.len() != computation.results.len() {
            return fail("a manual computation returns as many values as it has results");
        }
        let attributes = [
            (
                "sdy.manual_axes",
                self.attribute(needed(computation, "manual_axes")?)?,
            ),
            (
                "sdy.out_shardings",
                self.attribute(needed(computation, "out_shardings")?)?,
            ),
        ];
        let pairs = (&end.operands[..], &computation.results[..]);
        self.annotate("SPMDShardToFullShape", &attributes, pairs, block)
    }

    /// A custom call that annotates values, if there are any.
    fn annotate(
        &mut self,
        target: &str,
        attributes: &[(&str, Attribute<'c>)],
        (operands, results): (&[ValueId], &[ValueId]),
        block: halo_ir::Block<'c>,
    ) -> Result<(), Failure> {
        if operands.is_empty() {
            return Ok(());
        }
        let target = halo_ir::string_attribute(self.context, target);
        let mut all = vec![("call_target_name", target)];
        all.extend_from_slice(attributes);
        let values = operands.iter().map(|operand| self.value(*operand));
        let values = values.collect::<Result<Vec<Value>, _>>()?;
        let types = self.value_types(results)?;
        let made = self.build(
            stablehlo::CustomCallOp::NAME,
            &all,
            &values,
            &types,
            0,
            block,
        )?;
        for (result, value) in results.iter().zip(made.results()) {
            self.set_value(*result, value);
        }
        Ok(())
    }

    /// The sharding of a value as the sharding of an op with one result.
    fn per_value(&self, sharding: AttributeId) -> Result<Attribute<'c>, Failure> {
        let text = match self.tree.attributes.get(sharding) {
            Vhlo::Text { text, .. } => std::str::from_utf8(text).ok(),
            _ => None,
        };
        let body = text.and_then(|text| text.strip_prefix("#sdy.sharding<"));
        let body = body.ok_or("a constraint whose sharding is not a sharding attribute")?;
        self.parse_attribute(&format!("#sdy.sharding_per_value<[<{body}]>"))
    }

    /// Sets the attributes of the module.
    pub fn module_attributes(
        &mut self,
        root: &Operation,
        module: halo_ir::Operation<'c>,
    ) -> Result<(), Failure> {
        for (name, attribute) in &root.attributes {
            let name = attribute_name(name)?;
            module
                .try_set_attribute(name, self.attribute(*attribute)?)
                .map_err(|error| error.to_string())?;
        }
        let mut meshes: Vec<_> =
            self.meshes.iter().map(|(name, mesh)| (name.as_str(), *mesh)).collect();
        meshes.sort_by_key(|(name, _)| *name);
        if meshes.windows(2).any(|pair| matches!(pair, [(a, _), (b, _)] if a == b)) {
            return fail("two meshes have one name");
        }
        if !meshes.is_empty() {
            let meshes = halo_ir::dictionary_attribute(self.context, &meshes);
            module.set_attribute(MESHES, meshes);
        }
        Ok(())
    }
}

fn needed(operation: &Operation, name: &str) -> Result<AttributeId, Failure> {
    let attribute = operation.attribute(name);
    attribute.ok_or_else(|| Failure(format!("an op of Shardy without '{name}'")))
}

/// The name of an attribute.
pub(super) fn attribute_name(name: &[u8]) -> Result<&str, Failure> {
    match std::str::from_utf8(name) {
        Ok("") => fail("an attribute without a name"),
        Ok(name) => Ok(name),
        Err(_) => fail("an attribute whose name is not valid UTF-8"),
    }
}
