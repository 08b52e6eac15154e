"""Functions of JAX over element types and shapes: Halo and JAX's own backend agree.

A case that JAX itself refuses, on its own backend, is skipped. `HALO_SWEEP_STEP=N` runs each
N-th case.
"""

import os

import jax
import jax.numpy as jnp
import jax.scipy as jsp
import numpy as np
import pytest
from jax import lax, nn

from comparison import PLATFORM, check_equal, run_on

FLOATS = [np.float32, jnp.bfloat16, np.float16]
INTEGERS = [np.int32, np.int8, np.uint8, np.uint32]
ALL = [*FLOATS, *INTEGERS, np.complex64, np.bool_]
SHAPES = [(), (3,), (2, 5), (0,), (2, 3, 1, 2, 2)]

ELEMENTWISE = """
    abs sign negative exp log sqrt sin cos tan tanh sinh cosh arcsin arctan floor ceil round square
    reciprocal isnan isinf isfinite exp2 expm1 log1p cbrt positive conj real imag angle logical_not
    invert nan_to_num signbit
""".split()
REDUCTIONS = """
    sum prod max min mean std var argmax argmin cumsum cumprod sort argsort ravel transpose flip any
    all nonzero median ptp nansum nanmax count_nonzero diff
""".split()
BINARY = """
    add subtract multiply divide power maximum minimum mod floor_divide arctan2 hypot logaddexp equal
    less greater_equal not_equal bitwise_and bitwise_or bitwise_xor left_shift right_shift logical_and
    copysign fmod nextafter heaviside gcd lcm float_power outer
""".split()
PRODUCTS = {
    "matmul": (jnp.matmul, (3, 4), (4, 5)),
    "dot": (jnp.dot, (5,), (5,)),
    "einsum": (lambda a, b: jnp.einsum("bij,bjk->bik", a, b), (2, 3, 4), (2, 4, 5)),
    "tensordot": (lambda a, b: jnp.tensordot(a, b, 2), (2, 3, 4), (3, 4, 2)),
    "empty": (jnp.matmul, (3, 0), (0, 5)),
    "conv": (lambda a, b: lax.conv(a, b, (1, 1), "SAME"), (1, 3, 8, 8), (4, 3, 3, 3)),
    "conv_transpose": (
        lambda a, b: lax.conv_transpose(a, b, (2, 2), "SAME"),
        (1, 4, 4, 3),
        (3, 3, 3, 2),
    ),
}
ACTIVATIONS = """
    relu gelu softmax log_softmax sigmoid silu elu selu celu glu logsumexp hard_tanh soft_sign
""".split()
SPECIAL = """
    gammaln erf erfc erfinv digamma i0 i1 i0e i1e logit expit ndtr ndtri log_ndtr entr
""".split()
SPECIAL_BINARY = "betaln xlogy xlog1py gammainc gammaincc rel_entr".split()
DISTRIBUTIONS = {
    "normal": ((4,),),
    "uniform": ((4,),),
    "bits": ((4,),),
    "gumbel": ((4,),),
    "exponential": ((4,),),
    "gamma": (2.0, (4,)),
    "beta": (1.0, 2.0, (4,)),
    "poisson": (3.0, (4,)),
    "randint": ((4,), 0, 10),
    "permutation": (10,),
    "truncated_normal": (-1.0, 1.0, (4,)),
    "dirichlet": (np.ones(3, np.float32),),
    "cauchy": ((4,),),
    "laplace": ((3,),),
    "t": (3.0, (4,)),
    "categorical": (np.zeros(5, np.float32),),
    "choice": (10,),
    "bernoulli": (0.5, (6,)),
    "orthogonal": (3,),
    "rademacher": ((4,),),
    "binomial": (10.0, 0.5, (4,)),
    "multivariate_normal": (np.zeros(3, np.float32), np.eye(3, dtype=np.float32)),
}
# Of a matrix that is positive definite, with results that are unique up to signs.
FACTORIZATIONS = "eigh svd qr".split()
LINEAR_ALGEBRA = "det inv cholesky slogdet matrix_rank pinv eigvals eigvalsh norm".split()


def values(shape, dtype, seed=0):
    random, dtype = np.random.default_rng(seed), np.dtype(dtype)
    if dtype == np.bool_:
        return random.integers(0, 2, shape).astype(bool)
    if dtype.kind in "iu":
        return random.integers(1, 9, shape).astype(dtype)
    real = random.standard_normal(shape)
    if dtype.kind == "c":
        return (real + 1j * random.standard_normal(shape)).astype(dtype)
    return np.asarray(real).astype(dtype)


def floats(*shape, seed=0):
    return values(shape, np.float32, seed)


def positive_definite(dtype):
    m = floats(4, 4)
    return (m @ m.T + 4 * np.eye(4)).astype(dtype)


def pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def by_type():
    for dtype in ALL:
        name = np.dtype(dtype).name
        for shape in SHAPES:
            for function in ELEMENTWISE + REDUCTIONS:
                case = f"{function}-{name}-{shape}"
                yield case, getattr(jnp, function), (values(shape, dtype),)
            for function in BINARY:
                operands = values(shape, dtype), values(shape, dtype, seed=1)
                yield f"{function}-{name}-{shape}", getattr(jnp, function), operands
        for function in ["add", "maximum", "multiply"]:
            operands = values((2, 1, 3), dtype), values((4, 1), dtype, seed=1)
            yield f"{function}-{name}-broadcast", getattr(jnp, function), operands
        for other in ALL:
            cast = lambda x, other=other: x.astype(other)
            yield f"astype-{name}-{np.dtype(other).name}", cast, (values((7,), dtype),)
    for dtype in [*FLOATS, np.int32, np.complex64]:
        for case, (function, lhs, rhs) in PRODUCTS.items():
            operands = values(lhs, dtype), values(rhs, dtype, seed=1)
            yield f"{case}-{np.dtype(dtype).name}", function, operands
    for dtype in FLOATS:
        for function in ACTIVATIONS:
            yield f"{function}-{np.dtype(dtype).name}", getattr(nn, function), (values((3, 4), dtype),)


def special_values():
    # No subnormal numbers: JAX's own backend takes them for zero.
    x = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-30, -3.5, 1e38], np.float32)
    for function in ELEMENTWISE + REDUCTIONS:
        yield f"{function}-special", getattr(jnp, function), (x,)
    for function in BINARY:
        grid = np.repeat(x, len(x)), np.tile(x, len(x))
        yield f"{function}-special", getattr(jnp, function), grid
    fraction = np.abs(floats(5)) * 0.3 + 0.1
    for function in SPECIAL:
        yield f"special.{function}", getattr(jsp.special, function), (fraction,)
    for function in SPECIAL_BINARY:
        yield f"special.{function}", getattr(jsp.special, function), (fraction, fraction)
    yield "special.zeta", jsp.special.zeta, (fraction + 2, fraction)
    yield "special.polygamma", lambda x: jsp.special.polygamma(1, x), (fraction,)
    yield "special.betainc", jsp.special.betainc, (fraction, fraction, fraction / 2)


def linear_algebra():
    for dtype in [np.float32, np.complex64]:
        name, matrix = np.dtype(dtype).name, positive_definite(dtype)
        for function in LINEAR_ALGEBRA:
            yield f"linalg.{function}-{name}", getattr(jnp.linalg, function), (matrix,)
            batch = np.stack([matrix, 2 * matrix])
            yield f"linalg.{function}-{name}-batch", getattr(jnp.linalg, function), (batch,)
        for function in FACTORIZATIONS:
            parts = lambda m, f=getattr(jnp.linalg, function): [jnp.abs(part) for part in f(m)]
            yield f"linalg.{function}-{name}", parts, (matrix,)
        vector = values((4,), dtype)
        yield f"linalg.solve-{name}", jnp.linalg.solve, (matrix, vector)
        yield f"linalg.lstsq-{name}", jnp.linalg.lstsq, (matrix, vector)
        yield f"linalg.expm-{name}", jsp.linalg.expm, (matrix / 8,)
        yield f"linalg.lu-{name}", jsp.linalg.lu, (values((4, 4), dtype),)
        yield f"linalg.lu-{name}-wide", jsp.linalg.lu, (values((3, 5), dtype),)
        hessenberg = lambda m: jnp.abs(jsp.linalg.hessenberg(m))
        yield f"linalg.hessenberg-{name}", hessenberg, (values((4, 4), dtype),)
        schur = lambda m: (lambda t, z: z @ t @ z.conj().T)(*jsp.linalg.schur(m))
        yield f"linalg.schur-{name}", schur, (values((4, 4), dtype),)
    solve = lambda a, b: jsp.linalg.solve_triangular(a, b, lower=True)
    yield "linalg.solve_triangular", solve, (np.tril(floats(4, 4)) + 3 * np.eye(4, dtype="f"), floats(4, 2))
    tridiagonal = lambda d: lax.linalg.tridiagonal_solve(d, d + 3, d, d[:, None])
    yield "linalg.tridiagonal_solve", tridiagonal, (np.abs(floats(4)),)
    for function in ["fft", "ifft", "fft2", "hfft", "irfft", "fftn"]:
        yield f"fft.{function}", getattr(jnp.fft, function), (values((4, 8), np.complex64),)
    yield "fft.rfft", jnp.fft.rfft, (floats(4, 8),)


def structured():
    x = floats(6)
    yield "scan", lambda x: lax.scan(lambda c, v: (c + v, c * v), jnp.float32(0), x), (x,)
    step = lambda c: (c[0] + 1, c[1] * 2)
    yield "while_loop", lambda x: lax.while_loop(lambda c: c[0] < 5, step, (0, x)), (x[0],)
    yield "cond", lambda x: lax.cond(x.sum() > 0, jnp.sin, jnp.cos, x), (x,)
    yield "switch", lambda i, x: lax.switch(i, [jnp.sin, jnp.cos, jnp.tanh], x), (np.int32(2), x)
    yield "fori_loop", lambda x: lax.fori_loop(0, 4, lambda i, c: c + i, x), (x,)
    yield "map", lambda x: lax.map(jnp.sin, x), (x,)
    yield "associative_scan", lambda x: lax.associative_scan(jnp.add, x), (x,)
    function = lambda x: jnp.sum(jnp.tanh(x) ** 2)
    yield "grad", jax.grad(function), (x,)
    yield "hessian", jax.hessian(function), (x,)
    yield "jacfwd", jax.jacfwd(lambda x: jnp.tanh(x) ** 2), (x,)
    yield "vmap", jax.vmap(lambda x: jnp.dot(x, x)), (floats(3, 4),)
    yield "checkpoint", jax.grad(jax.checkpoint(lambda x: jnp.sin(x).sum())), (x,)
    yield "grad-pool", jax.grad(lambda x: pool(x).sum()), (floats(1, 4, 4, 3),)
    yield "grad-sort", jax.grad(lambda x: (jnp.sort(x) * jnp.arange(6)).sum()), (x,)
    indices = np.array([0, 2, 2], np.int32)
    yield "at-set", lambda x: x.at[1].set(3), (x,)
    yield "at-add", lambda x, i: x.at[i].add(1), (x, indices)
    yield "at-multiply", lambda x, i: x.at[i].multiply(2), (x, indices)
    yield "take", lambda x, i: jnp.take(x, i, axis=0), (floats(5, 2), np.array([0, -1, 7], np.int32))
    yield "take_along_axis", lambda x: jnp.take_along_axis(x, jnp.argsort(x, 1), 1), (floats(3, 4),)
    yield "dynamic_slice", lambda x, i: lax.dynamic_slice(x, (i, 0), (2, 2)), (floats(5, 3), np.int32(2))
    update = lambda x, y, i: lax.dynamic_update_slice(x, y, (i, 0))
    yield "dynamic_update_slice", update, (floats(5, 3), floats(2, 2), np.int32(2))
    yield "top_k", lambda x: lax.top_k(x, 3), (floats(4, 9),)
    yield "approx_max_k", lambda x: lax.approx_max_k(x, 2), (floats(16),)
    yield "sort-pairs", lambda a, b: lax.sort((a, b), num_keys=1), (floats(9), np.arange(9))
    yield "lexsort", lambda a, b: jnp.lexsort((a, b)), (floats(9), values((9,), np.int32))
    yield "pad", lambda x: lax.pad(x, jnp.float32(0), ((1, 2, 1),)), (x,)
    yield "clamp", lambda x: lax.clamp(jnp.float32(-1), x, jnp.float32(1)), (x,)
    yield "bitcast", lambda x: lax.bitcast_convert_type(x, jnp.int32), (x,)
    yield "cumlogsumexp", lax.cumlogsumexp, (x,)
    yield "interp", lambda x: jnp.interp(x, jnp.arange(4.0), jnp.arange(4.0) ** 2), (x,)
    yield "histogram", jnp.histogram, (floats(20),)
    yield "searchsorted", lambda x: jnp.searchsorted(jnp.arange(5.0), x), (x,)
    yield "convolve", jnp.convolve, (floats(5), floats(3))
    yield "resize", lambda x: jax.image.resize(x, (8, 8), "bilinear"), (floats(4, 4),)
    yield "one_hot", lambda x: nn.one_hot(x, 5), (values((4,), np.int32),)
    eighth = lambda x: x.astype(jnp.float8_e4m3fn).astype(jnp.float32)
    yield "float8", eighth, (x,)
    yield "int4", lambda x: (x.astype(jnp.int4) + jnp.int4(1)).astype(jnp.int32), (values((9,), np.int32),)
    wide = lambda a, b: lax.dot(a, b, preferred_element_type=jnp.int32)
    yield "dot-int8", wide, (values((3, 4), np.int8), values((4, 5), np.int8))
    sizes = np.array([2, 4], np.int32)
    yield "ragged_dot", lax.ragged_dot, (floats(6, 4), floats(2, 4, 5), sizes)
    for name, arguments in DISTRIBUTIONS.items():
        for kind in ["threefry2x32", "rbg"]:
            draw = getattr(jax.random, name)
            sample = lambda seed, d=draw, k=kind, a=arguments: d(jax.random.key(seed, impl=k), *a)
            yield f"random.{name}-{kind}", sample, (np.int32(7),)


CASES = [*by_type(), *special_values(), *linear_algebra(), *structured()]
CASES = CASES[:: int(os.environ.get("HALO_SWEEP_STEP", 1))]


@pytest.mark.parametrize("case, function, operands", CASES, ids=[case[0] for case in CASES])
def test_function(case, function, operands):
    try:
        expected = run_on("cpu", function, operands)
    except Exception as error:
        pytest.skip(f"JAX refuses it: {type(error).__name__}")
    actual = run_on(PLATFORM, function, operands)
    assert len(actual) == len(expected)
    for one, other in zip(actual, expected):
        check_equal(one, other)


@pytest.mark.parametrize("function", [jnp.sin, jnp.cumsum, jnp.sort, jnp.linalg.inv, jnp.fft.fft])
@pytest.mark.parametrize("dtype", [np.float64, np.complex128, np.int64, np.uint64])
def test_wide_types(function, dtype):
    with jax.enable_x64(True):
        operands = (positive_definite(np.float64).astype(dtype),)
        try:
            expected = run_on("cpu", function, operands)
        except Exception as error:
            pytest.skip(f"JAX refuses it: {type(error).__name__}")
        for one, other in zip(run_on(PLATFORM, function, operands), expected):
            check_equal(one, other)


def test_subnormal_numbers_are_exact():
    x = np.array([1e-40, -1e-45], np.float32)
    with jax.default_device(jax.devices(PLATFORM)[0]):
        np.testing.assert_array_equal(np.asarray(jnp.multiply(x, 3)), x * 3)
        np.testing.assert_array_equal(np.asarray(jnp.sign(x)), [1, -1])
