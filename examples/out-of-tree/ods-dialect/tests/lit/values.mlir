// The expected values are those of the formula in signal.td, in double precision.
//
// RUN: signal-run %s --entry=zero --input='[1.0, 2.0, 3.0, 4.0]' --input='[0.5, 0.25, 0.25]' --expect='[0.5, 1.25, 2.25, 3.25]'
// RUN: signal-run %s --entry=clamp --input='[1.0, 2.0, 3.0, 4.0]' --input='[0.5, 0.25, 0.25]' --expect='[1.0, 1.5, 2.25, 3.25]'
// RUN: signal-run %s --entry=wrap --input='[1.0, 2.0, 3.0, 4.0]' --input='[0.5, 0.25, 0.25]' --expect='[2.25, 2.25, 2.25, 3.25]'
// RUN: signal-run %s --entry=chain --input='[1.0, 2.0, 3.0, 4.0]' --input='[0.5, 0.25, 0.25]' --expect='[21.0, 22.5, 22.0, 24.5]'
// RUN: signal-run %s --backend=interpreter --entry=zero --input='[1.0, 2.0, 3.0, 4.0]' --input='[0.5, 0.25, 0.25]' --expect='[0.5, 1.25, 2.25, 3.25]'
// RUN: signal-run %s --backend=interpreter --entry=clamp --input='[1.0, 2.0, 3.0, 4.0]' --input='[0.5, 0.25, 0.25]' --expect='[1.0, 1.5, 2.25, 3.25]'
// RUN: signal-run %s --backend=interpreter --entry=wrap --input='[1.0, 2.0, 3.0, 4.0]' --input='[0.5, 0.25, 0.25]' --expect='[2.25, 2.25, 2.25, 3.25]'
// RUN: signal-run %s --backend=interpreter --entry=chain --input='[1.0, 2.0, 3.0, 4.0]' --input='[0.5, 0.25, 0.25]' --expect='[21.0, 22.5, 22.0, 24.5]'

func.func @zero(%x: tensor<4xf32>, %c: tensor<3xf32>) -> tensor<4xf32> {
  %f = signal.taps %c : tensor<3xf32>
  %y = signal.fir %x, %f : tensor<4xf32>, !signal.filter<3>
  return %y : tensor<4xf32>
}

func.func @clamp(%x: tensor<4xf32>, %c: tensor<3xf32>) -> tensor<4xf32> {
  %f = signal.taps %c : tensor<3xf32>
  %y = signal.fir %x, %f boundary clamp : tensor<4xf32>, !signal.filter<3>
  return %y : tensor<4xf32>
}

func.func @wrap(%x: tensor<4xf32>, %c: tensor<3xf32>) -> tensor<4xf32> {
  %f = signal.taps %c : tensor<3xf32>
  %y = signal.fir %x, %f boundary wrap : tensor<4xf32>, !signal.filter<3>
  return %y : tensor<4xf32>
}

func.func @chain(%x: tensor<4xf32>, %c: tensor<3xf32>) -> tensor<4xf32> {
  %f = signal.taps %c : tensor<3xf32>
  %y = signal.cascade %x stages 3 {
  ^bb0(%s: tensor<4xf32>):
    %0 = signal.fir %s, %f boundary wrap : tensor<4xf32>, !signal.filter<3>
    %1 = signal.gain %0 by 2.0 : tensor<4xf32>
    signal.yield %1 : tensor<4xf32>
  } : tensor<4xf32>
  %z = stablehlo.negate %x : tensor<4xf32>
  %m = signal.mix %y, %x, %z, %x : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return %m : tensor<4xf32>
}
