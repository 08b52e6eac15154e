"""A network that learns to read digits, by gradient descent.

The digits are drawn here: seven segments as in a pocket calculator, with noise.
"""

import jax
import jax.numpy as jnp

SEGMENTS = jnp.array(
    [
        [1, 1, 1, 0, 1, 1, 1],
        [0, 0, 1, 0, 0, 1, 0],
        [1, 0, 1, 1, 1, 0, 1],
        [1, 0, 1, 1, 0, 1, 1],
        [0, 1, 1, 1, 0, 1, 0],
        [1, 1, 0, 1, 0, 1, 1],
        [1, 1, 0, 1, 1, 1, 1],
        [1, 0, 1, 0, 0, 1, 0],
        [1, 1, 1, 1, 1, 1, 1],
        [1, 1, 1, 1, 0, 1, 1],
    ],
    jnp.float32,
)


def draw(key, count):
    """Images of 28 x 28 points, and their digits."""
    digits_key, noise_key = jax.random.split(key)
    digits = jax.random.randint(digits_key, (count,), 0, 10)
    on = SEGMENTS[digits]
    image = jnp.zeros((count, 28, 28))
    horizontal = [(4, 0), (13, 3), (22, 6)]
    for row, segment in horizontal:
        image = image.at[:, row : row + 2, 8:20].max(on[:, segment, None, None])
    vertical = [(4, 8, 1), (4, 18, 2), (13, 8, 4), (13, 18, 5)]
    for row, column, segment in vertical:
        image = image.at[:, row : row + 11, column : column + 2].max(on[:, segment, None, None])
    image = image + 0.3 * jax.random.normal(noise_key, image.shape)
    return image.reshape(count, -1), digits


def initialize(key, sizes=(784, 128, 64, 10)):
    keys = jax.random.split(key, len(sizes) - 1)
    return [
        (jax.random.normal(key, (m, n)) * jnp.sqrt(2 / m), jnp.zeros(n))
        for key, m, n in zip(keys, sizes[:-1], sizes[1:])
    ]


def predict(parameters, images):
    *hidden, (weights, bias) = parameters
    for w, b in hidden:
        images = jax.nn.relu(images @ w + b)
    return images @ weights + bias


def loss(parameters, images, digits):
    scores = jax.nn.log_softmax(predict(parameters, images))
    return -jnp.mean(jnp.take_along_axis(scores, digits[:, None], axis=1))


@jax.jit
def step(parameters, images, digits):
    value, gradients = jax.value_and_grad(loss)(parameters, images, digits)
    return jax.tree.map(lambda p, g: p - 0.1 * g, parameters, gradients), value


def run(steps=30):
    """The losses of the steps, and how many of other digits are read right."""
    key = jax.random.key(0)
    parameters, losses = initialize(key), []
    for number in range(steps):
        images, digits = draw(jax.random.fold_in(key, number), 128)
        parameters, value = step(parameters, images, digits)
        losses.append(value)
    images, digits = draw(jax.random.key(1), 256)
    right = jnp.mean(jnp.argmax(predict(parameters, images), axis=1) == digits)
    return jnp.stack(losses), right


if __name__ == "__main__":
    losses, right = run(100)
    print(f"on {jax.default_backend()}: loss {losses[0]:.3f} to {losses[-1]:.3f}, {right:.0%} right")
