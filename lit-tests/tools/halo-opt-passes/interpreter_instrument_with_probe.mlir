// RUN: halo-opt %s --interpreter-instrument-with-probe | FileCheck %s
// RUN: halo-opt %s --interpreter-instrument-with-probe=useDebugInfo=true | FileCheck %s --check-prefix=NAMED
// RUN: halo-opt %s --interpreter-instrument-with-probe -o %t.mlir
// RUN: halo-run --backend=interpreter %t.mlir --input='[1, 2]' --input='[3, 4]' | FileCheck %s --check-prefix=VALUES

// The program gives the same with its probes.
// VALUES: dense<[8, 12]>

// Constants and what is no tensor are not probed; the first use of a value sees
// the probe's result.

// CHECK-LABEL: func.func @main
// CHECK: %[[SUM:.*]] = stablehlo.add
// CHECK-NEXT: %[[PROBE:.*]] = interpreter.probe %[[SUM]], probe_id = "probe1" : tensor<2xi32>
// CHECK-NEXT: stablehlo.constant
// CHECK-NEXT: %[[PRODUCT:.*]] = stablehlo.multiply %[[PROBE]]
// CHECK-NEXT: interpreter.probe %[[PRODUCT]], probe_id = "probe2" : tensor<2xi32>
// CHECK-NEXT: stablehlo.create_token
// CHECK-NEXT: return

// NAMED-LABEL: func.func @main
// NAMED: probe_id = "sum.1"
// NAMED: probe_id = "product.2"
func.func @main(%a: tensor<2xi32>, %b: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.add %a, %b : tensor<2xi32> loc("sum")
  %c = stablehlo.constant dense<2> : tensor<2xi32>
  %1 = stablehlo.multiply %0, %c : tensor<2xi32> loc("product@frame.py:7")
  %2 = stablehlo.create_token : !stablehlo.token
  return %1 : tensor<2xi32>
}

// Inner ops come first, and every result of a loop has a probe.

// CHECK-LABEL: func.func private @loop
// CHECK: %[[LOOP:.*]]:2 = stablehlo.while
// CHECK: %[[LESS:.*]] = stablehlo.compare
// CHECK-NEXT: %[[SEEN:.*]] = interpreter.probe %[[LESS]], probe_id = "probe3" : tensor<i1>
// CHECK-NEXT: stablehlo.return %[[SEEN]]
// CHECK: probe_id = "probe4" : tensor<i32>
// CHECK-DAG: interpreter.probe %[[LOOP]]#0, probe_id = "probe5" : tensor<i32>
// CHECK-DAG: interpreter.probe %[[LOOP]]#1, probe_id = "probe6" : tensor<f32>
func.func private @loop(%i: tensor<i32>, %x: tensor<f32>) -> tensor<i32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%j = %i, %y = %x) : tensor<i32>, tensor<f32>
  cond {
    %2 = stablehlo.compare LT, %j, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  } do {
    %2 = stablehlo.add %j, %one : tensor<i32>
    stablehlo.return %2, %y : tensor<i32>, tensor<f32>
  }
  return %0#0 : tensor<i32>
}
