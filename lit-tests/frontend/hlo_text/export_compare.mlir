// RUN: halo-translate --stablehlo-to-hlo-text --hlo-text-omit-metadata %s | FileCheck %s

// HLO refuses a comparison of another type than that of the elements, so that
// none is written where there is no choice.

// CHECK: pred[2]{{.*}} compare({{.*}}), direction=LT{{$}}
// CHECK: pred[2]{{.*}} compare({{.*}}), direction=GE, type=TOTALORDER
func.func @main(%i: tensor<2xi32>, %f: tensor<2xf32>) -> (tensor<2xi1>, tensor<2xi1>) {
  %0 = stablehlo.compare LT, %i, %i, TOTALORDER : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %1 = stablehlo.compare GE, %f, %f, TOTALORDER : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return %0, %1 : tensor<2xi1>, tensor<2xi1>
}
