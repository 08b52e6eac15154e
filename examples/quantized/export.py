"""Writes classifier.mlir, its arguments and its result, with NumPy.

    python export.py

Two layers on numbers of 8 bits. An integer q stands for (q - zero point) * scale. Products
are summed as integers of 32 bits, scaled once, and rounded to even, as the specification of
StableHLO has it.
"""

import numpy as np

# Scale and zero point.
PIXELS = (1 / 256, -128)
WEIGHTS = (1 / 64, 0)
HIDDEN = (1 / 8, -128)
SCORES = (1 / 4, 0)


def quantized(shape, kind):
    scale, zero = kind
    dims = "x".join(map(str, shape))
    return f"tensor<{dims}x!quant.uniform<i8:f32, {scale}:{zero}>>"


def to_integers(values, kind):
    scale, zero = kind
    return np.clip(np.rint(values / np.float32(scale)) + zero, -128, 127).astype(np.int8)


def product(x, x_kind, w, result_kind):
    sums = (x.astype(np.int32) - x_kind[1]) @ (w.astype(np.int32) - WEIGHTS[1])
    return to_integers(sums.astype(np.float32) * np.float32(x_kind[0] * WEIGHTS[0]), result_kind)


random = np.random.default_rng(0)
images = random.random((4, 64), np.float32)
first = random.integers(-127, 128, (64, 32), np.int8)
second = random.integers(-127, 128, (32, 10), np.int8)
np.save("images.npy", images)

hidden = product(to_integers(images, PIXELS), PIXELS, first, HIDDEN)
# The smallest integer stands for 0: clamping has done what a ReLU does.
scores = product(hidden, HIDDEN, second, SCORES)
np.save("scores.npy", (scores.astype(np.float32) - SCORES[1]) * np.float32(SCORES[0]))


def dense(values):
    return "[" + ", ".join("[" + ", ".join(map(str, row)) + "]" for row in values) + "]"


def dot(result, left, left_type, right, right_type, result_type):
    return (
        f"  {result} = stablehlo.dot_general {left}, {right}, contracting_dims = [1] x [0]\n"
        f"      : ({left_type}, {right_type}) -> {result_type}"
    )


first_type, second_type = quantized((64, 32), WEIGHTS), quantized((32, 10), WEIGHTS)
pixels_type, hidden_type = quantized((4, 64), PIXELS), quantized((4, 32), HIDDEN)
scores_type = quantized((4, 10), SCORES)
program = f"""func.func @main(%images: tensor<4x64xf32>) -> tensor<4x10xf32> {{
  %first = stablehlo.constant() <{{value = dense<{dense(first)}> : tensor<64x32xi8>}}>
      : () -> {first_type}
  %second = stablehlo.constant() <{{value = dense<{dense(second)}> : tensor<32x10xi8>}}>
      : () -> {second_type}
  %pixels = stablehlo.uniform_quantize %images : (tensor<4x64xf32>) -> {pixels_type}
{dot("%hidden", "%pixels", pixels_type, "%first", first_type, hidden_type)}
{dot("%scores", "%hidden", hidden_type, "%second", second_type, scores_type)}
  %0 = stablehlo.uniform_dequantize %scores : ({scores_type}) -> tensor<4x10xf32>
  return %0 : tensor<4x10xf32>
}}
"""
with open("classifier.mlir", "w") as file:
    file.write(program)
