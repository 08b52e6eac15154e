"""Training on four devices: batches are divided along one axis of a mesh, the hidden layer along
the other, and `shard_map` says what each device does with its part.

Run it by itself with four devices: `JAX_NUM_CPU_DEVICES=4 python sharded.py`.
"""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import NamedSharding, PartitionSpec as P

FEATURES, HIDDEN, BATCH, STEPS, RATE = 16, 64, 128, 40, 0.05

# Each device has some rows of the batch, and some columns of the hidden layer.
SPECS = {"w1": P(None, "model"), "b1": P("model"), "w2": P("model", None), "b2": P()}


def parameters():
    keys = jax.random.split(jax.random.key(0), 2)
    return {
        "w1": jax.random.normal(keys[0], (FEATURES, HIDDEN)) / FEATURES**0.5,
        "b1": jnp.zeros(HIDDEN),
        "w2": jax.random.normal(keys[1], (HIDDEN, 1)) / HIDDEN**0.5,
        "b2": jnp.zeros(1),
    }


def examples():
    generator = np.random.default_rng(1)
    x = generator.standard_normal((BATCH, FEATURES), dtype=np.float32)
    return x, np.sin(x[:, :1]) * x[:, 1:2]


def loss_of_part(params, x, y):
    """The loss, from what this device has of the layer and of the batch."""
    hidden = jnp.tanh(x @ params["w1"] + params["b1"])
    predicted = lax.psum(hidden @ params["w2"], "model") + params["b2"]
    return lax.pmean(jnp.mean((predicted - y) ** 2), "data")


def products_of_part(x):
    """The products of the rows of this device with all rows, which go round in a ring."""
    count, rows = x.shape[0], x
    size, own = lax.axis_size("data"), lax.axis_index("data")
    products = jnp.zeros((count, size * count))
    products = lax.pcast(products, "data", to="varying")
    for step in range(size):
        column = (own + step) % size * count
        products = lax.dynamic_update_slice(products, x @ rows.T, (0, column))
        rows = lax.ppermute(rows, "data", [(n, (n - 1) % size) for n in range(size)])
    return products


def run(devices=None):
    devices = devices or jax.devices()[:4]
    side = 2 if len(devices) == 4 else 1
    mesh = jax.make_mesh((side, side), ("data", "model"), devices=devices)
    loss = jax.shard_map(
        loss_of_part, mesh=mesh, in_specs=(SPECS, P("data"), P("data")), out_specs=P()
    )

    @partial(jax.jit, donate_argnums=0)
    def step(params, x, y):
        value, slopes = jax.value_and_grad(loss)(params, x, y)
        return jax.tree.map(lambda p, slope: p - RATE * slope, params, slopes), value

    place = lambda value, spec: jax.device_put(value, NamedSharding(mesh, spec))
    params = jax.tree.map(place, parameters(), SPECS)
    x, y = (place(value, P("data")) for value in examples())
    losses = []
    for _ in range(STEPS):
        params, value = step(params, x, y)
        losses.append(float(value))
    products = jax.shard_map(products_of_part, mesh=mesh, in_specs=P("data"), out_specs=P("data"))
    # Without shard_map, each device computes the whole, or as much of it as the compiler likes.
    norms = jax.jit(lambda params: jax.tree.map(jnp.linalg.norm, params))(params)
    return params, jnp.array(losses), norms, jax.jit(products)(x)


if __name__ == "__main__":
    params, losses, _, _ = run()
    print(f"on {len(params['w1'].devices())} devices of {jax.default_backend()}: "
          f"loss {losses[0]:.3f} to {losses[-1]:.3f}")  # fmt: skip
    print("w1 is divided by", params["w1"].sharding.spec)
