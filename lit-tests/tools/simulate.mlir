// RUN: halo-run %s --simulate=%S/Inputs/topology.toml --replicas=4 | FileCheck %s
// RUN: halo-run %s --simulate=%S/Inputs/topology.toml --replicas=4 --simulate-format=json | FileCheck %s --check-prefix=JSON
// RUN: halo-run %s --simulate=%S/Inputs/topology.toml --replicas=4096 | FileCheck %s --check-prefix=MANY
// RUN: not halo-run %s --simulate=%S/Inputs/topology.toml --replicas=5000 2>&1 | FileCheck %s --check-prefix=TOO-MANY
// RUN: sed '6s/1e-3/-1/' %S/Inputs/topology.toml > %t.toml
// RUN: not halo-run %s --simulate=%t.toml 2>&1 | FileCheck %s --check-prefix=INVALID
// RUN: not halo-run %s --simulate=%t.none.toml 2>&1 | FileCheck %s --check-prefix=MISSING

// A product takes 2 * 100^3 / 10^9 s and 1 ms, and reads and writes 80 kB. all_reduce of 40 kB in
// parts takes 2 messages of 1 ms, 3/4 * 2 * 40 ms, and for 3/4 * 40 kB, of which each byte is three
// bytes of memory, 0.09 ms. The second product needs none of it. tanh takes 10^4 functions of 16
// operations. So the step is 3 + 62.09 + 1.16 ms.
// CHECK: total ms share count mean us GFLOP/s GB/s op
// CHECK: 62.090 {{.*}} 1 62090.00 {{.*}} all_reduce (direct)
// CHECK: 6.000 {{.*}} 2 3000.00 0.67 0.03 dot_general
// CHECK: 1.160 {{.*}} 1 1160.00 {{.*}} tanh
// CHECK: step: 66.25 ms on 4 x 1 processes
// CHECK: computing: 7.160 ms
// CHECK: communicating: 62.09 ms, of which 3.000 ms while computing; 60.00 kB sent by each process
// CHECK: memory of each process: {{.*}} kB of 1.00 MB (40.00 kB of arguments, 80.00 kB of results,
// CHECK-NOT: note

// JSON: {"replicas":4,"partitions":1,"seconds":0.066{{.*}}"parts":[{"op":"stablehlo.all_reduce","algorithm":"direct","count":1.0,
// JSON-SAME: "memory":{"arguments":40000,"results":80000,

// MANY: step: {{.*}} on 4096 x 1 processes
// TOO-MANY: error: 5000 replicas of 1 partitions do not fit on the 4096 devices of the topology
// INVALID: .toml:6:12: error: 'overhead' is -1, but must be a time in seconds
// MISSING: .none.toml: error: 
func.func @main(%x: tensor<100x100xf32>) -> (tensor<100x100xf32>, tensor<100x100xf32>) {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<100x100xf32>, tensor<100x100xf32>) -> tensor<100x100xf32>
  %1 = "stablehlo.all_reduce"(%0) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<> : tensor<0x0xi64>} : (tensor<100x100xf32>) -> tensor<100x100xf32>
  %2 = stablehlo.tanh %1 : tensor<100x100xf32>
  %3 = stablehlo.dot_general %0, %x, contracting_dims = [1] x [0] : (tensor<100x100xf32>, tensor<100x100xf32>) -> tensor<100x100xf32>
  return %2, %3 : tensor<100x100xf32>, tensor<100x100xf32>
}
