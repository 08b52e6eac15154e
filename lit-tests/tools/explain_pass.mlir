// RUN: halo-opt --explain-pass=halo-buffer-assignment | FileCheck %s
// RUN: halo-opt --explain-pass=hlo-test-infer | FileCheck %s --check-prefix=TOOL
// RUN: halo-opt --explain-pass=--cse | FileCheck %s --check-prefix=UPSTREAM
// RUN: halo-opt --explain-pass=canonicalize | FileCheck %s --check-prefix=DEFAULTS
// RUN: halo-opt --explain-pass=halo-cpu-pipeline | FileCheck %s --check-prefix=PIPELINE
// RUN: halo-opt --explain-pass=llvm-use-default-visibility | FileCheck %s --check-prefix=VISIBILITY
// RUN: not halo-opt --explain-pass=canonicalise 2>&1 | FileCheck %s --check-prefix=MISSPELT
// RUN: not halo-opt --explain-pass=buffer-asignment 2>&1 | FileCheck %s --check-prefix=PREFIX
// RUN: not halo-opt --explain-pass=nothing-like-this 2>&1 | FileCheck %s --check-prefix=NONE

// What the declaration has, then the documentation of the file.
// CHECK: --halo-buffer-assignment
// CHECK-NEXT: {{^}}    Pack the buffers of an entry function into one arena
// CHECK: Kind:
// CHECK-NEXT: {{^}}    pass of Halo, codegen/bufferize
// CHECK: Runs on:
// CHECK-NEXT: {{^}}    func.func
// CHECK: Options:
// CHECK-NEXT: {{^}}    all-functions=<bool>  (default false)  Also give
// CHECK: Description:
// CHECK: ```mlir
// CHECK: func.func

// A pass that the tool adds is one of Halo, with its documentation.
// TOOL: pass of Halo, tools/halo-opt-passes
// TOOL: Description:
// TOOL: ```mlir

// UPSTREAM: --cse
// UPSTREAM: pass of upstream

// DEFAULTS: max-iterations=<long>  (default 10)
// DEFAULTS: region-simplify=<value>  (default normal)
// DEFAULTS-NEXT: disabled  Don't run any

// PIPELINE: pipeline of Halo
// PIPELINE: Passes:
// PIPELINE-NEXT: builtin.module({{.*}}inline{{.*}}stablehlo-legalize-to-linalg

// VISIBILITY: visibility=<value>
// VISIBILITY-NEXT: hidden

// MISSPELT: halo-opt: error: there is no pass or pipeline 'canonicalise'; did you mean 'canonicalize' or 'halo-canonicalize'?
// PREFIX: halo-opt: error: there is no pass or pipeline 'buffer-asignment'; did you mean 'halo-buffer-assignment'?
// NONE: halo-opt: error: there is no pass or pipeline 'nothing-like-this' (see --list-passes)
