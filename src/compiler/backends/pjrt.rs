//! PJRT plug-ins as backends: `--backend=pjrt:FILE`.
//!
//! The program is decomposed as for the interpreter, and the plug-in compiles it as a portable
//! artifact. A plug-in cannot call the function of `--halo-observe-ops`: observed values of the
//! entry are additional results, and the function gets them after the run. Ops in loops and branches
//! are not observed.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use crate::{Lowering, Target, TargetCompiler, pipelines::Phase, pipelines::interpreter::phases};
use halo_backend::Backend;
use halo_core::{Literal, Shape};
use halo_frontend::portable_artifact;
use halo_hlo::{
    custom_calls,
    transforms::{observe_ops::OBSERVE, shapes::stablehlo_refine_shapes::set_function_type},
};
use halo_ir::prelude::*;
use halo_pjrt_api::{Buffer, Client};
use halo_runtime::{CustomCallSite, Error, Executable, Result, host::HostFunctionExecutable};
use halo_vhlo::Version;

/// The version of StableHLO for plug-ins that report none: the first one with all types.
const VERSION: Version = Version::new(1, 0);

/// The name of the entry, which XLA requires.
const ENTRY: &str = "main";

/// The backend of a plug-in.
///
/// # Errors
/// Returns an error if the file is not a plug-in, or the plug-in makes no client.
pub fn backend(file: &Path) -> Result<Backend> {
    // SAFETY: the user names a plug-in to run programs with.
    let client = unsafe { Client::load(file) }?;
    let compiler = TargetCompiler::new(PjrtTarget { client });
    Ok(Backend::host("pjrt", "a PJRT plug-in", compiler))
}

/// A plug-in.
#[derive(Clone)]
struct PjrtTarget {
    client: Client,
}

impl Target for PjrtTarget {
    fn phases(&self) -> Vec<Phase> {
        phases()
    }

    fn calls_host(&self) -> bool {
        false
    }

    fn executable(&self, mut lowering: Lowering<'_>) -> Result<Box<dyn Executable>> {
        lowering.run_phases()?;
        let signature = lowering.signature.clone();
        let calls = Arc::clone(&lowering.session.options.custom_calls);
        let entry = lowering.function(&signature.name)?;
        let observed = observe_by_results(entry)?;
        entry.set_attribute("sym_name", string_attribute(entry.context(), ENTRY));
        let reported = self.client.stablehlo_version();
        let version = reported.and_then(|[major, minor, patch]| {
            Some(Version {
                major: major.try_into().ok()?,
                minor: minor.try_into().ok()?,
                patch: patch.try_into().ok()?,
            })
        });
        let version = version.unwrap_or(VERSION).min(Version::CURRENT);
        let artifact = portable_artifact::serialize(lowering.module(), version)?;
        let executable = self.client.compile(&artifact)?;
        let client = self.client.clone();
        let count = signature.outputs.len();
        let run = move |inputs: &[Literal]| {
            let inputs: Vec<Buffer> =
                inputs.iter().map(|input| client.buffer(input)).collect::<Result<_>>()?;
            let outputs = executable.execute(&inputs.iter().collect::<Vec<_>>())?;
            let mut results: Vec<Literal> =
                outputs.iter().map(Buffer::to_literal).collect::<Result<_>>()?;
            for Observed {
                site,
                results: of_call,
            } in &observed
            {
                let operands: Option<Vec<Literal>> =
                    of_call.iter().map(|number| results.get(*number).cloned()).collect();
                let operands = operands
                    .ok_or_else(|| Error::execution("the PJRT plug-in returned too few results"))?;
                calls.call(site, &operands)?;
            }
            results.truncate(count);
            Ok(results)
        };
        Ok(Box::new(HostFunctionExecutable::new(signature, run)))
    }
}

/// A call of the function of `--halo-observe-ops`.
struct Observed {
    site: CustomCallSite,
    /// The numbers of the results that are its operands.
    results: Vec<usize>,
}

/// Replaces the calls of the function by results of the entry.
fn observe_by_results(entry: Operation) -> Result<Vec<Observed>> {
    let is_call = |op: &Operation| {
        let call = op.cast::<stablehlo::CustomCallOp>();
        call.is_some_and(|call| call.call_target_name() == OBSERVE)
    };
    let calls = entry.collect_nested(|op| is_call(&op));
    let body = entry.body(0);
    let Some((body, returned)) = body.and_then(|body| Some((body, body.terminator()?))) else {
        return Ok(Vec::new());
    };
    if calls.is_empty() {
        return Ok(Vec::new());
    }
    let mut values = returned.operands();
    let mut numbers = HashMap::new();
    let mut observed = Vec::new();
    for call in &calls {
        // The events of loops have no operands.
        if call.block() != Some(body) || call.operands().is_empty() {
            continue;
        }
        let operands = call.operands();
        let shapes = operands.iter().map(|operand| operand.ty().to_string().parse::<Shape>());
        let shapes: Vec<Shape> = shapes.collect::<std::result::Result<_, _>>()?;
        let site = custom_calls::site(*call, OBSERVE, shapes, Vec::new());
        let results = operands.iter().map(|operand| {
            *numbers.entry(operand.key()).or_insert_with(|| {
                values.push(*operand);
                values.len() - 1
            })
        });
        observed.push(Observed {
            results: results.collect(),
            site: site.map_err(Error::internal)?,
        });
    }
    with_builder(returned, |b| {
        let b = b.at(returned.location());
        b.set_before(returned);
        func::ReturnOp::build(&b, &values).insert();
        b.erase(returned);
        for call in calls {
            b.erase(call);
        }
    });
    set_function_type(entry, &body.arguments().types(), &values.types());
    entry.remove_attribute("res_attrs");
    Ok(observed)
}
