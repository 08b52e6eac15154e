"""Values that lie in memory in another order than row by row."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.experimental.layout import Format, Layout, with_layout_constraint
from jax.sharding import Mesh, NamedSharding, PartitionSpec, SingleDeviceSharding

BY_COLUMNS = Layout(major_to_minor=(1, 0))
MATRIX = np.arange(8 * 5, dtype=np.float32).reshape(8, 5)


def on_one_device(layout):
    return Format(layout, SingleDeviceSharding(jax.devices()[0]))


def order(array):
    return array.format.layout.major_to_minor


def test_arrays_are_put_by_columns_and_used():
    array = jax.device_put(MATRIX, on_one_device(BY_COLUMNS))
    assert order(array) == (1, 0)
    np.testing.assert_array_equal(array, MATRIX)
    # Programs that are not told read what is there, whatever its order.
    np.testing.assert_array_equal(jnp.sin(array), jnp.sin(MATRIX))
    np.testing.assert_array_equal(array + array.T.T, MATRIX + MATRIX)
    np.testing.assert_array_equal(array[2:4], MATRIX[2:4])
    np.testing.assert_array_equal(jax.device_put(array, jax.devices()[0]), MATRIX)


def test_programs_write_and_read_by_columns():
    by_columns = on_one_device(BY_COLUMNS)
    made = jax.jit(lambda x: x * 2, out_shardings=by_columns)(MATRIX)
    assert order(made) == (1, 0)
    np.testing.assert_array_equal(made, MATRIX * 2)
    read = jax.jit(lambda x: x @ x.T, in_shardings=by_columns)(made)
    np.testing.assert_allclose(read, (MATRIX * 2) @ (MATRIX * 2).T, rtol=1e-6)
    compiled = jax.jit(lambda x: x.T, in_shardings=by_columns).lower(MATRIX).compile()
    assert compiled.input_formats[0][0].layout.major_to_minor == (1, 0)
    assert compiled.output_formats.layout.major_to_minor == (0, 1)


def test_three_dimensions_and_narrow_types():
    for dtype in ["int8", "int4", "bfloat16", "bool", "complex64"]:
        x = jnp.arange(24).reshape(2, 3, 4).astype(dtype)
        layout = on_one_device(Layout(major_to_minor=(2, 0, 1)))
        made = jax.jit(lambda x: x, out_shardings=layout)(x)
        assert order(made) == (2, 0, 1)
        np.testing.assert_array_equal(np.asarray(made), np.asarray(x))


def test_the_choice_of_the_compiler_is_row_major():
    automatic = Format(Layout.AUTO)
    compiled = jax.jit(lambda x: x.T, in_shardings=automatic, out_shardings=automatic)
    compiled = compiled.lower(MATRIX).compile()
    assert compiled.output_formats.layout.major_to_minor == (0, 1)
    np.testing.assert_array_equal(compiled(MATRIX), MATRIX.T)


def test_memory_is_given_to_a_result_of_the_same_order():
    by_columns = on_one_device(BY_COLUMNS)
    array = jax.device_put(MATRIX, by_columns)
    step = jax.jit(
        lambda x: x + 1, in_shardings=by_columns, out_shardings=by_columns, donate_argnums=0
    )
    address = array.unsafe_buffer_pointer()
    result = step(array)
    assert array.is_deleted()
    assert result.unsafe_buffer_pointer() == address
    np.testing.assert_array_equal(result, MATRIX + 1)


def test_a_wrong_order_is_an_error():
    step = jax.jit(lambda x: x, in_shardings=on_one_device(BY_COLUMNS))
    with pytest.raises(ValueError, match="does not match the layout"):
        step(jax.device_put(MATRIX, on_one_device(Layout(major_to_minor=(0, 1)))))


def test_constraints_inside_of_programs():
    step = jax.jit(lambda x: with_layout_constraint(x.T, BY_COLUMNS) * 2)
    np.testing.assert_array_equal(step(MATRIX), MATRIX.T * 2)


def test_parts_on_several_devices():
    mesh = Mesh(np.array(jax.devices()[:2]), ("x",))
    by_columns = Format(BY_COLUMNS, NamedSharding(mesh, PartitionSpec("x")))
    array = jax.device_put(MATRIX, by_columns)
    assert order(array) == (1, 0)
    np.testing.assert_array_equal(array, MATRIX)
    step = jax.jit(lambda x: x * 2, in_shardings=by_columns, out_shardings=by_columns)
    result = step(array)
    assert order(result) == (1, 0)
    np.testing.assert_array_equal(result, MATRIX * 2)
    np.testing.assert_array_equal(jnp.sum(result, axis=0), (MATRIX * 2).sum(axis=0))
