//! The attributes after the name of a module.
//!
//! The names follow XLA's importer, `mhlo.num_replicas` and others; an attribute that it does not
//! support becomes `mhlo.` and the name of the text. Four attributes are always written, as by
//! XLA's importer.

use super::{attributes, entry, failure::Failure, importer::Importer, types::leaves};
use halo_hlo_text::{Attributes, Shape, Sharding, Value};
use halo_ir::prelude::*;

impl<'m> Importer<'m> {
    /// Sets the attributes of the module.
    pub fn module_attributes(&self, root: Operation<'m>) -> Result<(), Failure> {
        let context = self.context;
        let set = |name: &str, value| root.set_attribute(&format!("mhlo.{name}"), value);
        let none = halo_ir::array_attribute(context, &[]);
        set("cross_program_prefetches", none);
        set("input_output_alias", none);
        set("is_dynamic", halo_ir::bool_attribute(context, false));
        set(
            "use_auto_spmd_partitioning",
            halo_ir::bool_attribute(context, false),
        );
        let attributes: &'m Attributes = &self.hlo.attributes;
        for (name, value) in attributes.iter() {
            match (name, value) {
                ("entry_computation_layout", Value::ProgramShape(shape)) => {
                    for (name, value) in entry::layouts(self, shape)? {
                        set(name, value);
                    }
                }
                ("replica_count", Value::Integer(count)) => {
                    set("num_replicas", self.integer_attribute(32, *count));
                }
                ("num_partitions", Value::Integer(count)) => {
                    set("num_partitions", self.integer_attribute(32, *count));
                }
                ("input_output_alias", Value::Aliases(aliases)) => {
                    set(name, attributes::input_output_aliases(self, aliases));
                }
                ("cross_program_prefetches", Value::IntegerLists(lists)) => {
                    let prefetches = lists.iter().map(|list| self.prefetch(list));
                    set(name, self.array(prefetches));
                }
                ("spmd_parameters_shardings", Value::Sharding(Sharding::Tuple(parameters))) => {
                    set(name, self.parameter_shardings(parameters));
                }
                _ => set(name, self.attribute(value)?),
            }
        }
        Ok(())
    }

    /// `{parameter, indices, offset}` of a parameter, an offset, and the path into the parameter's
    /// tuple. If tuples are flattened, it is a separate parameter.
    fn prefetch(&self, list: &[i64]) -> Attribute<'m> {
        let (parameter, path, offset) = match list {
            [parameter, offset, path @ ..] => (*parameter, path.to_vec(), *offset),
            [parameter] => (*parameter, Vec::new(), 0),
            [] => (0, Vec::new(), 0),
        };
        let (parameter, path) = match self.argument_of(parameter, &path) {
            Some(argument) if self.options.flatten => (argument as i64, Vec::new()),
            _ => (parameter, path),
        };
        let entries = [
            ("indices", halo_ir::i64_array_attribute(self.context, &path)),
            ("offset", self.integer_attribute(64, offset)),
            ("parameter", self.integer_attribute(64, parameter)),
        ];
        halo_ir::dictionary_attribute(self.context, &entries)
    }

    /// The argument of the entry for an element of a parameter, after flattening tuples.
    fn argument_of(&self, parameter: i64, path: &[i64]) -> Option<usize> {
        let parameters = self.parameters(self.hlo.entry()?).ok()?;
        let number = usize::try_from(parameter).ok()?;
        let before = parameters.get(..number)?.iter();
        let mut argument: usize = before.map(|it| leaves(&it.shape).len()).sum();
        let mut shape = &parameters.get(number)?.shape;
        for index in path {
            let Shape::Tuple(elements) = shape else {
                return None;
            };
            let index = usize::try_from(*index).ok()?;
            let before = elements.get(..index)?.iter();
            argument += before.map(|it| leaves(it).len()).sum::<usize>();
            shape = elements.get(index)?;
        }
        Some(argument)
    }

    /// The shardings of the entry's parameters, or of their elements.
    fn parameter_shardings(&self, parameters: &[Sharding]) -> Attribute<'m> {
        let mut parts: Vec<&Sharding> = Vec::new();
        for parameter in parameters {
            match parameter {
                Sharding::Tuple(elements) if self.options.flatten => parts.extend(elements),
                whole => parts.push(whole),
            }
        }
        self.array(parts.into_iter().map(|it| self.attribute_of_sharding(it.clone())))
    }
}
