"""The programs of examples/jax train on Halo as on JAX's own backend."""

import importlib

import pytest

from comparison import check_same_on_halo_and_cpu


@pytest.mark.parametrize("name", ["digits", "transformer", "resnet", "transformations"])
def test_example(name):
    example = importlib.import_module(name)
    # Small differences grow from step to step.
    check_same_on_halo_and_cpu(example.run, (), tolerance=2e-3)
