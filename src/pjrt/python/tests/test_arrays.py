"""Arrays of the backend: where they are, copies, donation, and what goes wrong."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest


def test_devices():
    assert jax.default_backend() == "halo"
    device = jax.devices()[0]
    assert device.platform == "halo"
    assert device.default_memory().kind == "device"
    assert device.memory_stats()["bytes_limit"] > 0


@pytest.mark.parametrize("dtype", [np.float64, np.int32, np.complex64, np.bool_, jnp.int4])
def test_numpy_arrays_of_any_strides(dtype):
    base = np.arange(60).reshape(3, 4, 5).astype(dtype)
    for view in [base, base.T, base[::-1, ::2], base[:, :, 1:2], np.broadcast_to(base[:1], base.shape)]:
        with jax.enable_x64(True):
            np.testing.assert_array_equal(np.asarray(jax.device_put(view)), view)


def test_arrays_outlive_their_sources():
    source = np.arange(1 << 20, dtype=np.float32)
    array = jax.device_put(source)
    result = array + 1
    view = np.asarray(result)
    del array, result
    source[:] = 0
    np.testing.assert_array_equal(view[:3], [1, 2, 3])


def test_donation():
    step = jax.jit(lambda x: x + 1, donate_argnums=0)
    x = jnp.zeros(1024)
    y = step(x)
    assert x.is_deleted()
    for _ in range(5):
        y = step(y)
    assert y[0] == 6
    with pytest.raises(RuntimeError, match="deleted"):
        np.asarray(x)


def test_errors_have_messages():
    big = jax.ShapeDtypeStruct((1 << 40,), jnp.float32)
    with pytest.raises(Exception, match="(?i)memory|RESOURCE_EXHAUSTED"):
        jax.jit(lambda: jnp.zeros(big.shape, big.dtype))().block_until_ready()
    with pytest.raises(ValueError, match="devices"):
        jax.make_mesh((64,), ("x",))


def test_ahead_of_time():
    compiled = jax.jit(lambda x: jnp.dot(x, x)).lower(jnp.ones((8, 8))).compile()
    memory = compiled.memory_analysis()
    assert memory.argument_size_in_bytes == 256 and memory.output_size_in_bytes == 256
    assert "dot" in compiled.as_text()
    assert compiled.cost_analysis()["bytes accessed"] >= 512


def test_exported_dynamic_shapes():
    from jax import export

    (n,) = export.symbolic_shape("n")
    exported = export.export(jax.jit(lambda x: x.sum() * x), platforms=["halo"])(
        jax.ShapeDtypeStruct((n,), jnp.float32)
    )
    for size in [1, 3, 5]:
        x = jnp.arange(float(size))
        np.testing.assert_allclose(exported.call(x), x.sum() * x)


def test_memory_does_not_grow():
    import resource

    def step(number):
        x = jnp.full((256, 256), number)
        return jax.jit(lambda x: x + number)(x).block_until_ready()

    for number in range(20):
        step(number)
    jax.clear_caches()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for number in range(200):
        step(number)
        if number % 50 == 0:
            jax.clear_caches()
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert after - before < 64 << 10
