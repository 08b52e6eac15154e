//! Predicted cost of a run: the time from the program after the communication passes, the memory
//! from the plan of a compilation.

use super::{expect_known_shapes, specializer::begin};
use crate::lowering::Lowering;
use crate::pipelines::common::{HLO, KERNELS};
use crate::registry::CONTEXTS;
use crate::target::Target;
use halo_backend::{
    CompileOptions, Program,
    prediction::{PredictedMemory, Prediction},
};
use halo_codegen::cleanup;
use halo_cost::op_cost::{Grid, bytes_of};
use halo_cost::simulation::{Semantics, predict};
use halo_cost::topology::{Algorithms, Topology};
use halo_hlo::communication::{collective, is_collective};
use halo_hlo::semantics::op::Op;
use halo_hlo::{loops::trip_count, matchers::ELEMENTWISE, transforms};
use halo_ir::{
    OwnedModule, pipeline,
    pipeline::{Pipeline, pass, upstream},
    prelude::*,
};
use halo_runtime::{Error, Result, Signature};

use std::num::NonZeroUsize;

/// Predicts a run by the processes of `options`, or by one per device of the topology.
pub fn predicted<T: Target>(
    target: &T,
    program: &Program,
    topology: &Program,
    options: &CompileOptions,
) -> Result<Prediction> {
    let options = &CompileOptions {
        topology: Some(topology.clone()),
        ..options.clone()
    };
    let topology = Topology::parse(&topology.name, &topology.code)?;
    let count = |count: Option<NonZeroUsize>| count.map(NonZeroUsize::get);
    let partitioning = options.partitioning;
    let grid = Grid {
        replicas: count(partitioning.map(|it| it.replicas)).unwrap_or_else(|| topology.devices()),
        partitions: count(partitioning.map(|it| it.partitions)).unwrap_or(1),
    };
    let devices = topology.devices();
    if grid.replicas.saturating_mul(grid.partitions) > devices {
        let Grid {
            replicas,
            partitions,
        } = grid;
        return Err(Error::invalid(format!(
            "{replicas} replicas of {partitions} partitions do not fit on the {devices} devices of \
             the topology"
        )));
    }
    let mut lowering = begin(target, program, options, &[])?;
    expect_known_shapes(target, &lowering, "a prediction")?;
    let mut module = OwnedModule::in_context_of(&CONTEXTS, program.code.len(), |context| {
        let (module, _) = halo_frontend::load(context, program, options)?;
        Ok::<_, Error>(module)
    })?;
    let pipeline = decided(&topology);
    module.edit(|context, module| halo_hlo::run_pipeline(context, module, &pipeline))?;
    let entry = halo_frontend::entry_of(module.module())?;
    let semantics = Semantics {
        collective: |op| is_collective(op.name()).then(|| collective(Op::Built(op)).ok())?,
        is_elementwise: |name| ELEMENTWISE.contains(&name),
        trip_count,
    };
    let mut prediction = predict(entry, &topology, grid, semantics);
    prediction.memory = memory(&mut lowering, &topology)?;
    Ok(prediction)
}

/// The phase `hlo`, without the expansion of collectives.
fn decided(topology: &Topology) -> Pipeline {
    let mut passes = pipeline![
        &transforms::legalize::stablehlo_legalize_composite_to_call::PASS,
        upstream("inline"),
        &transforms::collectives::hoist_collectives::PASS,
        &transforms::collectives::combine_collectives::PASS,
    ];
    if topology.algorithms == Algorithms::Halo {
        // The best algorithms include this decomposition.
        passes
            .steps
            .push(pass(&transforms::collectives::decompose_all_reduces::PASS).into());
    }
    let others = pipeline![
        &transforms::collectives::asynchronous_collectives::PASS,
        upstream("symbol-dce"),
        pass(&transforms::legalize::stablehlo_legalize_deprecated_ops::PASS)
            .option("fail-on-unused", false),
        &transforms::legalize::chlo_legalize_to_stablehlo::PASS,
        &transforms::simplify::stablehlo_aggressive_simplification::PASS,
        &cleanup::canonicalize::PASS,
        &cleanup::cse::PASS,
    ];
    passes.steps.extend(others.steps);
    passes
}

/// The memory of a process by the plan of its buffers.
fn memory(lowering: &mut Lowering<'_>, topology: &Topology) -> Result<PredictedMemory> {
    if lowering.has_phase(HLO) {
        lowering.run_through(HLO)?;
    }
    let constants = constants(lowering.operation());
    if lowering.has_phase(KERNELS) {
        lowering.run_through(KERNELS)?
    } else {
        lowering.run_phases()?
    }
    let (arguments, results) = boundary_bytes(&lowering.signature)?;
    Ok(PredictedMemory {
        arguments,
        results,
        temporaries: lowering.metadata.arena_size as u64,
        constants,
        available: topology.device.memory,
    })
}

/// The bytes of constants that are not splats.
fn constants(module: Operation) -> u64 {
    let all = module.collect_nested(|op| op.isa::<stablehlo::ConstantOp>());
    let stored = all.into_iter().filter(|op| {
        let value = op.attribute("value");
        !value.is_some_and(Attribute::is_splat)
    });
    let bytes = stored.flat_map(Operation::result_types).filter_map(bytes_of);
    bytes.sum()
}

fn boundary_bytes(signature: &Signature) -> Result<(u64, u64)> {
    let mut arguments = 0;
    for input in &signature.inputs {
        arguments += input.to_shape()?.byte_size() as u64;
    }
    let mut results = 0;
    for (number, output) in signature.outputs.iter().enumerate() {
        if signature.aliased_input(number).is_none() {
            results += output.to_shape()?.byte_size() as u64;
        }
    }
    Ok((arguments, results))
}
