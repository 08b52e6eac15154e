// RUN: halo-run %s --backend=cuda --compile-to=ptx | FileCheck %s

// A shift of PTX looks at 32 bits of its amount, so that the amounts of which it
// would see none are compared in full.

// CHECK: setp.lt.u64
// CHECK: and.b32 %[[AMOUNT:.*]], %{{.*}}, 63;
// CHECK-NEXT: shl.b64 %[[SHIFTED:.*]], %{{.*}}, %[[AMOUNT]];
// CHECK-NEXT: selp.b64 %{{.*}}, %[[SHIFTED]], 0,
func.func @main(%a: tensor<64xi64>, %b: tensor<64xi64>) -> tensor<64xi64> {
  %0 = stablehlo.shift_left %a, %b : tensor<64xi64>
  return %0 : tensor<64xi64>
}
