"""Writes the programs of this directory: `python export.py`, with JAX 0.10.2.

Each is a small version of a program that Halo is measured on. Sizes are small
because kernels are run thread by thread, and odd where it is worth knowing that
the last block, warp or vector of a kernel is not whole.
"""

import pathlib

import jax
import jax.numpy as jnp
from jax import lax

DIRECTORY = pathlib.Path(__file__).parent
F32, BF16, I32, U32 = jnp.float32, jnp.bfloat16, jnp.int32, jnp.uint32


def shaped(*dims, dtype=F32):
    return jax.ShapeDtypeStruct(dims, dtype)


def write(name, about, function, *arguments, native=False):
    """`native` asks for ops that JAX has on a TPU, and elsewhere calls LAPACK for."""
    platforms = ("tpu",) if native else None
    traced = jax.jit(function).trace(*arguments)
    text = traced.lower(lowering_platforms=platforms).as_text()
    (DIRECTORY / f"{name}.mlir").write_text(f"// {about}\n{text}")


def layer_norm(x, scale, bias):
    mean = jnp.mean(x, -1, keepdims=True)
    variance = jnp.var(x, -1, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + 1e-5) * scale + bias


def gelu(x):
    return x * (0.5 * (1 + jnp.tanh(0.7978845608 * (x + 0.044715 * (x * x * x)))))


def split_heads(x, heads):
    return x.reshape(x.shape[0], heads, -1).transpose(1, 0, 2)


def attention(queries, keys, values, mask=None):
    scores = jnp.einsum("hqd,hkd->hqk", queries, keys) / queries.shape[-1] ** 0.5
    if mask is not None:
        scores = jnp.where(mask, scores, -1e9)
    mixed = jnp.einsum("hqk,hkd->hqd", jax.nn.softmax(scores), values)
    return mixed.transpose(1, 0, 2).reshape(queries.shape[1], -1)


def convolution(x, kernel, stride=1, groups=1):
    return lax.conv_general_dilated(
        x, kernel, (stride, stride), "SAME",
        dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=groups)


def max_pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")


def mlp(x, w0, b0, w1, b1, w2, b2):
    x = jax.nn.relu(x @ w0 + b0)
    x = jax.nn.relu(x @ w1 + b1)
    return x @ w2 + b2


def sgd_step(x, labels, *parameters):
    def loss(parameters):
        logits = jax.nn.log_softmax(mlp(x, *parameters))
        return -jnp.mean(jnp.sum(logits * jax.nn.one_hot(labels, logits.shape[1]), 1))

    value, gradients = jax.value_and_grad(loss)(parameters)
    return (value, *(p - 0.01 * g for p, g in zip(parameters, gradients)))


def encoder_block(x, wq, wk, wv, wo, w1, b1, w2, b2, s1, o1, s2, o2):
    heads = [split_heads(x @ w, 4) for w in (wq, wk, wv)]
    x = layer_norm(x + attention(*heads) @ wo, s1, o1)
    return layer_norm(x + jax.nn.relu(x @ w1 + b1) @ w2 + b2, s2, o2)


def gpt2_block(x, s1, o1, w_qkv, b_qkv, w_out, b_out, s2, o2, w1, b1, w2, b2):
    heads = jnp.split(layer_norm(x, s1, o1) @ w_qkv + b_qkv, 3, -1)
    mask = jnp.tril(jnp.ones((x.shape[0], x.shape[0]), bool))
    mixed = attention(*(split_heads(head, 4) for head in heads), mask)
    x = x + mixed @ w_out + b_out
    return x + gelu(layer_norm(x, s2, o2) @ w1 + b1) @ w2 + b2


def gpt2_decode(x, position, keys, values, s1, o1, w_qkv, b_qkv, w_out, b_out,
                s2, o2, w1, b1, w2, b2):
    heads = jnp.split(layer_norm(x, s1, o1) @ w_qkv + b_qkv, 3, -1)
    query, key, value = (split_heads(head, keys.shape[0]) for head in heads)
    keys = lax.dynamic_update_slice(keys, key, (0, position, 0))
    values = lax.dynamic_update_slice(values, value, (0, position, 0))
    mask = jnp.arange(keys.shape[1]) <= position
    x = x + attention(query, keys, values, mask) @ w_out + b_out
    return x + gelu(layer_norm(x, s2, o2) @ w1 + b1) @ w2 + b2, keys, values


def lstm(inputs, w_x, w_h, bias):
    def step(state, x):
        h, c = state
        i, f, g, o = jnp.split(x @ w_x + h @ w_h + bias, 4, -1)
        gate = lambda z: 1 / (1 + jnp.exp(-z))
        c = gate(f) * c + gate(i) * jnp.tanh(g)
        h = gate(o) * jnp.tanh(c)
        return (h, c), h

    zeros = jnp.zeros((inputs.shape[1], w_h.shape[0]), F32)
    (h, c), outputs = lax.scan(step, (zeros, zeros), inputs)
    return outputs, h, c


# The stages of a ResNet-18: the number of channels, and the stride.
STAGES = [(4, 1), (8, 2), (12, 2), (16, 2)]


def resnet(x, kernels, norms, variances, weights, bias):
    layers = iter(zip(kernels, norms, variances))

    def layer(x, stride=1):
        kernel, (scale, offset, mean), variance = next(layers)
        x = convolution(x, kernel, stride)
        return (x - mean) * (scale * lax.rsqrt(variance + 1e-5)) + offset

    x = max_pool(jax.nn.relu(layer(x, 2)))
    for channels, stride in STAGES:
        for stride in (stride, 1):
            y = layer(jax.nn.relu(layer(x, stride)))
            if x.shape != y.shape:
                x = layer(x, stride)
            x = jax.nn.relu(x + y)
    return jnp.mean(x, (1, 2)) @ weights + bias


def resnet_arguments(size):
    kernels, before = [(7, 7, 3, STAGES[0][0])], STAGES[0][0]
    for channels, stride in STAGES:
        kernels += [(3, 3, before, channels), (3, 3, channels, channels)]
        if stride != 1:
            kernels += [(1, 1, before, channels)]
        kernels += [(3, 3, channels, channels)] * 2
        before = channels
    return (
        shaped(1, size, size, 3),
        [shaped(*kernel) for kernel in kernels],
        [[shaped(kernel[3])] * 3 for kernel in kernels],
        [shaped(kernel[3]) for kernel in kernels],
        shaped(before, 10),
        shaped(10),
    )


def matmul(a, b):
    return a @ b


def main():
    write("bmm_f32", "Three products of matrices at a time.", matmul,
          shaped(3, 20, 36), shaped(3, 36, 28))
    write("cholesky", "A Cholesky decomposition.", jnp.linalg.cholesky,
          shaped(12, 12), native=True)
    write("conv2d", "A convolution with a window of 3 x 3.", convolution,
          shaped(1, 9, 10, 8), shaped(3, 3, 8, 8))
    write("cumsum", "Sums of all elements of a row up to each.",
          lambda x: jnp.cumsum(x, 1), shaped(3, 130))
    write("depthwise_conv", "A convolution of each channel with a window of its own.",
          lambda x, kernel: convolution(x, kernel, groups=12),
          shaped(1, 9, 7, 12), shaped(3, 3, 1, 12))
    write("embedding", "Rows of a table.", lambda table, rows: table[rows],
          shaped(40, 33), shaped(17, dtype=I32))
    write("embedding_grad_scatter", "Rows added to those of a table, some more than once.",
          lambda rows, places: jnp.zeros((20, 33), F32).at[places].add(rows),
          shaped(50, 33), shaped(50, dtype=I32))
    write("encoder_block", "A block of a transformer's encoder: 8 tokens, 32 features, 4 heads.",
          encoder_block, shaped(8, 32), *[shaped(32, 32)] * 4, shaped(32, 128), shaped(128),
          shaped(128, 32), *[shaped(32)] * 5)
    write("fft", "Fourier transforms of 16 elements each.", jnp.fft.fft,
          shaped(4, 16, dtype=jnp.complex64))
    write("gelu_chain", "Elementwise ops in a row, the last dimension not a multiple of 4.",
          lambda x, scale, bias: gelu(x) * scale + bias,
          shaped(8, 125), shaped(125), shaped(125))
    gpt2 = [shaped(32), shaped(32), shaped(32, 96), shaped(96), shaped(32, 32), shaped(32),
            shaped(32), shaped(32), shaped(32, 128), shaped(128), shaped(128, 32), shaped(32)]
    write("gpt2_block", "A block of GPT-2: 8 tokens, 32 features, 4 heads.",
          gpt2_block, shaped(8, 32), *gpt2)
    write("gpt2_decode", "A block of GPT-2 for one token after up to 15 others.",
          gpt2_decode, shaped(1, 32), shaped(dtype=I32), *[shaped(4, 16, 8)] * 2, *gpt2)
    write("layernorm", "Layer normalization.", layer_norm, shaped(5, 96), shaped(96), shaped(96))
    write("lstm_scan", "An LSTM: 5 steps, 2 sequences, 8 features.", lstm,
          shaped(5, 2, 8), shaped(8, 32), shaped(8, 32), shaped(32))
    write("matmul_bf16", "A product of matrices of bfloat16.", matmul,
          shaped(48, 80, dtype=BF16), shaped(80, 64, dtype=BF16))
    write("matmul_f32_64", "A product of matrices whose sizes are powers of 2.", matmul,
          shaped(64, 64), shaped(64, 64))
    write("matmul_f32_100", "A product of matrices whose sizes are not.", matmul,
          shaped(100, 100), shaped(100, 100))
    write("matmul_f32_odd", "A product of matrices whose sizes are odd.", matmul,
          shaped(37, 45), shaped(45, 51))
    write("matvec_f32", "A product of a matrix and a vector.", matmul,
          shaped(70, 130), shaped(130, 1))
    write("maxpool", "Maxima of windows of 3 x 3, every other one.", max_pool,
          shaped(1, 12, 9, 8))
    layers = [shaped(30, 24), shaped(24), shaped(24, 24), shaped(24), shaped(24, 10), shaped(10)]
    write("mlp_fwd", "A perceptron of three layers.", mlp, shaped(6, 30), *layers)
    write("mlp_sgd", "A step of training of a perceptron of three layers.",
          sgd_step, shaped(6, 30), shaped(6, dtype=I32), *layers)
    write("random_normal", "Normally distributed numbers from a key of threefry.",
          lambda key: jax.random.normal(key, (256,), F32), shaped(2, dtype=U32))
    write("reduce_sum", "The sum of a vector that more than one block adds.", jnp.sum,
          shaped(40000))
    write("resnet18", "A network with the layers of ResNet-18 and few channels.",
          resnet, *resnet_arguments(16))
    write("softmax", "Softmax of rows that are longer than two warps.",
          lambda x: jax.nn.softmax(x), shaped(33, 65))
    write("sort", "A sort of floats.", jnp.sort, shaped(1000))
    write("sort_pairs", "A stable sort of floats with numbers beside them.",
          lambda keys, numbers: lax.sort((keys, numbers), num_keys=1),
          shaped(1000), shaped(1000, dtype=I32))
    write("topk", "The greatest 5 of each row, with their places.",
          lambda x: lax.top_k(x, 5), shaped(4, 300))
    write("transpose", "A transposition.", jnp.transpose, shaped(37, 50))
    write("trsm", "A triangular system of equations for 12 right-hand sides.",
          lambda a, b: lax.linalg.triangular_solve(a, b, left_side=True, lower=True),
          shaped(12, 12), shaped(12, 12), native=True)


main()
