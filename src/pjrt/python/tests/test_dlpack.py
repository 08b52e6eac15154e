"""DLPack: arrays that other libraries lend, and read, in place."""

import gc

import jax
import jax.numpy as jnp
import numpy as np
import pytest

SHAPES = [(), (3,), (0, 4), (2, 1, 4)]
NAMES = [
    "bool", "int8", "uint16", "int32", "uint64", "float16", "bfloat16", "float32", "float64",
    "complex64",
]  # fmt: skip


def aligned(count, offset=0):
    """Numbers that begin `offset` elements behind a multiple of 64 bytes."""
    memory = np.arange(count + 32, dtype=np.float32)
    start = (-memory.ctypes.data // 4) % 16 + offset
    return memory[start : start + count]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", NAMES)
def test_round_trips(name, shape):
    with jax.enable_x64(True):
        array = jnp.ones(shape, name)
        again = jax.dlpack.from_dlpack(array)
        assert again.devices() == array.devices()
        assert (again.dtype, again.shape) == (array.dtype, array.shape)
        assert array.size == 0 or again.unsafe_buffer_pointer() == array.unsafe_buffer_pointer()
        np.testing.assert_array_equal(np.asarray(again), np.asarray(array))
        copy = jax.dlpack.from_dlpack(array, copy=True)
        assert array.size == 0 or copy.unsafe_buffer_pointer() != array.unsafe_buffer_pointer()


def test_numpy_reads_in_place():
    array = jnp.arange(6.0).reshape(2, 3)
    assert array.__dlpack_device__()[0] == 1
    view = np.from_dlpack(array)
    assert view.ctypes.data == array.unsafe_buffer_pointer()
    result = jax.jit(lambda x: x + 1, donate_argnums=0)(array)
    array.delete()
    del array
    gc.collect()
    np.testing.assert_array_equal(view, [[0, 1, 2], [3, 4, 5]])
    np.testing.assert_array_equal(result, view + 1)


def test_memory_of_numpy():
    lent, shifted = aligned(64), aligned(64, offset=1)
    for source in [lent, shifted, lent.reshape(8, 8).T]:
        array = jnp.from_dlpack(source)
        assert array.devices() == {jax.devices("halo")[0]}
        np.testing.assert_array_equal(array, source)
    assert jnp.from_dlpack(lent, copy=False).unsafe_buffer_pointer() == lent.ctypes.data
    with pytest.raises(ValueError, match="not aligned"):
        jnp.from_dlpack(shifted, copy=False)


def test_devices():
    halo, cpu = jax.devices("halo")[0], jax.devices("cpu")[0]
    array = jnp.arange(4.0)
    on_cpu = jax.dlpack.from_dlpack(array, device=cpu)
    assert on_cpu.devices() == {cpu}
    assert jax.dlpack.from_dlpack(on_cpu).devices() == {halo}
    with jax.default_device(cpu):
        assert jax.dlpack.from_dlpack(array).devices() == {cpu}
    with pytest.raises(ValueError, match="requires a copy"):
        jax.dlpack.from_dlpack(array, device=cpu, copy=False)


def test_what_dlpack_has_no_place_for():
    with pytest.raises(jax.errors.JaxRuntimeError, match="no DLPack equivalent"):
        jnp.ones(3, jnp.int4).__dlpack__()
    with pytest.raises(RuntimeError, match="deleted"):
        array = jnp.ones(3)
        array.delete()
        array.__dlpack__()
