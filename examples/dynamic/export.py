"""Writes scores.mlir, a program for any number of rows, with JAX, and results for 1, 3 and 8.

    python export.py
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax import export
from jax.interpreters import mlir
from jaxlib.mlir import ir


def scores(rows, weights):
    """The softmax of products of rows, which are made to have mean 0 and variance 1 as a batch."""
    rows = (rows - rows.mean(0)) / jnp.sqrt(rows.var(0) + 1e-3)
    return jax.nn.softmax(rows @ weights)


random = np.random.default_rng(0)
weights = random.standard_normal((16, 8)).astype(np.float32)
np.save("weights.npy", weights)
(count,) = export.symbolic_shape("n")
exported = export.export(jax.jit(scores))(
    jax.ShapeDtypeStruct((count, 16), np.float32),
    jax.ShapeDtypeStruct((16, 8), np.float32),
)
# Without the places in this file.
with mlir.make_ir_context(), open("scores.mlir", "w") as file:
    file.write(str(ir.Module.parse(exported.mlir_module())))
for count in (1, 3, 8):
    rows = random.standard_normal((count, 16)).astype(np.float32)
    np.save(f"rows{count}.npy", rows)
    with jax.default_matmul_precision("highest"):
        np.save(f"scores{count}.npy", np.asarray(jax.jit(scores)(rows, weights)))
