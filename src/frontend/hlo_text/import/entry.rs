//! The attributes of parameters and results of functions, and the layouts of
//! the entry.

use super::{
    attributes::text_of,
    failure::Failure,
    importer::Importer,
    types::{has_custom_layout, leaves, minor_to_major},
};
use halo_hlo_text::{
    Attributes, HloInstruction, ProgramShape, Shape, Sharding, Value as AttributeValue,
};
use halo_ir::prelude::*;

/// The entries of a dictionary for one argument or result.
type Entries<'m> = Vec<(String, Attribute<'m>)>;

/// Sets `arg_attrs` of a function. Each parameter has the given number of arguments.
pub fn argument_attributes<'m>(
    importer: &Importer<'m>,
    function: Operation<'m>,
    parameters: &[&'m HloInstruction],
    counts: &[usize],
    is_entry: bool,
) -> Result<(), Failure> {
    let mut all: Vec<Entries> = Vec::new();
    for (number, (parameter, count)) in parameters.iter().zip(counts).enumerate() {
        let mut entries = values_of(importer, parameter, *count, &parameter.attributes)?;
        if is_entry && let Some(layout) = program_shape(importer) {
            let shape = layout.parameters.get(number);
            mark_automatic(importer, shape, &mut entries);
        }
        all.extend(entries);
    }
    set_dictionaries(importer, function, "arg_attrs", &all);
    Ok(())
}

/// Sets `res_attrs` of a function.
pub fn result_attributes<'m>(
    importer: &Importer<'m>,
    function: Operation<'m>,
    root: &'m HloInstruction,
    count: usize,
    is_entry: bool,
) -> Result<(), Failure> {
    let mut entries: Vec<Entries> = vec![Vec::new(); count];
    if let Some(AttributeValue::Sharding(sharding)) = root.attributes.get("sharding") {
        share_sharding(importer, sharding, &mut entries);
    }
    if is_entry && let Some(layout) = program_shape(importer) {
        mark_automatic(importer, Some(&layout.result), &mut entries);
    }
    set_dictionaries(importer, function, "res_attrs", &entries);
    Ok(())
}

fn set_dictionaries<'m>(
    importer: &Importer<'m>,
    function: Operation<'m>,
    name: &str,
    entries: &[Entries<'m>],
) {
    if entries.iter().all(Vec::is_empty) {
        return;
    }
    let dictionaries = entries.iter().map(|entries| {
        let entries: Vec<(&str, Attribute)> =
            entries.iter().map(|(name, value)| (&name[..], *value)).collect();
        halo_ir::dictionary_attribute(importer.context, &entries)
    });
    function.set_attribute(name, importer.array(dictionaries));
}

/// The attributes of a parameter, on each of its elements if the text has them for each, else on
/// the first.
fn values_of<'m>(
    importer: &Importer<'m>,
    parameter: &'m HloInstruction,
    count: usize,
    attributes: &'m Attributes,
) -> Result<Vec<Entries<'m>>, Failure> {
    let mut entries: Vec<Entries> = vec![Vec::new(); count];
    let parts = leaves(&parameter.shape);
    for (name, value) in attributes.iter() {
        match value {
            AttributeValue::Metadata(_) => {}
            AttributeValue::Sharding(sharding) => {
                share_sharding(importer, sharding, &mut entries);
            }
            AttributeValue::Bools(values)
                if name == "parameter_replication" && count == values.len() && count > 1 =>
            {
                for (entries, value) in entries.iter_mut().zip(values) {
                    let value = halo_ir::bool_attribute(importer.context, *value);
                    entries.push((format!("mhlo.{name}"), importer.array([value])));
                }
            }
            AttributeValue::Bools(values)
                if name == "parameter_replication" && !values.contains(&true) => {}
            value => {
                if let Some(first) = entries.first_mut() {
                    first.push((format!("mhlo.{name}"), importer.attribute(value)?));
                }
            }
        }
    }
    for (position, entries) in entries.iter_mut().enumerate() {
        let shape = match parts.get(position) {
            Some(part) if importer.options.flatten => part,
            _ => &parameter.shape,
        };
        if has_custom_layout(shape) {
            let text = text_of(&AttributeValue::Shape(shape.clone()));
            entries.push(("mhlo.xla_shape".to_owned(), importer.string(&text)));
        }
    }
    Ok(entries)
}

/// Distributes the sharding of a tuple to its elements, if the numbers match.
fn share_sharding<'m>(importer: &Importer<'m>, sharding: &Sharding, entries: &mut [Entries<'m>]) {
    let name = || "mhlo.sharding".to_owned();
    let whole = importer.attribute_of_sharding(sharding.clone());
    match sharding {
        Sharding::Tuple(parts) if importer.options.flatten && parts.len() == entries.len() => {
            for (entries, part) in entries.iter_mut().zip(parts) {
                entries.push((name(), importer.attribute_of_sharding(part.clone())));
            }
        }
        Sharding::Tuple(_) => {
            if let Some(first) = entries.first_mut() {
                first.push((name(), whole));
            }
        }
        _ => {
            for entries in entries {
                entries.push((name(), whole));
            }
        }
    }
}

impl<'m> Importer<'m> {
    /// A sharding as text.
    pub fn attribute_of_sharding(&self, sharding: Sharding) -> Attribute<'m> {
        self.string(&text_of(&AttributeValue::Sharding(sharding)))
    }
}

fn program_shape<'m>(importer: &Importer<'m>) -> Option<&'m ProgramShape> {
    match importer.hlo.attributes.get("entry_computation_layout")? {
        AttributeValue::ProgramShape(shape) => Some(shape),
        _ => None,
    }
}

/// Marks a layout as chosen by the compiler: the entry's layouts are given, but not this one.
fn mark_automatic<'m>(
    importer: &Importer<'m>,
    shape: Option<&'m Shape>,
    entries: &mut [Entries<'m>],
) {
    let Some(shape) = shape else {
        return;
    };
    let parts = leaves(shape);
    if parts.len() != entries.len() {
        return;
    }
    for (entries, part) in entries.iter_mut().zip(parts) {
        if let Shape::Array(array) = part
            && array.layout.is_none()
            && !array.dimensions.is_empty()
        {
            let name = "mhlo.layout_mode".to_owned();
            entries.push((name, importer.string("auto")));
        }
    }
}

/// The attributes `xla_entry_computation_*` of a module: layouts and tiles of parameters, and of
/// the result, unless all are the default.
pub fn layouts<'m>(
    importer: &Importer<'m>,
    program: &'m ProgramShape,
) -> Result<Vec<(&'static str, Attribute<'m>)>, Failure> {
    let mut found = Vec::new();
    if program.parameters.iter().any(has_custom_layout) {
        let parameters: Vec<&Shape> = program.parameters.iter().collect();
        let (layouts, tiles) = layouts_of(importer, &parameters)?;
        found.push(("xla_entry_computation_parameter_layouts", layouts));
        found.push(("xla_entry_computation_parameter_tiles", tiles));
    }
    if has_custom_layout(&program.result) {
        let (layouts, tiles) = layouts_of(importer, &[&program.result])?;
        found.push(("xla_entry_computation_result_layout", layouts));
        found.push(("xla_entry_computation_result_tiles", tiles));
    }
    Ok(found)
}

fn layouts_of<'m>(
    importer: &Importer<'m>,
    shapes: &[&Shape],
) -> Result<(Attribute<'m>, Attribute<'m>), Failure> {
    let shapes: Vec<&Shape> = if importer.options.flatten {
        shapes.iter().flat_map(|shape| leaves(shape)).collect()
    } else {
        shapes.to_vec()
    };
    let layouts = shapes.iter().map(|shape| layout(importer, shape));
    let layouts = layouts.collect::<Result<Vec<_>, Failure>>()?;
    let tiles = shapes.iter().map(|shape| tiles(importer, shape));
    let tiles = tiles.collect::<Result<Vec<_>, Failure>>()?;
    Ok((importer.array(layouts), importer.array(tiles)))
}

/// The order of the dimensions; of a tuple a list. The parser bounds the
/// nesting of tuples.
fn layout<'m>(importer: &Importer<'m>, shape: &Shape) -> Result<Attribute<'m>, Failure> {
    match shape {
        Shape::Tuple(elements) => {
            let elements = elements.iter().map(|element| layout(importer, element));
            Ok(importer.array(elements.collect::<Result<Vec<_>, Failure>>()?))
        }
        Shape::Array(array) if array.layout.is_some() => {
            importer.index_vector(&minor_to_major(array))
        }
        _ => importer.index_vector(&[]),
    }
}

fn tiles<'m>(importer: &Importer<'m>, shape: &Shape) -> Result<Attribute<'m>, Failure> {
    match shape {
        Shape::Tuple(elements) => {
            let elements = elements.iter().map(|element| tiles(importer, element));
            Ok(importer.array(elements.collect::<Result<Vec<_>, Failure>>()?))
        }
        Shape::Array(array) => {
            let tiles = array.layout.iter().flat_map(|layout| &layout.tiles);
            // `*` is written as XLA's internal number for it.
            let tile = |tile: &halo_hlo_text::Tile| {
                let sizes: Vec<i64> = tile.0.iter().map(|it| it.unwrap_or(i64::MIN)).collect();
                importer.index_vector(&sizes)
            };
            Ok(importer.array(tiles.map(tile).collect::<Result<Vec<_>, Failure>>()?))
        }
        _ => Ok(importer.array([])),
    }
}
