"""Writes the training steps of JAX in this folder: python export.py FOLDER.

Each program is a step of a model: forward, loss, gradients and the update of the parameters. The
results of a model are the same however its step is divided, and JAX computes them on one device:
MODEL.npy has them one behind the other, loss last.
"""

import os
import sys

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

jax.config.update("jax_default_matmul_precision", "highest")

RATE = 0.125
BATCH, WIDTH, HIDDEN = 64, 16, 32
SEQUENCES, LENGTH, HEADS, HEAD, VOCABULARY = 8, 8, 8, 4, 32


def numbers(shape, seed):
    """Multiples of 1/256 between -1/4 and 1/4; model.rs makes the same."""
    position = np.arange(np.prod(shape, dtype=np.int64))
    return (((position * 7919 + seed * 104729) % 127 - 63) / 256).astype(np.float32).reshape(shape)


def sgd(loss_of, parameters, *batch):
    loss, gradients = jax.value_and_grad(loss_of)(parameters, *batch)
    return [p - RATE * g for p, g in zip(parameters, gradients)], loss


def adam(loss_of, parameters, first, second, count, *batch):
    loss, gradients = jax.value_and_grad(loss_of)(parameters, *batch)
    count = count + 1
    first = [0.875 * m + 0.125 * g for m, g in zip(first, gradients)]
    second = [0.96875 * v + 0.03125 * g * g for v, g in zip(second, gradients)]
    update = lambda m, v: (m / (1 - 0.875**count)) / (jnp.sqrt(v / (1 - 0.96875**count)) + 1e-6)
    parameters = [p - RATE * update(m, v) for p, m, v in zip(parameters, first, second)]
    return parameters, first, second, count, loss


# Two blocks of a perceptron, each of which is added to what it reads.
MLP = [(WIDTH, HIDDEN), (HIDDEN,), (HIDDEN, WIDTH)] * 2
MLP_BATCH = [numbers((BATCH, WIDTH), 100), numbers((BATCH, WIDTH), 101)]


def mlp(parameters, x, y):
    for w1, b1, w2 in (parameters[:3], parameters[3:]):
        x = x + jnp.tanh(x @ w1 + b1) @ w2
    return jnp.mean((x - y) ** 2)


# A decoder of one block.
DECODER = [
    (VOCABULARY, WIDTH),  # embedding
    (WIDTH, HEADS, HEAD),  # queries, keys, values
    (WIDTH, HEADS, HEAD),
    (WIDTH, HEADS, HEAD),
    (HEADS, HEAD, WIDTH),  # what attention returns
    (WIDTH, HIDDEN),
    (HIDDEN, WIDTH),
    (WIDTH, VOCABULARY),  # logits
]
TOKENS = (np.arange(SEQUENCES * (LENGTH + 1)) * 7 % VOCABULARY).astype(np.int32)
TOKENS = TOKENS.reshape(SEQUENCES, LENGTH + 1)
DECODER_BATCH = [TOKENS[:, :-1].copy(), TOKENS[:, 1:].copy()]


# The same with more tokens than there are positions in a batch.
MANY = 8 * VOCABULARY
VOCABULARY_DECODER = [(MANY, WIDTH), *DECODER[1:-1], (WIDTH, MANY)]
VOCABULARY_BATCH = [8 * tokens for tokens in DECODER_BATCH]


def norm(x):
    return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5)


def block(x, wq, wk, wv, wo, w1, w2, begin=lambda x: x, reduced=lambda x: x):
    h = begin(norm(x))
    q, k, v = (jnp.einsum("bsd,dhe->bhse", h, w) for w in (wq, wk, wv))
    scores = jnp.einsum("bhse,bhte->bhst", q, k) / 2.0
    mask = jnp.tril(jnp.ones((LENGTH, LENGTH), bool))
    attention = jax.nn.softmax(jnp.where(mask, scores, -1e9))
    x = x + reduced(jnp.einsum("bhst,bhte,hed->bsd", attention, v, wo))
    return x + reduced(jax.nn.gelu(begin(norm(x)) @ w1) @ w2)


def decoder(parameters, tokens, targets, mean=jnp.mean, **options):
    embedding, *weights, logits = parameters
    x = block(embedding[tokens], *weights, **options)
    likelihood = jax.nn.log_softmax(norm(x) @ logits)
    return -mean(jnp.take_along_axis(likelihood, targets[..., None], -1))


# Blocks one after the other in a loop, with the parameters of all of them in a tensor each.
BLOCKS = 2
LOOP = [DECODER[0], *((BLOCKS, *shape) for shape in DECODER[1:-1]), DECODER[-1]]


def loop(parameters, tokens, targets):
    embedding, *weights, logits = parameters
    x, _ = jax.lax.scan(lambda x, own: (block(x, *own), None), embedding[tokens], tuple(weights))
    likelihood = jax.nn.log_softmax(norm(x) @ logits)
    return -jnp.mean(jnp.take_along_axis(likelihood, targets[..., None], -1))


def arguments(shapes, batch, is_adam):
    parameters = [numbers(shape, seed) for seed, shape in enumerate(shapes)]
    if not is_adam:
        return [parameters, *batch]
    zeros = [np.zeros(shape, np.float32) for shape in shapes]
    return [parameters, zeros, zeros, np.float32(0), *batch]


def divided(loss_of, shapes, batch, is_adam, sizes, weights, data):
    """A step under jit: parameters are divided by `weights`, and batches by `data`."""
    mesh = jax.make_mesh(tuple(sizes.values()), tuple(sizes), axis_types=(jax.sharding.AxisType.Auto,) * len(sizes))
    on = lambda spec: NamedSharding(mesh, spec)
    weights, data, whole = [on(P(*spec)) for spec in weights], [on(P(*data))] * 2, on(P())
    state = [weights, weights, weights, whole] if is_adam else [weights]
    step = (lambda *all: adam(loss_of, *all)) if is_adam else (lambda *all: sgd(loss_of, *all))
    step = jax.jit(step, in_shardings=(*state, *data), out_shardings=(*state, whole))
    return step.lower(*arguments(shapes, batch, is_adam)).as_text()


def manual(step, shapes, batch, sizes, weights, data):
    """A step under shard_map."""
    mesh = jax.make_mesh(tuple(sizes.values()), tuple(sizes), axis_types=(jax.sharding.AxisType.Auto,) * len(sizes))
    weights, data = [P(*spec) for spec in weights], P(*data)
    step = jax.shard_map(step, mesh=mesh, in_specs=(weights, data, data), out_specs=(weights, P()))
    return jax.jit(step).lower(*arguments(shapes, batch, False)).as_text()


WHOLE = [()]
# The columns of the first product and the rows of the second.
MLP_TENSOR = [(None, "t"), ("t",), ("t", None)] * 2
# Rows of each parameter.
ROWS = [("d",)]
DECODER_TENSOR = [()] + [(None, "t")] * 3 + [("t",), (None, "t"), ("t",), ()]
DECODER_VOCABULARY = [("t",), *DECODER_TENSOR[1:-1], (None, "t")]
DECODER_MIXED = [("d",)] + [("d", "t")] * 3 + [("t", None, "d"), ("d", "t"), ("t", "d"), ("d",)]


def of_blocks(weights):
    return [weights[0], *((None, *spec) for spec in weights[1:-1]), weights[-1]]


# What Megatron calls f and g: one sum of gradients where ranks begin, one where they end.
BEGIN_AND_END = {
    "begin": lambda x: jax.lax.pcast(x, "t", to="varying"),
    "reduced": lambda x: jax.lax.psum(x, "t"),
}


def manual_data(parameters, x, y):
    return sgd(lambda p, x, y: jax.lax.pmean(mlp(p, x, y), "d"), parameters, x, y)


def manual_tensor(parameters, tokens, targets):
    loss = lambda p, *b: decoder(p, *b, **BEGIN_AND_END)
    return sgd(loss, parameters, tokens, targets)


def manual_sharded(parameters, x, y):
    def loss(parts, x, y):
        whole = [jax.lax.all_gather(part, "d", tiled=True) for part in parts]
        return jax.lax.pmean(mlp(whole, x, y), "d")

    return sgd(loss, parameters, x, y)


def manual_mixed(parameters, tokens, targets):
    mean = lambda x: jax.lax.pmean(jnp.mean(x), "d")
    loss = lambda p, *b: decoder(p, *b, mean=mean, **BEGIN_AND_END)
    return sgd(loss, parameters, tokens, targets)


MLPS, DECODERS = (mlp, MLP, MLP_BATCH), (decoder, DECODER, DECODER_BATCH)
PROGRAMS = {
    "mlp_data": divided(*MLPS, False, {"d": 4}, WHOLE * 6, ("d",)),
    "mlp_data_adam": divided(*MLPS, True, {"d": 8}, WHOLE * 6, ("d",)),
    "mlp_tensor": divided(*MLPS, False, {"t": 4}, MLP_TENSOR, ()),
    "mlp_mixed": divided(*MLPS, False, {"d": 2, "t": 4}, MLP_TENSOR, ("d",)),
    "mlp_sharded_adam": divided(*MLPS, True, {"d": 4}, ROWS * 6, ("d",)),
    "mlp_manual_data": manual(manual_data, MLP, MLP_BATCH, {"d": 4}, WHOLE * 6, ("d",)),
    "mlp_manual_sharded": manual(manual_sharded, MLP, MLP_BATCH, {"d": 8}, ROWS * 6, ("d",)),
    "decoder_data": divided(*DECODERS, False, {"d": 4}, WHOLE * 8, ("d",)),
    "decoder_tensor": divided(*DECODERS, False, {"t": 4}, DECODER_TENSOR, ()),
    "decoder_vocabulary": divided(
        decoder, VOCABULARY_DECODER, VOCABULARY_BATCH, False, {"t": 4}, DECODER_VOCABULARY, ()
    ),
    "decoder_mixed": divided(*DECODERS, False, {"d": 2, "t": 4}, DECODER_TENSOR, ("d",)),
    "decoder_sharded": divided(*DECODERS, False, {"d": 2, "t": 4}, DECODER_MIXED, ("d",)),
    "loop_sharded": divided(loop, LOOP, DECODER_BATCH, False, {"d": 2, "t": 4}, of_blocks(DECODER_MIXED), ("d",)),
    "decoder_manual_tensor": manual(manual_tensor, DECODER, DECODER_BATCH, {"t": 4}, DECODER_TENSOR, ()),
    "decoder_manual_mixed": manual(manual_mixed, DECODER, DECODER_BATCH, {"d": 2, "t": 4}, DECODER_TENSOR, ("d",)),
}

if __name__ == "__main__":
    folder = sys.argv[1]
    for name, text in PROGRAMS.items():
        with open(f"{folder}/{name}.mlir", "w") as file:
            file.write(text)
    for name, (model, shapes, batch), is_adam in [
        ("mlp", MLPS, False),
        ("mlp_adam", MLPS, True),
        ("decoder", DECODERS, False),
        ("vocabulary", (decoder, VOCABULARY_DECODER, VOCABULARY_BATCH), False),
        ("loop", (loop, LOOP, DECODER_BATCH), False),
    ]:
        step = adam if is_adam else sgd
        results = jax.jit(lambda *all: step(model, *all))(*arguments(shapes, batch, is_adam))
        flat = [np.ravel(result) for result in jax.tree.leaves(results)]
        np.save(f"{folder}/{name}.npy", np.concatenate(flat))
