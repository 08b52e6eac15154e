//! `interpreter.run_parallel` in a compiled program: other executables, run on
//! a grid of processes, each on a thread or on another machine.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::thread;

use halo_core::Literal;

use super::{Cluster, Process, Values};
use crate::custom_call::{Attribute, Attributes, CustomCall};
use crate::{Error, Executable, ExecuteOptions, Result};

/// The custom call. Its operands are the operands of the programs one after the other, and so are
/// its results.
pub const RUN_PARALLEL: &str = "halo.run_parallel";

/// The stack of a thread that runs a program.
const STACK_BYTES: usize = 64 << 20;

/// The programs that a call runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Programs {
    /// A row for each replica.
    pub rows: Vec<Vec<String>>,
    /// Programs whose results are written to the infeed.
    pub infeed: Vec<String>,
}

impl Programs {
    /// The names of all programs.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let programs = self.rows.iter().flatten().chain(&self.infeed);
        programs.map(String::as_str)
    }

    /// The programs that the attributes of a `halo.run_parallel` call site name.
    ///
    /// # Errors
    /// Returns an error message if one is missing or of another kind.
    pub fn from_attributes(attributes: &Attributes) -> std::result::Result<Self, String> {
        let invalid = |name: &str| format!("attribute '{name}' does not list programs");
        let rows = match attributes.required("programs")? {
            Attribute::List(rows) => rows.iter().map(names).collect::<Option<_>>(),
            _ => None,
        };
        let infeed = attributes.0.get("infeed");
        Ok(Self {
            rows: rows.ok_or_else(|| invalid("programs"))?,
            infeed: match infeed.map(names) {
                None => Vec::new(),
                Some(infeed) => infeed.ok_or_else(|| invalid("infeed"))?,
            },
        })
    }
}

fn names(list: &Attribute) -> Option<Vec<String>> {
    let Attribute::List(names) = list else {
        return None;
    };
    let names = names.iter().map(|name| match name {
        Attribute::Text(name) => Some(name.clone()),
        _ => None,
    });
    names.collect()
}

/// Programs by name.
pub type Executables = BTreeMap<String, Arc<dyn Executable>>;

/// The handler of [`RUN_PARALLEL`] for programs that are compiled already.
pub fn handler(
    executables: Executables,
) -> impl Fn(&mut CustomCall<'_>) -> Result<(), String> + Send + Sync + 'static {
    move |call| {
        let outcome = run(call, &executables);
        outcome.map_err(|error| {
            let error = match error {
                Error::Execution(run) if run.position.is_none() => Error::execution_at(
                    &call.site.location,
                    format!("'interpreter.run_parallel' op {}", run.message),
                ),
                error => error,
            };
            let message = error.to_string();
            call.failure = Some(error);
            message
        })
    }
}

fn run(call: &mut CustomCall<'_>, executables: &Executables) -> Result<()> {
    let programs = Programs::from_attributes(&call.site.attributes).map_err(Error::internal)?;
    let find = |name: &String| {
        let found = executables.get(name);
        found.ok_or_else(|| Error::internal(format!("program '{name}' was not compiled")))
    };
    let partitions = programs.rows.first().map_or(0, Vec::len);
    if partitions == 0 || programs.rows.iter().any(|row| row.len() != partitions) {
        return Err(Error::execution("needs programs in rows of one length"));
    }
    let cluster = call.process.grid_within(programs.rows.len(), partitions);
    let cluster = cluster.map_err(Error::execution)?;
    let infeed = cluster.open_infeed();
    for name in &programs.infeed {
        let values = execute(&**find(name)?, call.process, &[])?;
        infeed.put(values.into_iter().map(Arc::new).collect());
    }
    drop(infeed);
    let mut operands = Vec::new();
    for operand in &call.operands {
        operands.push(operand.to_literal().map_err(Error::internal)?);
    }
    let mut operands = &operands[..];
    let mut tasks = Vec::new();
    for (number, name) in programs.rows.iter().flatten().enumerate() {
        let executable = find(name)?;
        let count = executable.signature().inputs.len();
        let (own, others) = operands
            .split_at_checked(count)
            .ok_or_else(|| Error::execution(format!("has too few operands for '{name}'")))?;
        operands = others;
        if cluster.is_here(number) {
            tasks.push((executable, own, Process::of(&cluster, number)));
        }
    }
    if !operands.is_empty() {
        let count = operands.len();
        return Err(Error::execution(format!("has {count} operands too many")));
    }
    let own = run_here(&cluster, tasks)?;
    let own = own.into_iter().map(|results| results.into_iter().map(Arc::new).collect());
    let all = call.process.share(&cluster, own.collect()).map_err(Error::execution)?;
    let values: Values = all.concat();
    let shapes: Vec<_> = values.iter().map(|value| value.shape()).collect();
    if !shapes.iter().copied().eq(call.results.iter().map(|it| it.shape)) {
        return Err(Error::execution(
            "has results of other types than its programs",
        ));
    }
    for (result, value) in call.results.iter_mut().zip(&values) {
        result.bytes.copy_from_slice(value.bytes());
    }
    Ok(())
}

/// The program of a process, and its inputs.
type Task<'a> = (&'a Arc<dyn Executable>, &'a [Literal], Arc<Process>);

/// The results of the processes that run here, each on a thread.
fn run_here(cluster: &Cluster, tasks: Vec<Task<'_>>) -> Result<Vec<Vec<Literal>>> {
    let numbers: Vec<usize> = tasks.iter().map(|(.., process)| process.number()).collect();
    let outcomes: Vec<Result<Vec<Literal>>> = thread::scope(|scope| {
        let threads: Vec<_> = tasks
            .into_iter()
            .map(|(executable, inputs, process)| {
                thread::Builder::new()
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, move || execute(&**executable, &process, inputs))
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| match thread.map(thread::ScopedJoinHandle::join) {
                Ok(Ok(outcome)) => outcome,
                Ok(Err(_)) => Err(Error::internal("a process of the program panicked")),
                Err(error) => Err(Error::execution(format!("cannot start a process: {error}"))),
            })
            .collect()
    });
    // The first failure causes the later ones.
    let first = cluster.first_failed();
    let mut results = Vec::new();
    let mut failures = BTreeMap::new();
    for (number, outcome) in numbers.into_iter().zip(outcomes) {
        match outcome {
            Ok(values) => results.push(values),
            Err(error) => {
                failures.insert(number, error);
            }
        }
    }
    match (
        first.and_then(|first| failures.remove(&first)),
        failures.pop_first(),
    ) {
        (Some(error), _) | (None, Some((_, error))) => Err(error),
        (None, None) => Ok(results),
    }
}

/// Runs a program as a process. A failed run ends the process.
fn execute(
    executable: &dyn Executable,
    process: &Arc<Process>,
    inputs: &[Literal],
) -> Result<Vec<Literal>> {
    let options = ExecuteOptions {
        process: Some(process),
        ..ExecuteOptions::default()
    };
    let outcome = executable.run_with(&options, inputs);
    if outcome.is_err() {
        process.end(true);
    }
    outcome
}
