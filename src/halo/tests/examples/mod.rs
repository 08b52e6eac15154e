//! The programs of `halo::examples`, by task. Each is run.

mod attributes;
mod build;
mod conversions;
mod diagnostics;
mod dialects;
mod edit;
mod passes;
mod patterns;
mod pipelines;
mod read;
mod shorthands;
mod stablehlo;
mod structure;
mod translations;
mod types;
mod untrusted;

type Program = fn() -> Result<(), Box<dyn std::error::Error>>;

const PROGRAMS: [(&str, Program); 16] = [
    ("attributes", attributes::main),
    ("build", build::main),
    ("conversions", conversions::main),
    ("diagnostics", diagnostics::main),
    ("dialects", dialects::main),
    ("edit", edit::main),
    ("passes", passes::main),
    ("patterns", patterns::main),
    ("pipelines", pipelines::main),
    ("read", read::main),
    ("shorthands", shorthands::main),
    ("stablehlo", stablehlo::main),
    ("structure", structure::main),
    ("translations", translations::main),
    ("types", types::main),
    ("untrusted", untrusted::main),
];

pub fn run() {
    for (name, program) in PROGRAMS {
        if let Err(error) = program() {
            panic!("example '{name}': {error}");
        }
    }
}
