// RUN: halo-translate --serialize --target=1.7.0 %s -o %t.mlirbc
// RUN: halo-translate --deserialize %t.mlirbc | FileCheck %s
// RUN: halo-opt %t.mlirbc | FileCheck %s
// RUN: halo-run %t.mlirbc --input='dense<[3.0, 1.0, 2.0]> : tensor<3xf32>' | FileCheck %s --check-prefix=VALUE
// RUN: halo-translate --serialize --target=0.18.0 %s -o %t.old.mlirbc
// RUN: halo-translate --deserialize %t.old.mlirbc | FileCheck %s --check-prefix=OLD

// VHLO lacks CHLO. What JAX hands over as composites of the same names is that;
// other ops are decomposed, as all are for versions that lack composites.

// CHECK: [[TOP:%.*]]:2 = stablehlo.composite "chlo.top_k" %arg0 {composite_attributes = {k = 2 : i64}, decomposition = @chlo.top_k.impl, version = 1 : i32}
// CHECK: stablehlo.multiply [[TOP]]#0, [[TOP]]#0
// CHECK: func.func private @chlo.top_k.impl
// CHECK: stablehlo.sort

// VALUE: dense<[9.000000e+00, 4.000000e+00]> : tensor<2xf32>

// OLD-NOT: composite
// OLD: stablehlo.sort
func.func @main(%x: tensor<3xf32>) -> tensor<2xf32> {
  %values, %indices = chlo.top_k(%x, k = 2) : tensor<3xf32> -> (tensor<2xf32>, tensor<2xi32>)
  %0 = chlo.square %values : tensor<2xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
