//! Command lines of the tools: real flags with valid and broken values.

use crate::pick::Pick;
use halo_compiler::registry::PASSES;
use halo_frontend::translations::TRANSLATIONS;

/// Passes of MLIR that run on any program.
const UPSTREAM_PASSES: &[&str] = &[
    "canonicalize",
    "cse",
    "inline",
    "symbol-dce",
    "loop-invariant-code-motion",
    "sccp",
    "strip-debuginfo",
    "mem2reg",
];

/// Phases of the backends, and invalid ones.
const PHASES: &[&str] = &[
    "input",
    "hlo",
    "linalg",
    "fusion",
    "bufferized",
    "kernels",
    "llvm",
    "llvm-ir",
    "asm",
    "nvvm",
    "ptx",
    "nothing",
];

/// Flags of `halo-run`; flags with `=` take a value.
const RUN: &[&str] = &[
    "--backend=",
    "--list-backends",
    "--entry=",
    "--input=",
    "--random-inputs",
    "--random-inputs=",
    "--output=",
    "--expect=",
    "--rtol=",
    "--atol=",
    "--bench=1",
    "--flops=",
    "--threads=",
    "--compile-to=",
    "--dump-dir=",
    "--timing",
    "--timing=json",
    "--no-constant-folding",
    "--no-tiered-compilation",
    "--target=",
    "--target-cpu=",
    "--target-features=",
    "--gpu-arch=",
    "--gpu-dot=",
    "--gpu-f32=",
    "--print-all",
    "--help",
    "--version",
    "--no-such-flag",
];

/// Flags of `halo-compile`.
const COMPILE: &[&str] = &[
    "--backend=",
    "--emit=",
    "--constants=",
    "--constants=external",
    "--constants-file=",
    "--output=",
    "-o",
    "--entry=",
    "--target=",
    "--target-cpu=",
    "--target-features=",
    "--gpu-arch=",
    "--gpu-dot=",
    "--gpu-f32=",
    "--dump-dir=",
    "--timing",
    "--timing=json",
    "--no-constant-folding",
    "--help",
    "--no-such-flag",
];

/// Flags of `halo-opt` other than passes.
const OPT: &[&str] = &[
    "--allow-unregistered-dialect",
    "--emit-bytecode",
    "--emit-bytecode-version=",
    "--split-input-file",
    "--verify-diagnostics",
    "--verify-each=",
    "--mlir-print-op-generic",
    "--mlir-print-debuginfo",
    "--mlir-print-ir-after-all",
    "--mlir-timing",
    "--mlir-elide-elementsattrs-if-larger=",
    "--pass-pipeline=",
    "--no-implicit-module",
    "--mlir-disable-threading",
    "--show-dialects",
    "--version",
    "-o=",
    "--no-such-flag",
];

/// Flags of `halo-translate` other than translations.
const TRANSLATE: &[&str] = &[
    "--target=",
    "--hlo-text-form=",
    "--hlo-text-elide-large-constants",
    "--hlo-text-omit-layouts",
    "--hlo-text-omit-metadata",
    "--hlo-import-all-computations=",
    "--hlo-flatten-computation-args-result=",
    "--split-input-file",
    "--verify-diagnostics",
    "-o=",
    "--no-such-flag",
];

/// Values, each valid for some flag.
const VALUES: &[&str] = &[
    "",
    "0",
    "1",
    "-1",
    "4",
    "1.5",
    "nan",
    "1e400",
    "4294967296",
    "18446744073709551616",
    "true",
    "false",
    "main",
    "no_such_name",
    "a\nb",
    "\u{e9}",
    "@",
    "@case.npy",
    "@out.npy",
    "@nowhere/x.npy",
    "-",
    "case.mlir",
    "out",
    "nowhere/out",
    ".",
    "cpu",
    "interpreter",
    "cuda",
    "cuda-emulator",
    "host",
    "plan",
    "listing",
    "input",
    "hlo",
    "linalg",
    "llvm-ir",
    "asm",
    "ptx",
    "sm_80",
    "sm_1",
    "sm_9999999999",
    "auto",
    "library",
    "x86-64-v3",
    "native",
    "+avx2,-fma",
    "+,-",
    "aarch64",
    "aarch64-unknown-linux-gnu",
    "riscv64",
    "nvptx64",
    "0.9.0",
    "1.0.0",
    "99.0.0",
    "short",
    "long",
    "dense<1.0> : tensor<2x3xf32>",
    "dense<[1, 2",
    "[1, 2]",
    "[[1], [2, 3]]",
    "tensor<",
    "dense<1> : tensor<99999999999xi8>",
    "builtin.module(canonicalize)",
    "builtin.module(",
    "builtin.module(func.func(cse),nothing)",
    "any(canonicalize{max-iterations=-1})",
];

/// A phase of a backend, or another word.
pub fn phase(pick: &mut Pick) -> &'static str {
    PHASES[pick.below(PHASES.len())]
}

/// The last phase that a backend can print.
pub fn last_phase(backend: &str) -> &'static str {
    match backend {
        "cpu" => "asm",
        "interpreter" => "hlo",
        _ => "kernels",
    }
}

/// A pass.
pub fn pass(pick: &mut Pick) -> String {
    let name = if pick.once_in(3) {
        pick.one(UPSTREAM_PASSES)
    } else {
        pick.one(&PASSES).argument
    };
    format!("--{name}")
}

/// A translation.
pub fn translation(pick: &mut Pick) -> String {
    format!("--{}", pick.one(TRANSLATIONS).name)
}

/// A tool, and arguments without a file.
pub fn command(pick: &mut Pick) -> (&'static str, Vec<String>) {
    let (tool, flags) = *pick.one(&[
        ("halo-run", RUN),
        ("halo-run", RUN),
        ("halo-compile", COMPILE),
        ("halo-opt", OPT),
        ("halo-translate", TRANSLATE),
    ]);
    let mut arguments = Vec::new();
    match tool {
        "halo-opt" => arguments.push(pass(pick)),
        "halo-translate" if !pick.once_in(8) => arguments.push(translation(pick)),
        _ => {}
    }
    for _ in 0..pick.below(4) {
        let flag = *pick.one(flags);
        arguments.push(if flag.ends_with('=') {
            format!("{flag}{}", pick.one(VALUES))
        } else {
            flag.to_owned()
        });
        // A value without a flag.
        if pick.once_in(16) {
            arguments.push((*pick.one(VALUES)).to_owned());
        }
    }
    (tool, arguments)
}
