"""Writes mlp.mlir, its arguments and its result, with JAX.

    python export.py

With --weights, it also writes weights.mlir, a program of the images alone that has the weights
in it.

A classifier of 28 x 28 images with one hidden layer, as one meets it first in
every tutorial. The weights are random: the example shows a program's way
through the compiler, not how to read digits.
"""

import sys

import jax
import jax.numpy as jnp
import numpy as np


def mlp(images, hidden_weights, hidden_bias, output_weights, output_bias):
    hidden = jax.nn.relu(images @ hidden_weights + hidden_bias)
    return jax.nn.softmax(hidden @ output_weights + output_bias)


random = np.random.default_rng(0)
arguments = {
    "images": random.random((4, 784), np.float32),
    "hidden_weights": random.standard_normal((784, 128), np.float32) / 28,
    "hidden_bias": random.standard_normal(128, np.float32),
    "output_weights": random.standard_normal((128, 10), np.float32) / 11,
    "output_bias": random.standard_normal(10, np.float32),
}
arguments = {name: value.astype(np.float32) for name, value in arguments.items()}
for name, value in arguments.items():
    np.save(f"{name}.npy", value)
compute = jax.jit(mlp)
with open("mlp.mlir", "w") as file:
    file.write(compute.lower(*arguments.values()).as_text())
with jax.default_matmul_precision("highest"):
    np.save("probabilities.npy", np.asarray(compute(*arguments.values())))

if "--weights" in sys.argv:
    images, *weights = arguments.values()
    classify = jax.jit(lambda images: mlp(images, *weights))
    with open("weights.mlir", "w") as file:
        file.write(classify.lower(images).as_text())
