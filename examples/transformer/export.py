"""Writes block.mlir, its arguments and its result, with JAX.

    python export.py

One block of a transformer: attention with a causal mask over 16 tokens, and a layer of
GELUs, each behind a normalization and added to what it reads.
"""

import jax
import jax.numpy as jnp
import numpy as np

LENGTH, WIDTH, HEADS = 16, 32, 4


def normalize(x, scale):
    x = x - x.mean(-1, keepdims=True)
    return scale * x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5)


def attention(x, weights, projection):
    q, k, v = jnp.split(x @ weights, 3, axis=-1)
    q, k, v = (part.reshape(LENGTH, HEADS, -1).swapaxes(0, 1) for part in (q, k, v))
    scores = q @ k.swapaxes(1, 2) / np.sqrt(WIDTH / HEADS)
    scores = jnp.where(jnp.tril(jnp.ones((LENGTH, LENGTH), bool)), scores, -1e9)
    mixed = jax.nn.softmax(scores) @ v
    return mixed.swapaxes(0, 1).reshape(LENGTH, WIDTH) @ projection


def block(tokens, scales, attention_weights, projection, up, down):
    x = tokens + attention(normalize(tokens, scales[0]), attention_weights, projection)
    return x + jax.nn.gelu(normalize(x, scales[1]) @ up) @ down


random = np.random.default_rng(0)


def weights(*shape):
    return (random.standard_normal(shape) / np.sqrt(shape[0])).astype(np.float32)


arguments = {
    "tokens": weights(LENGTH, WIDTH),
    "scales": np.ones((2, WIDTH), np.float32),
    "attention": weights(WIDTH, 3 * WIDTH),
    "projection": weights(WIDTH, WIDTH),
    "up": weights(WIDTH, 4 * WIDTH),
    "down": weights(4 * WIDTH, WIDTH),
}
for name, value in arguments.items():
    np.save(f"{name}.npy", value)
compute = jax.jit(block)
with open("block.mlir", "w") as file:
    file.write(compute.lower(*arguments.values()).as_text())
with jax.default_matmul_precision("highest"):
    np.save("result.npy", np.asarray(compute(*arguments.values())))
