// RUN: halo-run %s --load-plugin=%shlibdir/liblowerings%shlibext --input=2147483647 --input=1 --expect=2147483647
// RUN: halo-run %s --load-plugin %shlibdir/liblowerings%shlibext --backend=interpreter --input=-2147483648 --input=-1 --expect=-2147483648
// RUN: halo-opt %s --load-plugin=%shlibdir/liblowerings%shlibext --vendor-legalize-to-linalg | FileCheck %s
// RUN: halo-compile %s --load-plugin=%shlibdir/liblowerings%shlibext --backend=cpu --emit=linalg | FileCheck %s
// RUN: halo-opt %s --load-plugin=%shlibdir/liblowerings%shlibext --emit-bytecode -o %t.mlirbc
// RUN: halo-opt --load-plugin=%shlibdir/liblowerings%shlibext %t.mlirbc | FileCheck %s --check-prefix=SAME
// RUN: not halo-translate %s --load-plugin=%shlibdir/liblowerings%shlibext --stablehlo-to-hlo-text 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: halo-opt --load-plugin=%shlibdir/liblowerings%shlibext --explain-pass=vendor-dot | FileCheck %s --check-prefix=EXPLAIN

// EXPLAIN: pass of a plug-in
// EXPLAIN: `--vendor-dot`: products of f32 matrices

// CHECK-LABEL: func.func @main
// CHECK: arith.trunci
// SAME: vendor.saturating_add
// TEXT: 'vendor.saturating_add' op has no equivalent in HLO text
func.func @main(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = vendor.saturating_add %x, %y : tensor<4xi32>
  return %0 : tensor<4xi32>
}
