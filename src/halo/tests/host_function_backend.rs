use halo::{
    compiler::{
        Lowering, Target, TargetCompiler, error_at,
        pipelines::{Phase, common},
    },
    core::{ElementType, Literal, Shape},
    frontend,
    hlo::literals,
    ir,
    prelude::*,
    runtime::{Backend, Executable, Result, host::HostFunctionExecutable},
};
use std::collections::HashMap;

/// A machine whose registers are whole tensors of f32.
#[derive(Clone)]
pub struct VectorMachine;

pub fn backend() -> Backend {
    let compiler = TargetCompiler::new(VectorMachine);
    Backend::host("vectors", "a machine of whole tensors of f32", compiler)
}

impl Target for VectorMachine {
    fn phases(&self) -> Vec<Phase> {
        vec![common::hlo(&[])]
    }

    fn executable(&self, mut lowering: Lowering<'_>) -> Result<Box<dyn Executable>> {
        lowering.run_phases()?;
        let (instructions, results) = assemble(frontend::entry_of(lowering.module())?)?;
        let run = move |inputs: &[Literal]| {
            let mut registers = inputs.to_vec();
            for instruction in &instructions {
                registers.push(instruction(&registers)?);
            }
            let results = results.iter();
            Ok(results.map(|result| registers[*result].clone()).collect())
        };
        let executable = HostFunctionExecutable::new(lowering.signature, run);
        Ok(Box::new(executable))
    }
}

/// Computes the next register from those before.
type Instruction = Box<dyn Fn(&[Literal]) -> Result<Literal> + Send + Sync>;

/// Makes an instruction of each op of a function, and finds the registers of its results.
fn assemble(entry: ir::Operation) -> Result<(Vec<Instruction>, Vec<usize>)> {
    let body = entry.body(0).ok_or_else(|| error_at(entry, "has no body"))?;
    let mut registers = HashMap::new();
    for argument in body.arguments() {
        registers.insert(argument.key(), registers.len());
    }
    let mut instructions = Vec::new();
    for op in body.operations() {
        let operands = op.operands().into_iter();
        let operands = operands.map(|value| registers.get(&value.key()).copied());
        let operands: Vec<usize> = operands.flatten().collect();
        if op.name() == "func.return" {
            return Ok((instructions, operands));
        }
        let instruction = instruction(op, &operands)?;
        registers.insert(op.results()[0].key(), registers.len());
        instructions.push(instruction);
    }
    Err(error_at(entry, "does not return"))
}

fn instruction(op: ir::Operation, operands: &[usize]) -> Result<Instruction> {
    let wrong = |message: String| error_at(op, message);
    let (name, types) = (op.name(), op.result_types());
    let [ty] = types.as_slice() else {
        return Err(wrong(format!("the machine has no '{name}'")));
    };
    let shape = literals::shape_of(*ty).map_err(wrong)?;
    if shape.element_type() != ElementType::F32 {
        return Err(wrong(format!("the machine computes f32, not {shape}")));
    }
    Ok(match (name, operands) {
        ("stablehlo.constant", _) => {
            let value = op.attribute("value").ok_or_else(|| wrong("no value".into()))?;
            let value = literals::literal_of(value).map_err(wrong)?;
            Box::new(move |_| Ok(value.clone()))
        }
        ("stablehlo.add", [x, y]) => elementwise(*x, *y, |x, y| x + y),
        ("stablehlo.multiply", [x, y]) => elementwise(*x, *y, |x, y| x * y),
        ("stablehlo.maximum", [x, y]) => elementwise(*x, *y, f32::max),
        ("stablehlo.exponential", [x]) => elementwise(*x, *x, |x, _| x.exp()),
        ("stablehlo.broadcast_in_dim", [x]) => {
            let dims = op.attribute("broadcast_dimensions");
            let dims = dims.and_then(Attribute::i64_array_value);
            broadcast(*x, shape, dims.unwrap_or_default())
        }
        _ => return Err(wrong(format!("the machine has no '{name}'"))),
    })
}

fn elementwise(x: usize, y: usize, function: fn(f32, f32) -> f32) -> Instruction {
    Box::new(move |registers| {
        let (x, y) = (&registers[x], &registers[y]);
        let pairs = x.as_slice::<f32>()?.iter().zip(y.as_slice::<f32>()?);
        let values: Vec<f32> = pairs.map(|(x, y)| function(*x, *y)).collect();
        Ok(Literal::from_slice(x.shape().dims(), &values)?)
    })
}

fn broadcast(x: usize, shape: Shape, dims: Vec<i64>) -> Instruction {
    Box::new(move |registers| {
        let (from, values) = (registers[x].shape(), registers[x].as_slice::<f32>()?);
        let values = shape.indices().map(|index| {
            let index = dims.iter().map(|dim| index[*dim as usize]).zip(from.dims());
            let index: Vec<usize> = index.map(|(at, size)| at.min(size - 1)).collect();
            values[from.linear_index(&index).unwrap_or_default()]
        });
        let values: Vec<f32> = values.collect();
        Ok(Literal::from_slice(shape.dims(), &values)?)
    })
}
