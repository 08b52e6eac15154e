"""Steps of training of a small residual network on images, with momentum and weight decay."""

import jax
import jax.numpy as jnp
from jax import lax


def convolution(x, kernel, stride=1):
    dimensions = ("NHWC", "HWIO", "NHWC")
    return lax.conv_general_dilated(x, kernel, (stride, stride), "SAME", dimension_numbers=dimensions)


def batch_norm(x, scale, offset):
    mean = x.mean((0, 1, 2))
    variance = ((x - mean) ** 2).mean((0, 1, 2))
    return scale * (x - mean) * lax.rsqrt(variance + 1e-5) + offset


def initialize(key, widths=(16, 32, 64), classes=10):
    keys = iter(jax.random.split(key, 3 * len(widths) + 2))

    def kernel(size, inputs, outputs):
        scale = jnp.sqrt(2 / (size * size * inputs))
        return scale * jax.random.normal(next(keys), (size, size, inputs, outputs))

    blocks, inputs = [], widths[0]
    for width in widths:
        block = {
            "first": kernel(3, inputs, width),
            "second": kernel(3, width, width),
            "shortcut": kernel(1, inputs, width),
            "norms": jnp.stack([jnp.ones((2, width)), jnp.zeros((2, width))]),
        }
        blocks.append(block)
        inputs = width
    head = 0.01 * jax.random.normal(next(keys), (inputs, classes))
    return {"stem": kernel(3, 3, widths[0]), "blocks": blocks, "head": head}


def model(parameters, images):
    x = jax.nn.relu(convolution(images, parameters["stem"]))
    for block in parameters["blocks"]:
        scales, offsets = block["norms"]
        y = convolution(x, block["first"], 2)
        y = jax.nn.relu(batch_norm(y, scales[0], offsets[0]))
        y = batch_norm(convolution(y, block["second"]), scales[1], offsets[1])
        x = jax.nn.relu(y + convolution(x, block["shortcut"], 2))
    return x.mean((1, 2)) @ parameters["head"]


def loss(parameters, images, labels):
    scores = jax.nn.log_softmax(model(parameters, images))
    return -jnp.take_along_axis(scores, labels[:, None], axis=1).mean()


@jax.jit
def step(parameters, velocity, images, labels):
    value, gradients = jax.value_and_grad(loss)(parameters, images, labels)
    velocity = jax.tree.map(
        lambda v, g, p: 0.9 * v + g + 1e-4 * p, velocity, gradients, parameters
    )
    return jax.tree.map(lambda p, v: p - 0.05 * v, parameters, velocity), velocity, value


def run(steps=4, size=32):
    """The losses of the steps."""
    keys = jax.random.split(jax.random.key(0), 3)
    parameters, losses = initialize(keys[0]), []
    velocity = jax.tree.map(jnp.zeros_like, parameters)
    images = jax.random.normal(keys[1], (16, size, size, 3))
    labels = jax.random.randint(keys[2], (16,), 0, 10)
    for _ in range(steps):
        parameters, velocity, value = step(parameters, velocity, images, labels)
        losses.append(value)
    return jnp.stack(losses)


if __name__ == "__main__":
    print(f"on {jax.default_backend()}: losses {run(20)}")
