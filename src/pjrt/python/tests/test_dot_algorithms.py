"""Algorithms of `dot_general`: Halo accepts those that JAX's own backend does."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from comparison import PLATFORM, check_equal, run_on

DTYPES = ["float8_e4m3fn", "bfloat16", "float16", "float32", "float64", "int8", "complex64"]


def outcome(platform, function, arguments):
    try:
        return run_on(platform, function, arguments)[0]
    except Exception as error:
        # The rest names the platform.
        return type(error), str(error)[:60]


@pytest.mark.parametrize("accumulated", [None, "float32", "float64"])
@pytest.mark.parametrize("algorithm", lax.DotAlgorithmPreset, ids=lambda preset: preset.name)
def test_presets(algorithm, accumulated):
    numbers = np.random.default_rng(0).integers(-6, 7, (2, 16, 16)) / 4
    with jax.enable_x64(True):
        for dtype in DTYPES:
            arguments = list(np.asarray(jnp.asarray(numbers, dtype)))
            multiply = jax.jit(
                lambda a, b: lax.dot(
                    a, b, precision=algorithm, preferred_element_type=accumulated
                )
            )
            found, expected = (outcome(one, multiply, arguments) for one in [PLATFORM, "cpu"])
            if isinstance(expected, tuple):
                assert found == expected
            else:
                check_equal(found, expected)
