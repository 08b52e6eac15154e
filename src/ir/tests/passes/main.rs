//! Each mistake of a pass is one clear message that names the pass.

mod analyses;
mod diagnostics;
mod fuel;
mod patterns;
mod structure;
mod template;

use halo_core::{Diagnostic, Position};
use halo_ir::{
    apply_greedily,
    diagnostics::{parse_module, with_diagnostics},
    driver::Tool,
    opt::opt_main,
    pass::{AlreadyRegistered, PipelineError, register_pass, register_pipeline, run_pipeline},
    pipeline,
    pipeline::{Pipeline, ScheduledPass, nest, pass as scheduled, upstream},
    prelude::*,
    rewrite::Pattern,
    semantics::{SemanticsHooks, install_hooks},
    upstream,
};
use melior::{
    Context, dialect::DialectRegistry, ir::Module, pass::PassManager, utility::parse_pass_pipeline,
};
use std::{
    ffi::OsString,
    process::Command,
    sync::{
        Once,
        atomic::{AtomicUsize, Ordering},
    },
};

const PROGRAM: &str = "func.func @f() -> i32 {\n  %0 = arith.constant 7 : i32\n  \
                       return %0 : i32\n}\n";

const fn pass(
    argument: &'static str,
    dependent_dialects: &'static [&'static str],
    run: fn(&mut PassInvocation) -> Result<(), PassFailure>,
) -> PassDeclaration {
    PassDeclaration::new(argument, "A pass of this test", run)
        .on::<builtin::ModuleOp>()
        .dependent_dialects(dependent_dialects)
}

fn constants<'c>(pass: &'c PassInvocation) -> Vec<Operation<'c>> {
    pass.operation().collect_nested(|op| op.name() == "arith.constant")
}

static SILENT: PassDeclaration = pass("test-silent", &[], |_| Err(PassFailure));
static PANICS: PassDeclaration = pass("test-panics", &[], |_| panic!("no such luck"));
static UNKNOWN: PassDeclaration = pass("test-unknown", &["nowhere"], |_| Ok(()));
static INVALID: PassDeclaration = pass("test-invalid", &[], |pass| {
    for constant in constants(pass) {
        for result in constant.results() {
            result.set_type(Type::index(constant.context()));
        }
    }
    Ok(())
});
static ENDLESS: PassDeclaration = pass("test-endless", &["arith"], |pass| {
    /// Makes a constant of a constant.
    fn again<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
        let value = op.attribute("value").ok_or(halo_ir::RewriteError::NoMatch)?;
        let types = op.result_types();
        let same = b.op("arith.constant").attribute("value", value);
        b.replace(op, &[same.results(&types).value()]);
        Ok(())
    }
    apply_greedily(pass, &[Pattern::named("arith.constant", again)])
});
static PATTERN_PANICS: PassDeclaration = pass("test-pattern-panics", &[], |pass| {
    fn give_up<'c>(_: &Builder<'c>, _: Operation<'c>) -> RewriteResult {
        panic!("no such pattern")
    }
    apply_greedily(pass, &[Pattern::named("arith.constant", give_up)])
});

pass_options! {
    struct Options {
        /// A flag of this test
        flag: bool = false,
        /// A number of this test
        number: i64 = 0,
        /// A text of this test
        text: String = "",
        /// A size of this test
        #[range(1..=64)]
        size: u32 = 4,
        /// A ratio of this test
        ratio: f64 = 0.5,
        /// A mode of this test
        mode: Mode = "fast",
        /// Numbers of this test
        numbers: Vec<i64> = "1,2",
    }

    /// A mode.
    enum Mode { Fast = "fast", Small = "small" }
}

/// Fails with the values of its options.
static OPTIONS: PassDeclaration =
    PassDeclaration::new("test-options", "A pass of this test", |pass| {
        let Options {
            flag,
            number,
            text,
            size,
            ratio,
            mode,
            numbers,
        } = pass.options();
        let message = format!("{flag} {number} '{text}' {size} {ratio} {mode:?} {numbers:?}");
        Err(pass.error(pass.operation(), message).into())
    })
    .on::<func::FuncOp>()
    .options::<Options>();

/// Uses undeclared options.
static UNDECLARED: PassDeclaration = pass("test-undeclared", &[], |pass| {
    pass.options::<Options>();
    Ok(())
});

/// Reads all functions of the module from each, and fails if another thread does the same
/// concurrently.
static NEIGHBOURS: PassDeclaration = pass("test-neighbours", &[], |pass| {
    static RUNNING: AtomicUsize = AtomicUsize::new(0);
    let others = RUNNING.fetch_add(1, Ordering::SeqCst);
    let module = pass.operation().parent().ok_or(PassFailure)?;
    for _ in 0..20 {
        let _ = module.to_string();
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    RUNNING.fetch_sub(1, Ordering::SeqCst);
    match others {
        0 => Ok(()),
        _ => Err(PassFailure::internal(pass.operation(), "two threads")),
    }
})
.on::<func::FuncOp>();

fn context() -> Context {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        upstream::register_passes();
        for declaration in [
            &SILENT,
            &PANICS,
            &UNKNOWN,
            &INVALID,
            &ENDLESS,
            &PATTERN_PANICS,
            &OPTIONS,
            &UNDECLARED,
            &NEIGHBOURS,
        ]
        .into_iter()
        .chain(analyses::PASSES.iter().copied())
        .chain(diagnostics::PASSES.iter().copied())
        .chain(fuel::PASSES.iter().copied())
        .chain(patterns::PASSES.iter().copied())
        .chain(structure::PASSES.iter().copied())
        .chain(template::PASSES.iter().copied())
        {
            register_pass(declaration).unwrap();
        }
    });
    let registry = DialectRegistry::new();
    upstream::register_dialects(&registry);
    Context::new_with_registry(&registry, false)
}

/// The outcome of a pipeline on the program, and its messages.
fn outcome(pipeline: &str) -> (Result<(), PipelineError>, Vec<String>) {
    let context = context();
    let mut module: Module = parse_module(&context, PROGRAM.as_bytes(), "p.mlir").unwrap();
    let (result, errors) = with_diagnostics(&context, || run_pipeline(&mut module, pipeline));
    (result, errors.iter().map(ToString::to_string).collect())
}

fn failed(pass: &str) -> Result<(), PipelineError> {
    Err(PipelineError::PassFailed(pass.to_owned()))
}

#[test]
fn failures_are_told_and_named() {
    for (pass, message) in [
        (
            "test-silent",
            "p.mlir: error: pass 'test-silent' failed and did not say why",
        ),
        (
            "test-panics",
            "p.mlir: error: internal error in pass 'test-panics': no such luck",
        ),
        (
            "test-pattern-panics",
            "p.mlir:2:8: error: internal error in pass 'test-pattern-panics', in the pattern for 'arith.constant': no such pattern",
        ),
    ] {
        let expected = (failed(pass), vec![message.to_owned()]);
        assert_eq!(outcome(&format!("canonicalize,{pass},cse")), expected);
    }
}

#[test]
fn invalid_ir_names_the_pass_that_left_it() {
    let (result, errors) = outcome("cse,test-invalid,canonicalize");
    let named = if cfg!(debug_assertions) {
        "test-invalid"
    } else {
        "cse,test-invalid,canonicalize"
    };
    assert_eq!(result, Err(PipelineError::Invalid(named.into())));
    let [error] = &errors[..] else {
        panic!("{errors:?}");
    };
    assert!(
        error.starts_with("p.mlir:2:8: error: 'arith.constant' op failed to verify"),
        "{error}"
    );
}

#[test]
fn a_dialect_that_nobody_knows_is_named() {
    let (result, errors) = outcome("test-unknown");
    assert!(result.is_err());
    let message =
        "error: pass 'test-unknown' depends on dialect 'nowhere', which is not registered";
    assert_eq!(errors, [message]);
}

#[test]
fn rewriting_without_end_is_an_error() {
    let (result, errors) = outcome("test-endless");
    assert_eq!(result, failed("test-endless"));
    let [error] = &errors[..] else {
        panic!("{errors:?}");
    };
    assert!(
        error.starts_with("p.mlir:2:8: error: rewriting does not end: 'arith.constant' still"),
        "{error}"
    );
}

#[test]
fn a_text_that_is_no_pipeline_is_an_error() {
    let (result, _) = outcome("no-such-pass");
    let Err(PipelineError::NotParsed(reason)) = result else {
        panic!("{result:?}");
    };
    assert!(reason.contains("'no-such-pass'"), "{reason}");
}

#[test]
fn a_name_is_registered_once() {
    let _ = context();
    let taken = |argument| Err(AlreadyRegistered { argument });
    assert_eq!(register_pass(&SILENT), taken("test-silent"));
    static CANONICALIZE: PassDeclaration = pass("canonicalize", &[], |_| Ok(()));
    assert_eq!(register_pass(&CANONICALIZE), taken("canonicalize"));
    let cse = pipeline![upstream("cse")];
    assert_eq!(register_pipeline("cse", "", &cse), taken("cse"));
    assert_eq!(register_pipeline("test-both", "", &cse), Ok(()));
    assert_eq!(register_pipeline("test-both", "", &cse), taken("test-both"));
}

#[test]
fn options_reach_the_pass_as_they_were_given() {
    let on_functions = |pass: ScheduledPass| pipeline![nest::<func::FuncOp>(pipeline![pass])];
    let rest = "4 0.5 Fast [1, 2]";
    for (pass, expected) in [
        (scheduled(&OPTIONS), format!("false 0 '' {rest}")),
        (
            scheduled(&OPTIONS).option("flag", true).option("number", -7),
            format!("true -7 '' {rest}"),
        ),
        (
            scheduled(&OPTIONS).option("text", "two words"),
            format!("false 0 'two words' {rest}"),
        ),
        (
            scheduled(&OPTIONS).option("text", "a={b, c},d"),
            format!("false 0 'a={{b, c}},d' {rest}"),
        ),
        (
            scheduled(&OPTIONS).option("text", ""),
            format!("false 0 '' {rest}"),
        ),
        (
            scheduled(&OPTIONS).option("text", ["a", "b"]).option("number", i64::MAX),
            format!("false 9223372036854775807 'a,b' {rest}"),
        ),
        (
            scheduled(&OPTIONS).option("size", 64).option("ratio", 1.25),
            "false 0 '' 64 1.25 Fast [1, 2]".to_owned(),
        ),
        (
            scheduled(&OPTIONS).option("mode", Mode::Small).option("numbers", ["3", "-4"]),
            "false 0 '' 4 0.5 Small [3, -4]".to_owned(),
        ),
        (
            scheduled(&OPTIONS).option("numbers", ""),
            "false 0 '' 4 0.5 Fast []".to_owned(),
        ),
    ] {
        let context = context();
        let mut module = parse_module(&context, PROGRAM.as_bytes(), "p.mlir").unwrap();
        let pipeline = on_functions(pass);
        let (result, errors) = with_diagnostics(&context, || pipeline.run(&mut module));
        assert_eq!(result, failed("test-options"), "{pipeline}");
        let expected = Diagnostic::new(Position::new("p.mlir", 1, 1), expected);
        assert_eq!(errors, [expected]);
    }
}

/// In text, the name alone sets a flag, as in MLIR.
#[test]
fn options_in_text() {
    let (result, errors) = outcome("func.func(test-options{flag numbers={7,8} number=0x10})");
    assert_eq!(result, failed("test-options"));
    assert_eq!(errors, ["p.mlir:1:1: error: true 16 '' 4 0.5 Fast [7, 8]"]);
    for (text, expected) in [
        (
            "flag=yes",
            "option 'flag' of pass 'test-options' is a bool, not 'yes'",
        ),
        (
            "number=seven",
            "option 'number' of pass 'test-options' is an integer, not 'seven'",
        ),
        (
            "number",
            "option 'number' of pass 'test-options' is an integer, not ''",
        ),
        (
            "size=65",
            "option 'size' of pass 'test-options' is an integer from 1 to 64, not '65'",
        ),
        (
            "ratio=half",
            "option 'ratio' of pass 'test-options' is a number, not 'half'",
        ),
        (
            "mode=slow",
            "option 'mode' of pass 'test-options' is 'fast' or 'small', not 'slow'",
        ),
        (
            "numbers=1,x",
            "option 'numbers' of pass 'test-options' is a list, each element of it an integer, \
             not '1,x'",
        ),
        ("flags=true", "pass 'test-options' has no option 'flags'"),
    ] {
        let (result, errors) = outcome(&format!("func.func(test-options{{{text}}})"));
        let Err(PipelineError::NotParsed(reason)) = result else {
            panic!("{text}: {result:?}");
        };
        assert_eq!(reason.trim_end(), expected);
        assert!(errors.is_empty(), "{errors:?}");
    }
}

#[test]
fn options_that_are_not_declared() {
    let (result, errors) = outcome("test-undeclared");
    assert_eq!(result, failed("test-undeclared"));
    let [error] = &errors[..] else {
        panic!("{errors:?}");
    };
    assert!(
        error.contains(
            "internal error in pass 'test-undeclared': pass 'test-undeclared' does not declare '"
        ),
        "{error}"
    );
}

#[test]
fn pipelines_are_checked_before_they_run() {
    let on_functions = |pass: ScheduledPass| pipeline![nest::<func::FuncOp>(pipeline![pass])];
    let pass = || scheduled(&OPTIONS);
    let context = context();
    let check = |pipeline: Pipeline, expected: &str| {
        let mut module = parse_module(&context, PROGRAM.as_bytes(), "p.mlir").unwrap();
        let expected = Err(PipelineError::NotParsed(expected.to_owned()));
        assert_eq!(pipeline.check(), expected);
        assert_eq!(pipeline.run(&mut module), expected);
    };
    check(
        on_functions(pass().option("flags", true)),
        "pass 'test-options' has no option 'flags'",
    );
    check(
        on_functions(pass().option("flag", 1)),
        "option 'flag' of pass 'test-options' is a bool, not '1'",
    );
    check(
        on_functions(pass().option("number", "seven")),
        "option 'number' of pass 'test-options' is an integer, not 'seven'",
    );
    check(
        on_functions(pass().option("text", 7)),
        "option 'text' of pass 'test-options' is a string, not '7'",
    );
    for text in ["a}", "{", "'a b'", "\"", " a"] {
        check(
            on_functions(pass().option("text", text)),
            "option 'text' of pass 'test-options' has a value with quotes, unpaired braces, or \
             spaces at its ends",
        );
    }
    check(
        pipeline![upstream("cse"), &OPTIONS],
        "pass 'test-options' runs on 'func.func', not on 'builtin.module'",
    );
    check(
        on_functions(scheduled(&SILENT)),
        "pass 'test-silent' runs on 'builtin.module', not on 'func.func'",
    );
    // MLIR checks the options of upstream's passes.
    let unknown = pipeline![upstream("canonicalize").option("no-such-option", 1)];
    assert_eq!(unknown.check(), Ok(()));
    let mut module = parse_module(&context, PROGRAM.as_bytes(), "p.mlir").unwrap();
    let result = unknown.run(&mut module);
    assert!(
        matches!(&result, Err(PipelineError::NotParsed(reason)) if reason.contains("no-such-option")),
        "{result:?}"
    );
}

/// A multithreaded context, and a module of eight functions in it.
fn threads<T>(function: impl FnOnce(&Context, &mut Module) -> T) -> T {
    let context = context();
    context.enable_multi_threading(true);
    let functions = (0..8).map(|number| format!("func.func @f{number}() {{\n  return\n}}\n"));
    let text: String = functions.collect();
    let mut module = parse_module(&context, text.as_bytes(), "p.mlir").unwrap();
    function(&context, &mut module)
}

#[test]
fn passes_run_in_one_thread() {
    threads(|context, module| {
        let pipeline = "func.func(canonicalize,test-neighbours,cse)";
        let (result, errors) = with_diagnostics(context, || run_pipeline(module, pipeline));
        assert_eq!((result, errors), (Ok(()), Vec::new()));
    });
}

/// A pass manager of another library leaves the threads of a context enabled.
#[test]
fn a_pass_fails_where_threads_are_enabled() {
    threads(|context, module| {
        let passes = PassManager::new(context);
        let pipeline = "builtin.module(func.func(test-neighbours))";
        parse_pass_pipeline(passes.as_operation_pass_manager(), pipeline).unwrap();
        let (result, errors) = with_diagnostics(context, || passes.run(module));
        assert!(result.is_err());
        assert!(!errors.is_empty());
        for error in errors {
            assert_eq!(error.position.unwrap().file, "p.mlir");
            assert_eq!(
                error.message,
                "pass 'test-neighbours' runs in one thread, but the context has several enabled"
            );
        }
    });
}

/// The driver of `halo-opt` in this process, which [`halo_opt`] starts.
#[test]
fn drive() {
    let Some(file) = std::env::var_os("HALO_PASSES_FILE") else {
        return;
    };
    let _ = context();
    install_hooks(SemanticsHooks {
        fold: |_, _| panic!("a bug in the folder"),
        ..SemanticsHooks::default()
    })
    .unwrap();
    let tool = Tool {
        title: "The driver under test",
        options: &[],
    };
    let passes = std::env::var("HALO_PASSES_PIPELINE").unwrap();
    let passes = format!("--pass-pipeline=builtin.module({passes})");
    let more = std::env::var("HALO_PASSES_ARGUMENTS").unwrap_or_default();
    let arguments = ["halo-opt".into(), passes.into(), file]
        .into_iter()
        .chain(more.split_whitespace().map(OsString::from));
    std::process::exit(opt_main(arguments, tool, |_, _| Ok(None), &|_| 1));
}

/// The exit code of `halo-opt`, and its output.
fn halo_opt_on(
    name: &str,
    program: &str,
    pipeline: &str,
    arguments: &[&str],
    variables: &[(&str, &str)],
) -> (Option<i32>, String) {
    let file = format!("halo-passes-{name}-{}.mlir", std::process::id());
    let file = std::env::temp_dir().join(file);
    std::fs::write(&file, program).unwrap();
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "drive", "--nocapture"])
        .env("HALO_PASSES_FILE", &file)
        .env("HALO_PASSES_PIPELINE", pipeline)
        .env("HALO_PASSES_ARGUMENTS", arguments.join(" "))
        .env_remove("HALO_EXPLAIN_REWRITES")
        .env("HALO_REPRODUCER_DIR", "")
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    std::fs::remove_file(&file).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), errors)
}

/// The output of `halo-opt`, which fails.
fn halo_opt(name: &str, program: &str, pipeline: &str) -> String {
    let (code, errors) = halo_opt_on(name, program, pipeline, &[], &[]);
    assert_eq!(code, Some(1), "{errors}");
    errors
}

#[test]
fn halo_opt_names_the_pass() {
    let errors = halo_opt("invalid", PROGRAM, "cse,test-invalid,canonicalize");
    assert!(
        errors.contains("error: 'arith.constant' op failed to verify"),
        "{errors}"
    );
    let named = "error: pass 'test-invalid' left invalid IR\n";
    assert_eq!(errors.matches(named).count(), 1, "{errors}");
}

#[test]
fn halo_opt_fails_where_a_folder_panics() {
    let program = "func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {\n  \
                   %0 = stablehlo.abs %a : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}\n";
    let errors = halo_opt("panic", program, "canonicalize");
    let told = ".mlir:2:8: error: internal error: the folder of 'stablehlo.abs' op panicked: \
                a bug in the folder\n";
    assert_eq!(errors.matches(told).count(), 1, "{errors}");
}
