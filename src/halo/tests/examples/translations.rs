use halo::{
    NamedPipeline, Plugin, PluginError, compiler,
    ir::{
        diagnostics::{parse_module, with_diagnostics},
        pipeline,
        pipeline::upstream,
        root_of,
        translate::{Invocation, TranslationDeclaration, TranslationFailure, to_llvm_ir},
    },
    prelude::*,
};

/// `--count-ops` of a translating tool: the number of ops of a program.
static COUNT: TranslationDeclaration = TranslationDeclaration {
    name: "count-ops",
    summary: "Print the number of ops",
    run: count,
};

fn count(input: &Invocation) -> Result<Vec<u8>, TranslationFailure> {
    let (module, errors) = with_diagnostics(input.context, || {
        parse_module(input.context, input.code, input.name)
    });
    let module = module.ok_or(TranslationFailure(errors))?;
    let ops = root_of(&module).collect_nested(|_| true);
    // The options of `halo-translate`.
    if input.flag("inline-fusions") && input.option("target").is_empty() {
        Ok(Vec::new())
    } else {
        Ok(format!("{}\n", ops.len()).into_bytes())
    }
}

const PROGRAM: &[u8] = b"llvm.func @answer() -> i32 {
  %0 = llvm.mlir.constant(42 : i32) : i32
  llvm.return %0 : i32
}";

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    // `halo::translate::main("my-translate", plugin)` supports it.
    let plugin = Plugin::new("example", "1.0.0").translation(&COUNT).pipeline(
        "example-cse",
        "Merge equal ops",
        pipeline![upstream("cse")],
    );
    let named: &NamedPipeline = &plugin.pipelines[0];
    assert_eq!(named.argument, "example-cse");
    plugin.install()?;
    // Passes and pipelines are registered for the whole process.
    let twice = plugin.install().err().ok_or("installed twice")?;
    assert!(
        matches!(twice, PluginError::AlreadyRegistered { .. }),
        "{twice}"
    );

    let context = compiler::context();
    let module = parse_module(&context, PROGRAM, "a.mlir").ok_or("no program")?;
    let text = to_llvm_ir(&module).ok_or("no LLVM IR")?;
    assert!(text.contains("ret i32 42"), "{text}");
    Ok(())
}
