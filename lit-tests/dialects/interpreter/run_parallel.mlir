// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

func.func private @first(%a: tensor<2xf32>) -> tensor<2xf32>
func.func private @second() -> tensor<i32>
func.func private @feed() -> tensor<2xf32>

// CHECK-LABEL: func.func @programs(
// CHECK: %0:2 = "interpreter.run_parallel"(%arg0) <{programs = {{\[\[}}@first, @second]]}> : (tensor<2xf32>) -> (tensor<2xf32>, tensor<i32>)
// CHECK: %1:2 = "interpreter.run_parallel"() <{infeed = [@feed], programs = {{\[\[}}@second], [@second]]}> {tag} : () -> (tensor<i32>, tensor<i32>)
func.func @programs(%a: tensor<2xf32>) {
  %0:2 = "interpreter.run_parallel"(%a) <{programs = [[@first, @second]]}> : (tensor<2xf32>) -> (tensor<2xf32>, tensor<i32>)
  %1:2 = "interpreter.run_parallel"() <{infeed = [@feed], programs = [[@second], [@second]]}> {tag} : () -> (tensor<i32>, tensor<i32>)
  return
}
