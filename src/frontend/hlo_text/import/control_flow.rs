//! Calls, loops and branches.

use super::{
    failure::{Failure, failure},
    instruction::Instruction,
    values::Tree,
};
use crate::hlo_text::options::Fusions;
use halo_core::ElementType;
use halo_hlo_text::{Shape, Value as AttributeValue};
use halo_ir::{Region, prelude::*};

/// `call`. The configuration of a call is among its frontend attributes, as in XLA's importer.
pub fn call<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    if i.boolean("is_composite")? {
        return composite(i);
    }
    let config = match i.attribute("backend_config") {
        Some(AttributeValue::String(text) | AttributeValue::Dictionary(text)) => Some(text),
        Some(other) => return Err(failure(format!("backend_config must be text, not {other}"))),
        None => None,
    };
    let mut attributes = frontend_attributes(i)?;
    attributes.extend(config.map(|text| ("backend_config".to_owned(), text.clone())));
    let tree = call_function(i, "to_apply")?;
    if !attributes.is_empty() {
        i.keep("mhlo.frontend_attributes", i.importer.strings(&attributes));
    }
    Ok(tree)
}

fn frontend_attributes(i: &Instruction) -> Result<Vec<(String, String)>, Failure> {
    match i.attribute("frontend_attributes") {
        None => Ok(Vec::new()),
        Some(AttributeValue::FrontendAttributes(entries)) => Ok(entries.clone()),
        Some(_) => Err(failure("frontend_attributes must be a dictionary")),
    }
}

/// A call of the function that a computation is.
fn call_function<'m>(i: &Instruction<'_, 'm>, attribute: &str) -> Result<Tree<'m>, Failure> {
    let importer = i.importer;
    let callee = i.computation(attribute)?;
    let name = importer.function(callee);
    let mut values = Vec::new();
    for operand in &i.operands {
        values.extend(importer.passed(&i.builder, operand)?);
    }
    let types = importer.passed_types(&i.source.shape)?;
    let op = func::CallOp::build(&i.builder, &name, &values, &types);
    let results = i.finish(op)?.results();
    importer.received(&i.source.shape, &results)
}

/// `call` with `is_composite=true`: name, attributes and version are frontend
/// attributes.
fn composite<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let importer = i.importer;
    let mut name = None;
    let mut config = None;
    let mut version = 0;
    let mut others = Vec::new();
    for (key, value) in frontend_attributes(i)? {
        match &key[..] {
            "composite.name" => name = Some(value),
            "composite.attributes" => config = Some(value),
            "composite.version" => {
                let number = value.parse::<i32>();
                version = number.map_err(|_| failure("composite.version must be a number"))?;
            }
            _ => others.push((key, value)),
        }
    }
    let name = name.ok_or_else(|| failure("a composite must have composite.name"))?;
    let mut values = Vec::new();
    for operand in &i.operands {
        values.extend(importer.passed(&i.builder, operand)?);
    }
    let callee = importer.function(i.computation("to_apply")?);
    let types = importer.passed_types(&i.source.shape)?;
    let mut op =
        stablehlo::CompositeOp::build(&i.builder, &values, &name, &callee, &types, Vec::new())
            .version(version.into());
    if let Some(text) = config
        && !text.trim().is_empty()
    {
        let attributes = super::attributes::dictionary(importer.context, &text);
        let attributes = attributes
            .ok_or_else(|| failure(format!("composite.attributes is not a dictionary: {text}")))?;
        op = op.composite_attributes(attributes);
    }
    let results = i.finish(op)?.results();
    if !others.is_empty() {
        i.keep("mhlo.frontend_attributes", importer.strings(&others));
    }
    importer.received(&i.source.shape, &results)
}

/// `fusion`: a call with attributes for the export, or the ops themselves.
pub fn fusion<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    match i.importer.options.fusions {
        Fusions::Calls => {
            let tree = call_function(i, "calls")?;
            let opcode = i.importer.string(i.source.opcode.name());
            i.keep("mhlo.opcode", opcode);
            Ok(tree)
        }
        Fusions::Inline => {
            let computation = i.computation("calls")?;
            i.importer.instructions(&i.builder, computation, i.operands.clone())
        }
    }
}

/// A call that runs asynchronously in XLA, and at its start here.
pub fn call_now<'m>(i: &Instruction<'_, 'm>, attribute: &str) -> Result<Tree<'m>, Failure> {
    let importer = i.importer;
    let callee = i.computation(attribute)?;
    let name = importer.function(callee);
    let shape = &importer.root(callee)?.shape;
    let mut values = Vec::new();
    for operand in &i.operands {
        values.extend(importer.passed(&i.builder, operand)?);
    }
    let types = importer.passed_types(shape)?;
    let operation = i.finish(func::CallOp::build(&i.builder, &name, &values, &types))?;
    i.mark(operation);
    importer.received(shape, &operation.results())
}

/// `while`
pub fn while_loop<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let values = i.parts(0)?;
    let (condition, body) = (i.region("condition")?, i.region("body")?);
    let op = stablehlo::WhileOp::build(&i.builder, &values, condition, body);
    i.many(op.result_types(&i.result_types()?))
}

/// `conditional`, by a predicate or by a number.
pub fn conditional<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let mut branches = i.computations("branch_computations")?;
    if branches.is_empty() {
        branches.push(i.computation("true_computation")?);
        branches.push(i.computation("false_computation")?);
    }
    let Some((_, arguments)) = i.operands.split_first() else {
        return Err(failure("conditional has an operand that decides"));
    };
    if arguments.len() != branches.len() {
        return Err(failure(format!(
            "there are {} branches, but {} operands for them",
            branches.len(),
            arguments.len()
        )));
    }
    let by_predicate = match i.operand_shape(0)? {
        Shape::Array(array) => array.element_type == ElementType::I1,
        _ => false,
    };
    let (decides, types) = (i.value(0)?, i.result_types()?);
    // The op is inserted before its branches are built: the branches of a conditional in a branch
    // use values from two levels above, which cannot be found from a region that does not belong to
    // an op yet.
    let operation = match (by_predicate, branches.len()) {
        (true, 2) => stablehlo::IfOp::build(&i.builder, decides, Region::new(), Region::new())
            .result_types(&types)
            .insert()
            .operation(),
        (true, count) => {
            return Err(failure(format!(
                "a predicate decides between two branches, not {count}"
            )));
        }
        (false, count) => {
            let regions = (0..count).map(|_| Region::new()).collect();
            stablehlo::CaseOp::build(&i.builder, decides, regions)
                .result_types(&types)
                .insert()
                .operation()
        }
    };
    for (number, (branch, argument)) in branches.into_iter().zip(arguments).enumerate() {
        let arguments = vec![argument.clone()];
        i.importer.fill_region(&i.builder, (operation, number), branch, arguments)?;
    }
    i.verify(operation)?;
    i.stands_for(operation);
    i.importer.assemble(&i.source.shape, &operation.results())
}

impl<'m> Instruction<'_, 'm> {
    /// Adds a discardable attribute to the instruction's op.
    pub fn keep(&self, name: &str, value: Attribute<'m>) {
        if let Some(operation) = self.main_operation()
            && operation.attribute(name).is_none()
        {
            operation.set_attribute(name, value);
        }
    }
}
