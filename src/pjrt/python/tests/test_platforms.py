"""Platforms of other backends than `cpu`: Halo's, and those of other libraries."""

import os
import pathlib
import subprocess
import sys

import pytest

from comparison import PLATFORM

ROOT = pathlib.Path(__file__).parents[4]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))

pytestmark = pytest.mark.skipif(PLATFORM != "halo", reason="the tests choose the platform")


def run(*command, **variables):
    environment = {name: value for name, value in os.environ.items() if name != "JAX_PLATFORMS"}
    search = os.pathsep.join([str(pathlib.Path(sys.executable).parent), os.environ["PATH"]])
    ended = subprocess.run(
        command,
        cwd=ROOT,
        env=environment | {"PATH": search} | variables,
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.fixture
def accelerator():
    """The variables of the example, whose library is beside Halo's if a variable names that."""
    own = os.environ.get("HALO_PJRT_LIBRARY")
    folder = pathlib.Path(own).parent if own else TARGET / "release"
    return {"ACCELERATOR_LIBRARY": str(folder / "libaccelerator.so")}


# docs/backends.md has the command.
DIGITS = """
JAX_PLATFORMS=accelerator PYTHONPATH=$PYTHONPATH:python python ../../jax/digits.py
"""


def test_digits_on_the_accelerator(accelerator):
    command = f"cd examples/out-of-tree/accelerator && {DIGITS}"
    assert "on accelerator: loss 2.5" in run("sh", "-c", command, **accelerator)


PROGRAM = """
import jax, jax.numpy as jnp, numpy as np
from jax.sharding import Mesh, PartitionSpec as P

devices = jax.devices("accelerator"), jax.devices("halo"), jax.devices("halo_cuda_emulator")
x = np.arange(12, dtype=np.float32).reshape(4, 3)
shape = jax.ShapeDtypeStruct(x.shape, x.dtype)
for [device, *others] in devices:
    with jax.default_device(device):
        put = jax.device_put(x.T, device)
        np.testing.assert_allclose(jax.jit(jnp.sin)(put), np.sin(x.T), rtol=1e-6)
        triple = lambda x: jax.pure_callback(lambda x: 3 * np.asarray(x), shape, x) + 1
        np.testing.assert_array_equal(jax.jit(triple)(x), 3 * x + 1)
        np.testing.assert_array_equal(np.from_dlpack(put), x.T)
        np.testing.assert_array_equal(jnp.from_dlpack(x), x)
        assert jnp.linalg.inv(2 * jnp.eye(3)).devices() == {device}
        assert jax.jit(jnp.sin).lower(put).compile().cost_analysis()
        mesh = Mesh(np.array([device, *others]), "i")
        total = lambda x: jax.lax.psum(jnp.sin(x), "i")
        total = jax.jit(jax.shard_map(total, mesh=mesh, in_specs=P("i"), out_specs=P()))
        expected = np.sin(x).reshape(len(mesh.devices), -1, 3).sum(0)
        np.testing.assert_allclose(total(x), expected, rtol=1e-5, atol=1e-6)
        assert device.core_count > 0 and device.memory_stats()["bytes_in_use"] > 0
"""


def test_platforms_work_together(accelerator):
    path = os.pathsep.join(
        [
            os.environ.get("PYTHONPATH", ""),
            str(ROOT / "examples" / "out-of-tree" / "accelerator" / "python"),
        ]
    )
    platforms = "accelerator,halo,halo_cuda_emulator,cpu"
    run(sys.executable, "-c", PROGRAM, JAX_PLATFORMS=platforms, PYTHONPATH=path, **accelerator)


@pytest.mark.parametrize("platform", ["halo_cuda_emulator"])
def test_a_sample_of_functions(platform):
    tests = pathlib.Path(__file__).parent
    variables = {"HALO_TEST_PLATFORM": platform, "HALO_SWEEP_STEP": "60"}
    files = [tests / "test_sweep.py", tests / "test_ffi.py", f"{tests / 'test_examples.py'}::test_example[digits]"]
    run(sys.executable, "-m", "pytest", "-q", *map(str, files), **variables)
