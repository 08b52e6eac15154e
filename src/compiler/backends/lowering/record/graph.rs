//! The ops of the entry behind the phase `hlo`, and what each takes from others.

use super::stamps::Stamp;
use halo_codegen::loops::sizes::size_in_bytes;
use halo_hlo::flops::flops;
use halo_ir::{
    Attribute, Location, LocationKind, Operation, Type, Value, arguments_of, attribute_type,
    blocks_of, body_of, collect_operations, dense_splat, element_count, element_type, is_dense,
    is_dense_resource, location_kind, location_of_value, memref_type, name_of, operands_of,
    operations_of,
    ops::{OperationExt, func, stablehlo},
    results_of, static_shape_of, value_key,
};
use halo_runtime::compilation_record::{EntryValue, Node};
use melior::ir::{ValueLike, operation::OperationLike};
use std::collections::HashMap;

/// The longest text of an attribute, and of all of an op.
const LONGEST_ATTRIBUTE: usize = 40;
const LONGEST_DETAIL: usize = 120;
/// The ops of a longer body are counted.
const MOST_APPLIED: usize = 3;
/// A constant of more elements is not written out.
const MOST_ELEMENTS: i64 = 8;

/// The nodes of an entry, whose ops are stamped with their numbers.
pub fn nodes(entry: Operation) -> Vec<Node> {
    let Some(body) = body_of(entry, 0) else {
        return Vec::new();
    };
    let mut graph = Graph::default();
    for (number, argument) in arguments_of(body).into_iter().enumerate() {
        let number = i32::try_from(number).unwrap_or(i32::MAX - 1);
        graph.values.insert(value_key(argument), -1 - number);
    }
    graph.add(operations_of(body), None);
    graph.nodes
}

/// The arguments and the results of an entry, of a program of this name with this text.
pub fn signature(
    entry: Operation,
    (program, source): (&str, &str),
) -> (Vec<EntryValue>, Vec<EntryValue>) {
    let value = |of: Type| EntryValue {
        name: String::new(),
        r#type: of.to_string(),
        bytes: Some(bytes(of)).filter(|bytes| *bytes > 0),
    };
    let Some(body) = body_of(entry, 0) else {
        return Default::default();
    };
    let lines: Vec<&str> = source.lines().collect();
    let argument = |(number, argument): (usize, Value)| EntryValue {
        name: name_of_argument(location_of_value(argument), (program, &lines))
            .unwrap_or_else(|| format!("%arg{number}")),
        ..value(argument.r#type())
    };
    let arguments = arguments_of(body).into_iter().enumerate();
    let end = operations_of(body).pop();
    let results = end.map(operands_of).unwrap_or_default().into_iter();
    (
        arguments.map(argument).collect(),
        results.map(|result| value(result.r#type())).collect(),
    )
}

/// The name that a location has, or that the program's text has at its place.
fn name_of_argument(location: Location, text: (&str, &[&str])) -> Option<String> {
    let (program, lines) = text;
    match location_kind(location) {
        LocationKind::Name { name, .. } if !name.is_empty() => Some(name.into_owned()),
        LocationKind::File {
            name, line, column, ..
        } if name == program => {
            let line = lines.get(usize::try_from(line).ok()?.checked_sub(1)?)?;
            let text = line.get(usize::try_from(column).ok()?.checked_sub(1)?..)?;
            let is_of_name = |letter: char| letter.is_alphanumeric() || "_$.-".contains(letter);
            let named = text.strip_prefix('%')?;
            let end = named.find(|letter| !is_of_name(letter));
            let name = &named[..end.unwrap_or(named.len())];
            (!name.is_empty()).then(|| format!("%{name}"))
        }
        kind => {
            let mut parts = kind.parts().into_iter();
            parts.find_map(|part| name_of_argument(part, text))
        }
    }
}

#[derive(Default)]
struct Graph {
    nodes: Vec<Node>,
    /// The node that a value is a result of, or the argument that it is.
    values: HashMap<usize, i32>,
}

impl Graph {
    fn add(&mut self, ops: Vec<Operation>, parent: Option<u32>) {
        for op in ops {
            if is_terminator(op) {
                continue;
            }
            let number = self.nodes.len();
            for result in results_of(op) {
                self.values.insert(value_key(result), number as i32);
            }
            let node = self.node(op, parent);
            self.nodes.push(node);
            Stamp::Node.put(op, number);
            if is_control_flow(op) {
                let regions = op.regions().flat_map(blocks_of);
                for block in regions {
                    self.add(operations_of(block), Some(number as u32));
                }
            } else {
                for nested in collect_operations(op, |_| true) {
                    Stamp::Node.put(nested, number);
                }
            }
        }
    }

    fn node(&self, op: Operation, parent: Option<u32>) -> Node {
        let operands = operands_of(op);
        let mut taken: Vec<i32> = Vec::new();
        for value in operands {
            if let Some(number) = self.values.get(&value_key(value))
                && !taken.contains(number)
            {
                taken.push(*number);
            }
        }
        let results = results_of(op);
        let count = flops(op);
        Node {
            name: name_of(op).to_owned(),
            results: types(&results),
            applied: applied(op),
            detail: detail(op),
            operands: taken,
            parent,
            origins: Stamp::Op.numbers(op.location()).into_iter().collect(),
            callers: Stamp::Op.callers(op.location()),
            calls: Vec::new(),
            flops: count.arithmetic,
            transcendentals: count.transcendental,
            bytes: results.iter().map(|result| bytes(result.r#type())).sum(),
        }
    }
}

fn is_terminator(op: Operation) -> bool {
    op.isa::<stablehlo::ReturnOp>() || op.isa::<func::ReturnOp>()
}

/// Whether the ops of the regions are nodes of their own.
fn is_control_flow(op: Operation) -> bool {
    op.isa::<stablehlo::WhileOp>() || op.isa::<stablehlo::IfOp>() || op.isa::<stablehlo::CaseOp>()
}

fn types(values: &[Value]) -> String {
    let types: Vec<String> = values
        .iter()
        .map(|value| short_type(value.r#type()))
        .collect();
    match types.len() {
        0..=3 => types.join(", "),
        count => format!("{}, ... ({count})", types[..2].join(", ")),
    }
}

/// `f32[8,16]` for `tensor<8x16xf32>`, as HLO text writes it.
fn short_type(of: Type) -> String {
    match static_shape_of(of) {
        Some(shape) => {
            let sizes: Vec<String> = shape.iter().map(ToString::to_string).collect();
            format!("{}[{}]", element_type(of), sizes.join(","))
        }
        None => of.to_string(),
    }
}

/// The size of a tensor in memory; 0 if it is not known.
fn bytes(of: Type) -> u64 {
    let shape = static_shape_of(of);
    let size = shape.and_then(|shape| size_in_bytes(memref_type(&shape, element_type(of))));
    size.unwrap_or(0)
}

/// The attributes of an op in short.
fn detail(op: Operation) -> String {
    let mut parts = Vec::new();
    for (name, attribute) in op.attributes() {
        let name = name.as_string_ref().as_str().unwrap_or_default().to_owned();
        let text = text_of(attribute);
        match (&name[..], op.isa::<stablehlo::ConstantOp>()) {
            ("value", true) => parts.push(text),
            _ if text == "unit" => parts.push(name),
            _ => parts.push(format!("{name} = {text}")),
        }
    }
    shortened(parts.join(", "), LONGEST_DETAIL)
}

/// What the bodies of an op compute, such as `add` for a sum.
fn applied(op: Operation) -> String {
    if is_control_flow(op) {
        return String::new();
    }
    let bodies = op.regions().flat_map(blocks_of).map(|body| {
        let ops = operations_of(body).into_iter();
        let ops = ops.filter(|op| !is_terminator(*op) && !op.isa::<stablehlo::ConstantOp>());
        let names: Vec<&str> = ops
            .map(|op| {
                let name = name_of(op);
                name.rsplit('.').next().unwrap_or(name)
            })
            .collect();
        match names.len() {
            0..=MOST_APPLIED => names.join(" "),
            count => format!("{count} ops"),
        }
    });
    let bodies: Vec<String> = bodies.filter(|body| !body.is_empty()).collect();
    bodies.join("; ")
}

fn text_of(attribute: Attribute) -> String {
    if is_dense_resource(attribute) {
        return "...".to_owned();
    }
    let is_large = is_dense(attribute)
        && dense_splat(attribute).is_none()
        && element_count(attribute_type(attribute)).is_none_or(|count| count > MOST_ELEMENTS);
    if is_large {
        return "dense<...>".to_owned();
    }
    let text = attribute.to_string();
    let text = match text.strip_prefix('#').and_then(|text| text.split_once('<')) {
        // `#stablehlo.dot<lhs_contracting_dimensions = [1], ...>`
        Some((_, inside)) => inside.strip_suffix('>').unwrap_or(inside).to_owned(),
        None => text,
    };
    shortened(text, LONGEST_ATTRIBUTE)
}

fn shortened(text: String, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}
