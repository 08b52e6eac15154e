"""Runs functions of JAX on Halo and on JAX's own backend for CPUs, and compares the results."""

import os

import jax
import jax.numpy as jnp
import numpy as np

# The platform of Halo that is compared.
PLATFORM = os.environ.get("HALO_TEST_PLATFORM", "halo")

# Relative and absolute, of the elements' type.
TOLERANCES = {
    "bfloat16": 2e-2,
    "float16": 2e-3,
    "float32": 2e-5,
    "complex64": 2e-5,
    "float64": 1e-12,
    "complex128": 1e-12,
}


def run_on(platform, function, arguments):
    """The leaves of the results as NumPy arrays."""
    device = jax.devices(platform)[0]
    with jax.default_device(device):
        arguments = jax.tree.map(lambda leaf: jax.device_put(leaf, device), arguments)
        return [as_array(leaf) for leaf in jax.tree.leaves(function(*arguments))]


def as_array(leaf):
    if jnp.issubdtype(getattr(leaf, "dtype", None), jax.dtypes.prng_key):
        leaf = jax.random.key_data(leaf)
    return np.asarray(leaf)


def check_equal(actual, expected, tolerance=None):
    assert actual.shape == expected.shape
    assert actual.dtype == expected.dtype
    if actual.dtype.kind in "biu":
        np.testing.assert_array_equal(actual, expected)
        return
    wide = np.complex128 if actual.dtype.kind == "c" else np.float64
    tolerance = tolerance or TOLERANCES.get(actual.dtype.name, 1e-6)
    actual, expected = actual.astype(wide), expected.astype(wide)
    np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=tolerance)


def check_same_on_halo_and_cpu(function, arguments, tolerance=None):
    expected = run_on("cpu", function, arguments)
    actual = run_on(PLATFORM, function, arguments)
    assert len(actual) == len(expected)
    for one, other in zip(actual, expected):
        check_equal(one, other, tolerance)
