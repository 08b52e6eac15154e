"""Halo as the platform `cpu`, in processes of their own: the name is read when JAX starts."""

import os
import subprocess
import sys
import textwrap

PROGRAM = """
    import functools

    import jax
    import jax.numpy as jnp
    import numpy as np

    device = jax.devices()[0]
    assert jax.default_backend() == device.platform == "cpu"
    assert jax.devices("cpu") == jax.devices()
    assert "halo" in device.client.platform_version

    x = jnp.arange(8.0)
    numbers = np.arange(8.0, dtype=np.float32)
    np.testing.assert_allclose(jax.jit(jnp.sin)(x), np.sin(numbers), rtol=1e-6)
    np.testing.assert_array_equal(np.linalg.svd(2 * np.eye(3))[1], jnp.linalg.svd(2 * jnp.eye(3))[1])

    branches = functools.partial(
        jax.lax.platform_dependent, cpu=jnp.sin, tpu=jnp.tan, default=jnp.cos
    )
    for f in [branches, jax.jit(branches), jax.vmap(branches)]:
        np.testing.assert_allclose(f(x), np.sin(numbers), rtol=1e-6)

    # A callback may compute: its arguments are on another device.
    def on_host(array):
        return np.asarray(array) * 2 + np.asarray(jnp.sum(jnp.asarray(array)))

    call = lambda x: jax.pure_callback(on_host, jax.ShapeDtypeStruct(x.shape, x.dtype), x) + 1
    np.testing.assert_array_equal(jax.jit(call)(x), 2 * numbers + 29)
    jax.debug.print("printed {}", x[:2])
    jax.effects_barrier()

    np.testing.assert_array_equal(np.from_dlpack(x), numbers)
    np.testing.assert_array_equal(jnp.from_dlpack(numbers), numbers)
    exported = jax.export.export(jax.jit(jnp.sin))(x)
    assert exported.platforms == ("cpu",)
    np.testing.assert_allclose(exported.call(x), np.sin(numbers), rtol=1e-6)
    assert jax.jit(jnp.sin).lower(x).compile().cost_analysis()
"""


def _run(**variables):
    environment = {
        name: value for name, value in os.environ.items() if name not in ("JAX_PLATFORMS",)
    }
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(PROGRAM)],
        env=environment | variables,
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_halo_is_the_platform_cpu():
    for variables in [{}, {"JAX_PLATFORMS": "cpu"}]:
        ended = _run(HALO_PLATFORM_NAME="cpu", **variables)
        assert ended.returncode == 0, ended.stderr
        assert "printed [0. 1.]" in ended.stdout


def test_the_name_is_not_taken_by_default():
    ended = _run(JAX_PLATFORMS="halo")
    assert ended.returncode != 0
    assert "AssertionError" in ended.stderr
