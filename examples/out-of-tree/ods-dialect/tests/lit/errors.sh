# What ODS says of the ops, and the verifiers in Rust, as errors of one line.
#
# RUN: rm -rf %t && mkdir -p %t && cd %t && sh %s 2>&1 | FileCheck %s

# fails PART_OF_A_PROGRAM
fails() {
    cat > program.mlir <<PROGRAM
func.func @main(%x: tensor<4xf32>, %y: tensor<5xf32>, %i: tensor<4xi32>) -> tensor<4xf32> {
  $1
  return %x : tensor<4xf32>
}
PROGRAM
    if signal-run program.mlir --input=1 --input=1 --input=1; then
        echo "accepted: $1"
    fi
}

# CHECK-NOT: accepted
# CHECK: program.mlir:2:8: error: 'signal.gain' op operand #0 ('input') must be a static number of samples of f32, but has type 'tensor<4xi32>'
fails '%0 = signal.gain %i by 2.0 : tensor<4xi32>'
# CHECK: program.mlir:2:8: error: 'signal.mix' op requires all operands to have the same type
fails '%0 = "signal.mix"(%x, %y) : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>'
# CHECK: program.mlir:2:8: error: 'signal.mix' op expects a signal
fails '%0 = "signal.mix"() : () -> tensor<4xf32>'
# CHECK: program.mlir:2:8: error: 'signal.taps' op inferred type(s) '!signal.filter<5>' are incompatible with return type(s) of operation '!signal.filter<4>'
fails '%0 = "signal.taps"(%y) : (tensor<5xf32>) -> !signal.filter<4>'
# CHECK: error: expects a length above zero
fails '%0 = "signal.taps"(%y) : (tensor<5xf32>) -> !signal.filter<0>'
# CHECK: error: 'signal.taps' op operand #0 ('coefficients') must be 64 samples of f32 or fewer
fails '%0 = stablehlo.constant dense<1.0> : tensor<65xf32> %1 = signal.taps %0 : tensor<65xf32>'
# CHECK: error: 'signal.fir' op has 5 coefficients for 4 samples
fails '%0 = signal.taps %y : tensor<5xf32> %1 = signal.fir %x, %0 : tensor<4xf32>, !signal.filter<5>'
# CHECK: program.mlir:2:71: error: custom op 'signal.fir' expected 'value' to be one of zero, clamp, wrap
fails '%0 = signal.taps %x : tensor<4xf32> %1 = signal.fir %x, %0 boundary mirror : tensor<4xf32>, !signal.filter<4>'
# CHECK: error: 'signal.cascade' op attribute 'stages' must be 64-bit signless integer attribute whose value is positive, but is 0 : i64
fails '%0 = signal.cascade %x stages 0 { ^bb0(%s: tensor<4xf32>): signal.yield %s : tensor<4xf32> } : tensor<4xf32>'
# CHECK: error: 'signal.cascade' op expects a body with one argument of the type of its input
fails '%0 = signal.cascade %x stages 1 { signal.yield %x : tensor<4xf32> } : tensor<4xf32>'
# CHECK: error: 'signal.cascade' op expects region #0 ('body') to have 1 blocks, but it has 0
fails '%0 = "signal.cascade"(%x) <{stages = 1 : i64}> ({ }) : (tensor<4xf32>) -> tensor<4xf32>'
# CHECK: error: 'signal.cascade' op expects 'input' and 'output' to have one type, but they have 'tensor<4xf32>' and 'tensor<5xf32>'
fails '%0 = "signal.cascade"(%x) <{stages = 1 : i64}> ({ ^bb0(%s: tensor<4xf32>): signal.yield %s : tensor<4xf32> }) : (tensor<4xf32>) -> tensor<5xf32>'
# CHECK: error: 'signal.yield' op expects parent op 'signal.cascade'
fails 'signal.yield %x : tensor<4xf32>'
