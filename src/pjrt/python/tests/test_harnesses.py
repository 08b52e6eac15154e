"""Thousands of uses of primitives, which JAX has for its tests, on Halo and on JAX's own
backend. A sample by default; `HALO_HARNESSES=all` runs all of them in half an hour."""

import os
import zlib

import jax
import numpy as np
import pytest

from comparison import PLATFORM, as_array

pytest.importorskip("absl", reason="JAX's harnesses need absl-py")
from jax._src.internal_test_util import test_harnesses  # noqa: E402

STEP = 1 if os.environ.get("HALO_HARNESSES") == "all" else 16
HARNESSES = [one for one in test_harnesses.all_harnesses if one.filter("cpu")][::STEP]

TOLERANCES = {
    "bfloat16": 2e-2,
    "float16": 3e-3,
    "float32": 3e-5,
    "complex64": 3e-5,
    "float64": 1e-11,
    "complex128": 1e-11,
}


def run_on(platform, harness, arguments):
    device = jax.devices(platform)[0]
    with jax.default_device(device):
        placed = [jax.device_put(argument, device) for argument in arguments]
        results = jax.jit(harness.dyn_fun)(*placed)
        return [as_array(leaf) for leaf in jax.tree.leaves(results)]


def adjoint(matrix):
    return np.conj(np.swapaxes(matrix, -1, -2))


def singular_values(outputs):
    values, *vectors = outputs
    if not vectors:
        return outputs
    left, right = vectors
    count = values.shape[-1]
    product = (left[..., :count] * values[..., None, :]) @ right[..., :count, :]
    return [values, product, adjoint(left) @ left, right @ adjoint(right)]


def eigenvalues(outputs):
    """The values in any order have the same sums of powers. Vectors have any phase, in the order
    of the values: their lengths remain, and the tests of linear algebra see that they are right."""
    values, *vectors = outputs
    powers = [(values**power).sum(-1) for power in [1, 2]]
    return powers + [np.linalg.norm(each, axis=-2) for each in vectors]


def symmetric_eigenvalues(outputs):
    vectors, values = outputs
    return [values, (vectors * values[..., None, :]) @ adjoint(vectors)]


def determined(harness, outputs):
    """What the outputs say beside choices that an implementation has."""
    match harness.group_name:
        case "svd":
            return singular_values(outputs)
        case "eig":
            return eigenvalues(outputs)
        case "eigh":
            return symmetric_eigenvalues(outputs)
        case "sort" if not harness.params["is_stable"]:
            return outputs[: harness.params["num_keys"]]
        case "approx_top_k":
            return outputs[:1]
    return outputs


def check_close(actual, expected, tolerance):
    if tolerance is None and expected.dtype.kind in "biu":
        np.testing.assert_array_equal(actual, expected)
        return
    wide = np.complex128 if expected.dtype.kind == "c" else np.float64
    actual, expected = actual.astype(wide), expected.astype(wide)
    # Sums of large terms may be small.
    sizes = np.abs(expected[np.isfinite(expected)])
    scale = max(1.0, sizes.max(initial=0))
    tolerance = tolerance or 1e-2
    np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=tolerance * scale)


@pytest.mark.parametrize("harness", HARNESSES, ids=lambda harness: harness.fullname)
def test_as_jax(harness):
    with jax.enable_x64(True):
        generator = np.random.RandomState(zlib.crc32(harness.fullname.encode()))
        arguments = harness.dyn_args_maker(generator)
        try:
            expected = run_on("cpu", harness, arguments)
        except Exception as error:
            pytest.skip(f"JAX's own backend refuses it: {error}")
        actual = run_on(PLATFORM, harness, arguments)
    assert [each.shape for each in actual] == [each.shape for each in expected]
    assert [each.dtype for each in actual] == [each.dtype for each in expected]
    tolerances = [TOLERANCES.get(each.dtype.name) for each in expected]
    tolerance = max((each for each in tolerances if each), default=None)
    actual, expected = (determined(harness, each) for each in (actual, expected))
    for one, other in zip(actual, expected):
        check_close(one, other, tolerance if one.dtype.kind not in "biu" else None)
