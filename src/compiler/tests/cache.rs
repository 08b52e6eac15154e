//! The cache of compiled code, by the API and on all backends that have it.

use halo_backend::{
    CompilationCache, CompileOptions, Program, Registry, compilation_cache::DEFAULT_LIMIT,
};
use halo_compiler::backends;
use halo_core::Literal;
use std::{
    fs,
    path::Path,
    sync::Arc,
    time::{Duration, SystemTime},
};

const PROGRAM: &str = "\
func.func @main(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %y = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %z = stablehlo.exponential %y : tensor<3x3xf32>
  return %z : tensor<3x3xf32>
}
";

fn program(code: &str) -> Program {
    Program {
        name: "a.mlir".to_owned(),
        code: code.as_bytes().to_vec(),
    }
}

fn registry() -> Registry {
    let mut registry = Registry::new();
    backends::register(&mut registry);
    registry
}

/// Sets the age of all entries to a day, and returns the number of entries used since the last
/// call.
fn used_since(path: &Path) -> usize {
    let yesterday = SystemTime::now() - Duration::from_secs(86_400);
    let files = fs::read_dir(path).unwrap().map(|file| {
        let file = fs::File::open(file.unwrap().path()).unwrap();
        let used = file.metadata().unwrap().modified().unwrap();
        file.set_modified(yesterday).unwrap();
        used
    });
    let recent = |used: &SystemTime| *used > yesterday + Duration::from_secs(3_600);
    files.collect::<Vec<_>>().iter().filter(|used| recent(used)).count()
}

fn options(path: &Path) -> CompileOptions {
    CompileOptions {
        cache: Some(Arc::new(CompilationCache::new(path, DEFAULT_LIMIT))),
        architecture: Some("sm_90".to_owned()),
        ..CompileOptions::default()
    }
}

#[test]
fn executables_are_loaded_on_every_backend_that_keeps_them() {
    let registry = registry();
    let elements: Vec<f32> = (0..9u8).map(|number| f32::from(number) / 64.0).collect();
    let input = Literal::from_slice(&[3, 3], &elements).unwrap();
    for name in ["cpu", "cuda-emulator"] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("cache");
        let compiler = &registry.backend(name).unwrap().compiler;
        let options = CompileOptions {
            architecture: None,
            ..options(&path)
        };
        let results = |code: &str| {
            let executable = compiler.compile(&program(code), &options).unwrap();
            executable.run(std::slice::from_ref(&input)).unwrap()
        };
        let first = results(PROGRAM);
        // Entries for the program and for its code; on the CPU, also for two kernels, their objects
        // and the object of the code that calls them.
        let (made, used) = if name == "cpu" { (7, 5) } else { (2, 2) };
        assert_eq!(used_since(&path), made, "{name}");
        assert_eq!(results(PROGRAM), first);
        assert_eq!(used_since(&path), used, "{name}");
        assert_eq!(fs::read_dir(&path).unwrap().count(), made);
        // The name of a value differs, the code is the same.
        assert_eq!(results(&PROGRAM.replace("%x", "%other")), first);
        assert_eq!(used_since(&path), used, "{name}");
        assert_eq!(fs::read_dir(&path).unwrap().count(), made + 1);
    }
}

/// The code of a shape is not stored at its first occurrence, but at its second.
#[test]
fn quick_code_is_not_kept() {
    let registry = registry();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("cache");
    let compiler = &registry.backend("cpu").unwrap().compiler;
    let options = CompileOptions {
        architecture: None,
        ..options(&path)
    };
    let dynamic = PROGRAM
        .replace(
            "(%x: tensor<3x3xf32>) -> tensor<3x3xf32>",
            "(%x: tensor<?x?xf32>) -> tensor<?x?xf32>",
        )
        .replace("3x3", "?x?");
    let executable = |code: &str| compiler.compile(&program(code), &options).unwrap();
    let input =
        |size: usize| Literal::from_slice(&[size, size], &vec![0.5_f32; size * size]).unwrap();
    let first = executable(&dynamic);
    let result = first.run(&[input(3)]).unwrap();
    let files = || fs::read_dir(&path).unwrap().count();
    // The record that the shape occurred.
    assert_eq!(files(), 1);
    // Optimized code replaces it, and is stored.
    assert!(first.finish_compilation());
    assert_eq!(first.run(&[input(3)]).unwrap(), result);
    assert_eq!(files(), 1 + 7);
    // It is found at the first occurrence, also for an equal program.
    for code in [&dynamic, &dynamic.replace("%x", "%other")] {
        let other = executable(code);
        assert_eq!(other.run(&[input(3)]).unwrap(), result);
        assert!(!other.finish_compilation());
    }
    // If another process has recorded a shape, it is optimized and stored immediately.
    let before = files();
    first.run(&[input(2)]).unwrap();
    assert_eq!(files(), before + 1);
    let other = executable(&dynamic);
    other.run(&[input(2)]).unwrap();
    // The kernel of the exponential does not depend on the size: it is already cached.
    assert_eq!(files(), before + 1 + 5);
    assert!(!other.finish_compilation());
}

#[test]
fn plans_are_kept_with_the_generation_that_they_are_for() {
    let registry = registry();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("cache");
    let compiler = &registry.backend("cuda").unwrap().compiler;
    let options = options(&path);
    let plan = |options: &CompileOptions| compiler.plan(&program(PROGRAM), options).unwrap();
    let bytes = plan(&options).to_bytes().unwrap();
    assert_eq!(used_since(&path), 2);
    assert_eq!(plan(&options).to_bytes().unwrap(), bytes);
    assert_eq!(used_since(&path), 2);
    let older = CompileOptions {
        architecture: Some("sm_80".to_owned()),
        ..options
    };
    assert_ne!(plan(&older).to_bytes().unwrap(), bytes);
    assert_eq!(used_since(&path), 2);
    assert_eq!(fs::read_dir(&path).unwrap().count(), 4);
}

#[test]
fn a_fault_of_the_program_is_told_as_without_a_cache() {
    let registry = registry();
    let directory = tempfile::tempdir().unwrap();
    let options = options(&directory.path().join("cache"));
    let compiler = &registry.backend("cpu").unwrap().compiler;
    let code = "func.func @main() -> tensor<f32> {\n  %0 = stablehlo.custom_call @missing() : () \
                -> tensor<f32>\n  return %0 : tensor<f32>\n}\n";
    let message = || {
        let compiled = compiler.compile(&program(code), &options);
        compiled.err().unwrap().to_string()
    };
    let first = message();
    assert!(first.contains("a.mlir:2:8"), "{first}");
    // The code is cached, but its callee is still missing.
    assert_eq!(message(), first);
}
