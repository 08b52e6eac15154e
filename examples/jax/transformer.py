"""Steps of training of a transformer with layers of the size of GPT-2's, by Adam."""

import jax
import jax.numpy as jnp

WIDTH, HEADS, VOCABULARY = 768, 12, 1024


def initialize(key, layers):
    def weights(key, *shape):
        return 0.02 * jax.random.normal(key, shape)

    def layer(key):
        keys = jax.random.split(key, 4)
        return {
            "attention": weights(keys[0], WIDTH, 3 * WIDTH),
            "projection": weights(keys[1], WIDTH, WIDTH),
            "up": weights(keys[2], WIDTH, 4 * WIDTH),
            "down": weights(keys[3], 4 * WIDTH, WIDTH),
            "scales": jnp.ones((2, WIDTH)),
        }

    keys = jax.random.split(key, layers + 1)
    return {
        "embedding": weights(keys[0], VOCABULARY, WIDTH),
        # One after the other in a scan: the layer is compiled once.
        "layers": jax.vmap(layer)(keys[1:]),
    }


def normalize(x, scale):
    x = x - x.mean(-1, keepdims=True)
    return scale * x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5)


def attention(x, layer):
    length = x.shape[0]
    q, k, v = jnp.split(x @ layer["attention"], 3, axis=-1)
    q, k, v = (part.reshape(length, HEADS, -1).swapaxes(0, 1) for part in (q, k, v))
    scores = q @ k.swapaxes(1, 2) / jnp.sqrt(q.shape[-1])
    scores = jnp.where(jnp.tril(jnp.ones((length, length), bool)), scores, -1e9)
    mixed = jax.nn.softmax(scores) @ v
    return mixed.swapaxes(0, 1).reshape(length, WIDTH) @ layer["projection"]


def model(parameters, tokens):
    def block(x, layer):
        x = x + attention(normalize(x, layer["scales"][0]), layer)
        hidden = jax.nn.gelu(normalize(x, layer["scales"][1]) @ layer["up"])
        return x + hidden @ layer["down"], None

    x = parameters["embedding"][tokens]
    x, _ = jax.lax.scan(block, x, parameters["layers"])
    return x @ parameters["embedding"].T


def loss(parameters, batch):
    scores = jax.vmap(model, (None, 0))(parameters, batch[:, :-1])
    scores = jax.nn.log_softmax(scores)
    return -jnp.take_along_axis(scores, batch[:, 1:, None], axis=-1).mean()


@jax.jit
def step(state, batch):
    parameters, first, second, number = state
    value, gradients = jax.value_and_grad(loss)(parameters, batch)
    number = number + 1
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, gradients)
    second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, gradients)

    def update(p, m, v):
        m, v = m / (1 - 0.9**number), v / (1 - 0.999**number)
        return p - 1e-3 * m / (jnp.sqrt(v) + 1e-6)

    return (jax.tree.map(update, parameters, first, second), first, second, number), value


def run(steps=3, layers=2, length=32):
    """The losses of the steps."""
    parameters = initialize(jax.random.key(0), layers)
    zeros = jax.tree.map(jnp.zeros_like, parameters)
    state, losses = (parameters, zeros, zeros, 0.0), []
    batch = jax.random.randint(jax.random.key(1), (2, length + 1), 0, VOCABULARY)
    for _ in range(steps):
        state, value = step(state, batch)
        losses.append(value)
    return jnp.stack(losses)


if __name__ == "__main__":
    print(f"on {jax.default_backend()}: losses {run(10)}")
