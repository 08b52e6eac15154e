"""A notebook in cells, for Jupyter (jupytext) and VS Code: attention, from text to its kernels.

Needs `pip install halo-mlir`, nothing else.
"""

# %% A program of StableHLO: softmax(q k^T / sqrt(64)) v
import re
import tempfile
import time
from pathlib import Path

import halo_mlir as halo
import numpy as np

PROGRAM = """
func.func @main(%q: tensor<128x64xf32>, %k: tensor<128x64xf32>, %v: tensor<128x64xf32>) -> tensor<128x64xf32> {
  %scale = stablehlo.constant dense<0.125> : tensor<128x128xf32>
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %products = stablehlo.dot_general %q, %k, contracting_dims = [1] x [1]
    : (tensor<128x64xf32>, tensor<128x64xf32>) -> tensor<128x128xf32>
  %scores = stablehlo.multiply %products, %scale : tensor<128x128xf32>
  %max = stablehlo.reduce(%scores init: %lowest) applies stablehlo.maximum across dimensions = [1]
    : (tensor<128x128xf32>, tensor<f32>) -> tensor<128xf32>
  %maxima = stablehlo.broadcast_in_dim %max, dims = [0] : (tensor<128xf32>) -> tensor<128x128xf32>
  %differences = stablehlo.subtract %scores, %maxima : tensor<128x128xf32>
  %powers = stablehlo.exponential %differences : tensor<128x128xf32>
  %sum = stablehlo.reduce(%powers init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<128x128xf32>, tensor<f32>) -> tensor<128xf32>
  %sums = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<128xf32>) -> tensor<128x128xf32>
  %weights = stablehlo.divide %powers, %sums : tensor<128x128xf32>
  %result = stablehlo.dot_general %weights, %v, contracting_dims = [1] x [0]
    : (tensor<128x128xf32>, tensor<128x64xf32>) -> tensor<128x64xf32>
  return %result : tensor<128x64xf32>
}
"""
module = halo.parse(PROGRAM, "attention.mlir")
print(module.inputs)

# %% Its ops, before and after a pass
def ops(program):
    return sorted(set(re.findall(r"\b(?:stablehlo|linalg|arith|math)\.\w+", str(program))))


print(ops(module))
print(ops(halo.run_passes(module, "stablehlo-legalize-to-linalg")))

# %% Compiled, and by the specification
random = np.random.default_rng(0)
q, k, v = (random.standard_normal((128, 64), np.float32) for _ in range(3))
attention = halo.compile(module)
result = attention(q, k, v)
[expected] = halo.interpret(module, [q, k, v])
print("largest difference:", np.abs(result - expected).max())
assert np.allclose(result, expected, rtol=1e-4, atol=1e-5)

# %% The phases of the compiler
with tempfile.TemporaryDirectory() as folder:
    halo.compile(module, dump_dir=folder)
    for file in sorted(Path(folder).iterdir()):
        print(f"{file.name:24} {len(file.read_text().splitlines()):6} lines")

# %% Time of a run, with arrays of numpy
start = time.perf_counter()
for _ in range(100):
    attention(q, k, v)
print(f"{(time.perf_counter() - start) * 1e4:.0f} us")
