"""The programs of examples/jax train on Halo as on JAX's own backend."""

import importlib

import jax
import pytest

from comparison import PLATFORM, as_array, check_equal, check_same_on_halo_and_cpu


@pytest.mark.parametrize("name", ["digits", "transformer", "resnet", "transformations"])
def test_example(name):
    example = importlib.import_module(name)
    # Small differences grow from step to step.
    check_same_on_halo_and_cpu(example.run, (), tolerance=2e-3)


def test_sharded_example():
    example = importlib.import_module("sharded")
    actual = jax.tree.leaves(example.run(jax.devices(PLATFORM)[:4]))
    # JAX's own backend may wait for itself without end where it has more devices than cores.
    expected = jax.tree.leaves(example.run(jax.devices("cpu")[:1]))
    for one, other in zip(actual, expected, strict=True):
        check_equal(as_array(one), as_array(other), tolerance=1e-4)
    assert len(actual[0].devices()) == 4
