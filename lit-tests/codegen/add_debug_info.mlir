// Scopes of functions, and a place for each op: the first of a location that is fused, that of
// the function that was called where it was inlined.
// RUN: halo-opt %s --halo-add-debug-info=directory=/home/me --mlir-print-debuginfo | FileCheck %s

// CHECK-LABEL: llvm.func @kernel
llvm.func @kernel(%x: !llvm.ptr) -> f32 {
  // CHECK: llvm.load {{.*}} loc(#[[$ADD:.*]])
  %0 = llvm.load %x : !llvm.ptr -> f32 loc(#fused)
  // CHECK: llvm.fadd {{.*}} loc(#[[$OTHER:.*]])
  %1 = llvm.fadd %0, %0 : f32 loc(#other)
  // CHECK: llvm.fmul {{.*}} loc(#[[$MULTIPLY:.*]])
  %2 = llvm.fmul %1, %0 : f32 loc(#inlined)
  // CHECK: llvm.fneg {{.*}} loc(#[[$UNKNOWN:.*]])
  %3 = llvm.fneg %2 : f32 loc(unknown)
  // LLVM's verifier wants a place here.
  // CHECK: llvm.call @outside() : () -> () loc(#[[$MULTIPLY]])
  llvm.call @outside() : () -> () loc(unknown)
  llvm.return %3 : f32 loc(unknown)
// CHECK: } loc(#[[$FUNCTION:.*]])
} loc(#multiply)

// One without a file gets no scope.
// CHECK-LABEL: llvm.func @nowhere
llvm.func @nowhere() {
  llvm.return loc(unknown)
// CHECK: } loc(#[[$NAME:.*]])
} loc("name"(unknown))

// So does one without code.
llvm.func @outside() loc("a.mlir":9:1)

#multiply = loc("a.mlir":2:8)
#add = loc("a.mlir":3:8)
#fused = loc(fused["%0"(unknown), "halo.op.1"(#add), #multiply])
#other = loc("/usr/b.mlir":7:3)
#inlined = loc(callsite(#multiply at #add))

// CHECK-DAG: #[[FILE:.*]] = #llvm.di_file<"a.mlir" in "/home/me">
// CHECK-DAG: #[[B:.*]] = #llvm.di_file<"/usr/b.mlir" in "/home/me">
// CHECK-DAG: #[[$ADD]] = loc("a.mlir":3:8)
// CHECK-DAG: #[[$MULTIPLY]] = loc("a.mlir":2:8)
// CHECK-DAG: #[[$UNKNOWN]] = loc(unknown)
// CHECK-DAG: #[[$NAME]] = loc("name")
// CHECK-DAG: #[[IN_B:.*]] = loc("/usr/b.mlir":7:3)
// CHECK-DAG: #[[UNIT:.*]] = #llvm.di_compile_unit<id = distinct[{{.*}}]<>, sourceLanguage = DW_LANG_C11, file = #[[FILE]], {{.*}}emissionKind = LineTablesOnly
// CHECK-DAG: #[[SUB:.*]] = #llvm.di_subprogram<{{.*}}compileUnit = #[[UNIT]], {{.*}}name = "kernel", {{.*}}line = 2,
// CHECK-DAG: #[[BLOCK:.*]] = #llvm.di_lexical_block_file<scope = #[[SUB]], file = #[[B]]
// CHECK-DAG: #[[$FUNCTION]] = loc(fused<#[[SUB]]>[#[[$MULTIPLY]]])
// CHECK-DAG: #[[$OTHER]] = loc(fused<#[[BLOCK]]>[#[[IN_B]]])
