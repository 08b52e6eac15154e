//! Measured plans of products, in place of the model's.
//!
//! With [`CompileOptions::tuning`], each [piece](pieces) of a program, a product with the ops that
//! are fused with it, is compiled by several plans and timed on random inputs, until the time is
//! over. The fastest plan is an option of `--halo-lower-contractions` for the products of the same
//! signature, and is stored in the cache, if there is one, for later compilations.
//!
//! A plan may change the order of sums as the model does between processors, and nothing else of
//! the results. Products in loops over which an operand is invariant, streamed rows, and chains of
//! products are not measured: they keep the model's plan.

mod pieces;
mod search;

use super::specializer::begin;
use crate::{
    lowering::Lowering,
    pipelines::common::{HLO, KERNELS},
    target::Target,
};
use halo_backend::{
    CompilationCache, CompileOptions, Program,
    compilation_cache::{Key, KeyHasher},
};
use halo_codegen::{
    contraction::plan::{Plan, Plans, Product},
    cpu::lower_contractions,
};
use halo_core::random::Generator;
use halo_runtime::{DeviceBuffer, Executable, ExecuteOptions, Result};
use pieces::Piece;
use search::{Bench, Found, search};
use serde::{Deserialize, Serialize};
use std::{
    collections::HashSet,
    time::{Duration, Instant},
};

/// The name of the phase in timings.
const TUNE: &str = "tune";
/// The option of the pass that has the plans.
const PLANS: &str = "plans";
/// A measurement is the fastest run within this time, of at most so many.
const SAMPLE: Duration = Duration::from_millis(1);
const RUNS: u32 = 20;

/// The stored measurement of a piece.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Measured {
    /// The product and its fastest plan, in the form of the option; empty if the piece has no
    /// product that plans tile.
    entry: String,
    plans: u32,
}

/// The measurements in the cache, for one machine and number of threads.
struct Store<'a> {
    cache: Option<&'a CompilationCache>,
    settings: Key,
}

impl Store<'_> {
    fn key(&self, piece: &Piece) -> Key {
        let hasher = KeyHasher::new("plan").part(self.settings.as_bytes());
        hasher.part(piece.code.as_bytes()).finish()
    }

    fn get(&self, piece: &Piece) -> Option<Measured> {
        postcard::from_bytes(&self.cache?.get(&self.key(piece))?).ok()
    }

    fn put(&self, piece: &Piece, measured: &Measured) {
        if let (Some(cache), Ok(bytes)) = (self.cache, postcard::to_extend(measured, Vec::new())) {
            cache.put(&self.key(piece), &bytes);
        }
    }
}

/// Runs the first phase, and sets the plans of the program's products, if the options request
/// measured ones and the target has plans: stored plans, and with `measures` also new ones.
///
/// # Errors
/// Returns the errors of the phase.
pub(super) fn tune<T: Target>(
    target: &T,
    lowering: &mut Lowering<'_>,
    measures: bool,
) -> Result<()> {
    let options = lowering.session.options;
    let (Some(budget), Some(identity)) = (options.tuning, target.cache_identity()) else {
        return Ok(());
    };
    if !lowering.has_pass(lower_contractions::PASS.argument) {
        return Ok(());
    }
    let deadline = Instant::now() + budget;
    let settings = KeyHasher::new("machine")
        .part(identity.as_bytes())
        .part(format!("{} {:?}", options.thread_count(), options.backend).as_bytes());
    let store = Store {
        cache: options.cache.as_deref(),
        settings: settings.finish(),
    };
    set_plans(lowering, &store, |piece| {
        let is_over = !measures || Instant::now() >= deadline;
        if is_over {
            None
        } else {
            measured(target, options, piece, deadline)
        }
    })
}

/// Runs the first phase, and sets the plans of the pieces: stored ones, or else the results of a
/// function. It also returns whether a measurement is complete, so that it is stored.
fn set_plans(
    lowering: &mut Lowering<'_>,
    store: &Store<'_>,
    mut measure: impl FnMut(&Piece) -> Option<(Measured, bool)>,
) -> Result<()> {
    lowering.run_through(HLO)?;
    let start = lowering.session.begin(TUNE);
    let pieces = lowering.edit(|_, module| pieces::pieces(module));
    let (mut entries, mut signatures) = (Vec::new(), HashSet::new());
    for piece in pieces {
        let known = store.get(&piece);
        let is_known = known.is_some();
        let found = known.map(|measured| (measured, true)).or_else(|| measure(&piece));
        let Some((measured, is_complete)) = found else {
            continue;
        };
        tracing::debug!(
            entry = measured.entry,
            measured.plans,
            is_known,
            is_complete,
            "piece tuned"
        );
        if is_complete && !is_known {
            store.put(&piece, &measured);
        }
        let signature = measured.entry.split(':').next().unwrap_or_default().to_owned();
        if !signature.is_empty() && signatures.insert(signature) {
            entries.push(measured.entry);
        }
    }
    if !entries.is_empty() {
        lowering.set_option(lower_contractions::PASS.argument, PLANS, entries.join(","))?;
    }
    lowering.session.report(TUNE, start.elapsed());
    Ok(())
}

/// Measures a piece; `None` if it does not compile or run alone.
fn measured<T: Target>(
    target: &T,
    options: &CompileOptions,
    piece: &Piece,
    deadline: Instant,
) -> Option<(Measured, bool)> {
    let program = Program {
        name: "piece.mlir".to_owned(),
        code: piece.code.clone().into_bytes(),
    };
    let options = CompileOptions {
        threads: options.threads,
        no_constant_folding: options.no_constant_folding,
        processor: options.processor.clone(),
        backend: options.backend.clone(),
        ..CompileOptions::default()
    };
    let Some(product) = only_product(target, &program, &options).ok()? else {
        return Some((Measured::default(), true));
    };
    let mut bench = Executables {
        target,
        program: &program,
        options: &options,
        buffers: None,
        executables: Vec::new(),
        deadline,
    };
    let Found {
        plan,
        measured,
        is_complete,
    } = search(&product, &mut bench)?;
    let measured = Measured {
        entry: format!("{}:{plan}", product.signature()),
        plans: measured,
    };
    Some((measured, is_complete))
}

/// The product of a piece, if it is the only one that plans tile.
fn only_product<T: Target>(
    target: &T,
    program: &Program,
    options: &CompileOptions,
) -> Result<Option<Product>> {
    let mut lowering = begin(target, program, options, &[])?;
    lowering.set_option(lower_contractions::PASS.argument, "report-products", true)?;
    let details = lowering.details_through(KERNELS)?;
    let mut products = details.iter().filter_map(|detail| detail.downcast_ref::<Product>());
    let first = products.next().copied();
    Ok(first.filter(|_| products.next().is_none()))
}

/// The executables of a piece by plans, and the buffers that they share.
struct Executables<'a, T> {
    target: &'a T,
    program: &'a Program,
    options: &'a CompileOptions,
    /// Inputs and results.
    buffers: Option<[Vec<DeviceBuffer>; 2]>,
    /// With the number of runs of a measurement.
    executables: Vec<(Box<dyn Executable>, u32)>,
    deadline: Instant,
}

impl<T: Target> Executables<'_, T> {
    fn executable(&self, plan: &Plan) -> Result<Box<dyn Executable>> {
        let mut lowering = begin(self.target, self.program, self.options, &[])?;
        let plans = format!("{}:{plan}", Plans::ANY);
        lowering.set_option(lower_contractions::PASS.argument, PLANS, plans)?;
        self.target.executable(lowering)
    }

    fn run(&self, executable: &dyn Executable) -> Result<Duration> {
        let [inputs, results] = self
            .buffers
            .as_ref()
            .map_or([&[][..]; 2], |buffers| [&buffers[0][..], &buffers[1][..]]);
        let start = Instant::now();
        executable.execute_into(&ExecuteOptions::default(), inputs, results)?;
        Ok(start.elapsed())
    }

    fn try_add(&mut self, plan: &Plan) -> Result<usize> {
        let executable = self.executable(plan)?;
        if self.buffers.is_none() {
            self.buffers = Some([random_inputs(&*executable)?, executable.allocate_outputs()?]);
        }
        // Code and data are cold in the first run.
        self.run(&*executable)?;
        let time = self.run(&*executable)?.max(Duration::from_nanos(1));
        let runs = (SAMPLE.as_secs_f64() / time.as_secs_f64()).ceil();
        self.executables.push((executable, (runs as u32).clamp(1, RUNS)));
        Ok(self.executables.len() - 1)
    }
}

impl<T: Target> Bench for Executables<'_, T> {
    fn add(&mut self, plan: &Plan) -> Option<usize> {
        self.try_add(plan).ok()
    }

    fn seconds(&mut self, number: usize) -> Option<f64> {
        let (executable, runs) = self.executables.get(number)?;
        let times: Result<Vec<_>> = (0..*runs).map(|_| self.run(&**executable)).collect();
        times.ok()?.into_iter().min().map(|time| time.as_secs_f64().max(1e-9))
    }

    fn is_over(&self) -> bool {
        Instant::now() >= self.deadline
    }
}

fn random_inputs(executable: &dyn Executable) -> Result<Vec<DeviceBuffer>> {
    let mut generator = Generator::new(0);
    let device = executable.device();
    let inputs = executable.signature().inputs.iter();
    let input = |pattern: &halo_core::ShapePattern| {
        device.to_device(&generator.literal(&pattern.to_shape()?)?)
    };
    inputs.map(input).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        pipelines::cpu::{Parameters, phases},
        session::Session,
    };
    use halo_backend::compilation_cache::DEFAULT_LIMIT;
    use halo_runtime::Error;

    /// Two equal products with a bias, one of other sizes in a loop, and a small one.
    const PROGRAM: &str = "
func.func @main(%x: tensor<600x1024xf32>, %w: tensor<1024x512xf32>, %b: tensor<512xf32>, %y: tensor<400x512xf32>,
    %v: tensor<512x512xf32>) -> (tensor<600x512xf32>, tensor<600x512xf32>, tensor<400x512xf32>, tensor<4x4xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %ten = stablehlo.constant dense<10> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<600x1024xf32>, tensor<1024x512xf32>) -> tensor<600x512xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<512xf32>) -> tensor<600x512xf32>
  %2 = stablehlo.add %0, %1 : tensor<600x512xf32>
  %negative = stablehlo.negate %x : tensor<600x1024xf32>
  %3 = stablehlo.dot_general %negative, %w, contracting_dims = [1] x [0] : (tensor<600x1024xf32>, tensor<1024x512xf32>) -> tensor<600x512xf32>
  %4 = stablehlo.add %3, %1 : tensor<600x512xf32>
  %5:2 = stablehlo.while(%i = %zero, %carried = %y) : tensor<i32>, tensor<400x512xf32>
  cond {
    %6 = stablehlo.compare LT, %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %6 : tensor<i1>
  } do {
    %6 = stablehlo.dot_general %carried, %v, contracting_dims = [1] x [0] : (tensor<400x512xf32>, tensor<512x512xf32>) -> tensor<400x512xf32>
    %7 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %7, %6 : tensor<i32>, tensor<400x512xf32>
  }
  %8 = stablehlo.slice %x [0:4, 0:4] : (tensor<600x1024xf32>) -> tensor<4x4xf32>
  %9 = stablehlo.dot_general %8, %8, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2, %4, %5#1, %9 : tensor<600x512xf32>, tensor<600x512xf32>, tensor<400x512xf32>, tensor<4x4xf32>
}";

    const SIGNATURE: &str = "1x600x512x1024-f32-f32-f32-f32-mk-kn";

    /// Sets the plans of the program, by a function that measures, and returns it after the phase
    /// `kernels`.
    fn planned(
        cache: &CompilationCache,
        machine: &str,
        measure: impl FnMut(&Piece) -> Option<(Measured, bool)>,
    ) -> String {
        let program = Program {
            name: "a.mlir".to_owned(),
            code: PROGRAM.as_bytes().to_vec(),
        };
        let options = CompileOptions::default();
        let session = Session::new(&program, &options, &[]);
        let part = Box::new(|_: &_, _: &_, _: &_| Err(Error::internal("no program runs another")));
        let mut lowering = Lowering::new(session, phases(&Parameters::REFERENCE), part).unwrap();
        let store = Store {
            cache: Some(cache),
            settings: KeyHasher::new("machine").part(machine.as_bytes()).finish(),
        };
        set_plans(&mut lowering, &store, measure).unwrap();
        lowering.run_through(KERNELS).unwrap();
        lowering.text()
    }

    #[test]
    fn pieces_are_products_with_what_is_fused_with_them() {
        let directory = tempfile::tempdir().unwrap();
        let cache = CompilationCache::new(directory.path().join("cache"), DEFAULT_LIMIT);
        let mut codes = Vec::new();
        planned(&cache, "a", |piece| {
            codes.push((piece.code.clone(), piece.flops));
            None
        });
        let [(first, flops), (second, _)] = &codes[..] else {
            panic!("{codes:?}");
        };
        assert_eq!(*flops, 2 * 2 * 600 * 512 * 1024);
        assert_eq!(first.matches("stablehlo.").count(), 3, "{first}");
        assert!(
            first.contains("dot_general") && first.contains("broadcast_in_dim"),
            "{first}"
        );
        assert!(
            first.starts_with("func.func @piece(%arg0: tensor<600x1024xf32>, %arg1:"),
            "{first}"
        );
        assert_eq!(second.matches("stablehlo.").count(), 1, "{second}");
        assert!(second.contains("-> tensor<400x512xf32>"), "{second}");
    }

    #[test]
    fn measured_plans_are_kept_and_found() {
        let directory = tempfile::tempdir().unwrap();
        let cache = CompilationCache::new(directory.path().join("cache"), DEFAULT_LIMIT);
        let measured = |plan: &str| Measured {
            entry: format!("{SIGNATURE}:{plan}"),
            plans: 3,
        };
        let of_model = planned(&cache, "a", |_| None);
        assert!(!of_model.contains("step %c128"), "{of_model}");
        // A measurement that is not complete is used, but not kept.
        let is_large = |piece: &Piece| piece.code.contains("600x1024");
        let first = planned(&cache, "a", |piece| {
            is_large(piece).then(|| (measured("k=128"), false))
        });
        assert!(first.contains("step %c128"), "{first}");
        let mut count = 0;
        let second = planned(&cache, "a", |piece| {
            count += 1;
            let found = if is_large(piece) {
                measured("k=128")
            } else {
                Measured::default()
            };
            Some((found, true))
        });
        assert_eq!((second == first, count), (true, 2));
        let third = planned(&cache, "a", |piece| panic!("{} is known", piece.code));
        assert!(third == first);
        // Another machine, or number of threads.
        assert!(planned(&cache, "b", |_| None) == of_model);
    }
}
