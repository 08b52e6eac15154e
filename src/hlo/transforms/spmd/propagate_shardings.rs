//! `--halo-propagate-shardings`: propagates shardings to all values.
//!
//! A program gives shardings for its arguments, its results and some other values. The propagated
//! shardings of all values determine how ops are divided ([`crate::sharding::propagation`]
//! describes the order). `--halo-partition` runs the same analysis; this pass shows it, for readers
//! and other tools.
//!
//! ```mlir
//! // partitions=2, and sdy.meshes = {mesh = #sdy.mesh<["x"=2]>}
//! func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
//!                 %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
//!   %0 = stablehlo.tanh %a : tensor<8x4xf32>
//!   %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : ...
//!   return %1 : tensor<8x6xf32>
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
//!                 %b: tensor<4x6xf32>)
//!     -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
//!   %0 = stablehlo.tanh %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
//!   %1 = stablehlo.dot_general %0, %b, ... {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
//!   return %1 : tensor<8x6xf32>
//! }
//! ```

use super::shardy_legalize_to_stablehlo;
use crate::sharding::SHARDING;
use crate::sharding::analysis::{Analysis, annotation};
use crate::sharding::grid::Layout;
use crate::transforms::shapes::stablehlo_refine_shapes::entry_function;
use halo_ir::{dictionary_attribute, prelude::*};

pass_options! {
    /// The options of the pass.
    struct Options {
        /// The number of processes of each replica
        partitions: i64 = 1,
        /// The entry; by default `main`, or the only public function
        entry: String = "",
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-propagate-shardings",
    "Write down how every value is divided among partitions",
    run,
)
.on::<builtin::ModuleOp>()
.dependent_dialects(&["stablehlo"])
.options::<Options>();

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let module = pass.operation();
    let options = pass.options::<Options>();
    let Ok(partitions @ 1..) = usize::try_from(options.partitions) else {
        return Err(PassFailure::at(
            module,
            "a program has one partition or more",
        ));
    };
    shardy_legalize_to_stablehlo::legalize(module)?;
    let Some(main) = entry_function(module, &options.entry)? else {
        return Ok(());
    };
    annotate(module, main, partitions).map_err(|message| PassFailure::at(main, &message))
}

fn annotate(module: Operation, main: Operation, partitions: usize) -> Result<(), String> {
    let analysis = Analysis::of(module, main, partitions)?;
    let text = |layout: &Layout| format!("<{}>", analysis.grid.text(layout));
    let mut ops = Vec::new();
    main.visit(&mut |op| ops.push(op));
    for op in ops {
        let is_own = annotation(op).is_some() || op.isa::<func::FuncOp>();
        if is_own || op.has_attribute(SHARDING) {
            continue;
        }
        let results = op.results();
        let layouts = results.iter().map(|result| analysis.layouts.of(*result));
        let layouts: Option<Vec<&Layout>> = layouts.collect();
        let Some(layouts) = layouts.filter(|all| all.iter().any(|own| !own.is_whole())) else {
            continue;
        };
        let all: Vec<String> = layouts.into_iter().map(text).collect();
        let all = format!("#sdy.sharding_per_value<[{}]>", all.join(", "));
        op.set_attribute(SHARDING, parsed(op, &all)?);
    }
    // Results without a given sharding.
    let decided = analysis.boundaries.results.iter().map(|tiling| {
        let layout = analysis.grid.layout(tiling.as_ref()?)?;
        Some(format!("#sdy.sharding{}", text(&layout)))
    });
    let decided: Vec<Option<String>> = decided.collect();
    if decided.iter().all(Option::is_none) {
        return Ok(());
    }
    let context = main.context();
    let own = main.attribute("res_attrs").map(Attribute::array_elements);
    let mut own = own.unwrap_or_default();
    own.resize(decided.len(), dictionary_attribute(context, &[]));
    for (own, decided) in own.iter_mut().zip(decided) {
        let mut entries = own.dictionary_entries();
        let is_given = entries.iter().any(|(name, _)| [SHARDING, "mhlo.sharding"].contains(name));
        if let Some(decided) = decided.filter(|_| !is_given) {
            entries.push((SHARDING, parsed(main, &decided)?));
            *own = dictionary_attribute(context, &entries);
        }
    }
    main.set_attribute("res_attrs", array_attribute(context, &own));
    Ok(())
}

fn parsed<'c>(op: Operation<'c>, text: &str) -> Result<Attribute<'c>, String> {
    let context = op.context();
    let allowed = context.allow_unregistered_dialects();
    context.set_allow_unregistered_dialects(true);
    let attribute = Attribute::parse(context, text);
    context.set_allow_unregistered_dialects(allowed);
    attribute.ok_or_else(|| format!("'{text}' cannot be written"))
}
