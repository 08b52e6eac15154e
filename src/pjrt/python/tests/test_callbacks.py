"""Python functions that programs call."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.experimental import io_callback


def like(x):
    return jax.ShapeDtypeStruct(x.shape, x.dtype)


def test_pure_callback():
    @jax.jit
    def function(x):
        return 2 * jax.pure_callback(np.sin, like(x), x)

    x = jnp.arange(5.0)
    np.testing.assert_allclose(function(x), 2 * np.sin(np.arange(5.0)), rtol=1e-6)
    np.testing.assert_allclose(jax.pure_callback(np.sin, like(x), x), np.sin(x), rtol=1e-6)


@pytest.mark.parametrize("dtype", [np.int8, np.uint32, np.bool_, jnp.bfloat16, np.complex64])
@pytest.mark.parametrize("shape", [(), (0,), (2, 3)])
def test_types_and_shapes(dtype, shape):
    x = np.ones(shape, dtype)
    seen = []

    def identity(value):
        seen.append((value.shape, value.dtype))
        return value

    result = jax.jit(lambda x: jax.pure_callback(identity, like(x), x))(x)
    np.testing.assert_array_equal(np.asarray(result), x)
    assert seen == [(shape, np.dtype(dtype))]


def test_several_results_and_gradients():
    @jax.custom_vjp
    def function(x):
        return jax.pure_callback(lambda a: a * a, like(x), x)

    function.defvjp(lambda x: (function(x), x), lambda x, g: (2 * x * g,))
    assert jax.jit(jax.grad(function))(3.0) == 6.0
    pair = jax.jit(lambda x: jax.pure_callback(lambda a: (a + 1, a > 2), (like(x), like(x > 2)), x))
    assert [value.item() for value in pair(np.float32(3))] == [4.0, True]


def test_vmap():
    double = lambda x: jax.pure_callback(lambda a: 2 * a, like(x), x, vmap_method="sequential")
    np.testing.assert_array_equal(jax.vmap(double)(jnp.arange(3.0)), [0, 2, 4])


def test_effects_are_in_order():
    log = []

    @jax.jit
    def function(x):
        for number in range(3):
            io_callback(lambda a, n=number: log.append((n, int(a))), None, x, ordered=True)
        return x + 1

    assert function(function(jnp.int32(4))) == 6
    jax.effects_barrier()
    assert log == [(0, 4), (1, 4), (2, 4), (0, 5), (1, 5), (2, 5)]


def test_effects_in_loops():
    log = []

    @jax.jit
    def function(n):
        def body(i, total):
            jax.debug.callback(lambda a: log.append(int(a)), i)
            return total + i

        return jax.lax.fori_loop(0, n, body, 0)

    assert function(4) == 6
    jax.effects_barrier()
    assert log == [0, 1, 2, 3]


def test_debug_print(capfd):
    jax.jit(lambda x: jax.debug.print("x is {x}", x=x))(jnp.float32(1.5))
    jax.effects_barrier()
    assert "x is 1.5" in capfd.readouterr().out


def test_errors_come_back():
    def fails(value):
        raise ValueError("no such value")

    function = jax.jit(lambda x: jax.pure_callback(fails, like(x), x))
    with pytest.raises(jax.errors.JaxRuntimeError, match="ValueError: no such value"):
        function(jnp.ones(2)).block_until_ready()
    # The next program runs.
    assert jax.jit(lambda x: x + 1)(1) == 2


def test_profiler(tmp_path):
    with jax.profiler.trace(str(tmp_path)):
        jax.jit(lambda x: x + 1)(1).block_until_ready()


def test_errors_are_raised_where_the_program_is_called():
    scalar = jax.ShapeDtypeStruct((1,), np.float32)
    function = jax.jit(lambda: jax.pure_callback(lambda: np.float32(1), scalar))
    with pytest.raises(jax.errors.JaxRuntimeError, match="Incorrect output shape"):
        function()

    def fails():
        raise ValueError("boo")

    ordered = jax.jit(lambda x: (jax.debug.callback(fails, ordered=True), x)[1])
    with pytest.raises(jax.errors.JaxRuntimeError, match="boo"):
        ordered(jnp.ones(3))
    # Nothing of it is left for those that come after.
    seen = []
    jax.jit(lambda: jax.debug.callback(lambda: seen.append(1), ordered=True))()
    jax.effects_barrier()
    assert seen == [1]


def test_donation_beside_ordered_effects(capfd):
    def add(x, y):
        jax.debug.print("{}", x, ordered=True)
        return x + y, x - y

    donated = jnp.arange(4.0)
    total, difference = jax.jit(add, donate_argnums=0)(donated, jnp.ones(4))
    jax.effects_barrier()
    assert donated.is_deleted() and capfd.readouterr().out
    np.testing.assert_array_equal(total, [1, 2, 3, 4])
    np.testing.assert_array_equal(difference, [-1, 0, 1, 2])


class TestBufferCallback:
    def run(self, function, result, *arguments, keywords={}, **options):
        from jax.experimental.buffer_callback import buffer_callback

        return buffer_callback(function, result, **options)(*arguments, **keywords)

    @pytest.mark.parametrize("dtype", ["bool", "int8", "bfloat16", "float32", "complex64"])
    def test_results_are_written_in_place(self, dtype):
        from jax.experimental.buffer_callback import ExecutionStage

        def add(ctx, out, x, *, y):
            assert ctx.stage == ExecutionStage.EXECUTE
            assert out.writeable and not x.writeable and out.shape == (2, 3) and out.ndim == 2
            assert np.asarray(x).dtype == x.dtype == dtype
            np.asarray(out)[...] = np.asarray(x) + np.asarray(y)

        x = jnp.asarray(np.arange(6).reshape(2, 3), dtype)
        call = jax.jit(lambda x: self.run(add, x, x, keywords={"y": x}))
        np.testing.assert_array_equal(call(x), x + x)

    def test_trees_and_vmap(self):
        def sums(ctx, out, pair):
            np.asarray(out["sum"])[...] = np.asarray(pair[0]) + np.asarray(pair[1])

        def call(a, b):
            return self.run(sums, {"sum": a}, (a, b), vmap_method="sequential")

        a, b = np.arange(6.0).reshape(2, 3).astype("f"), np.ones((2, 3), "f")
        np.testing.assert_array_equal(jax.jit(call)(a, b)["sum"], a + b)
        np.testing.assert_array_equal(jax.vmap(call)(a, b)["sum"], a + b)

    def test_an_operand_in_the_memory_of_the_result(self):
        def increment(ctx, out, x):
            np.asarray(out)[...] += 1

        x = jnp.arange(4)
        found = self.run(increment, x, x, input_output_aliases={0: 0})
        np.testing.assert_array_equal(found, [1, 2, 3, 4])
        np.testing.assert_array_equal(x, [0, 1, 2, 3])

    def test_errors(self):
        with pytest.raises(jax.errors.JaxRuntimeError, match="must not return any values"):
            self.run(lambda ctx, out: 1, jnp.ones(3)).block_until_ready()
        with pytest.raises(jax.errors.JaxRuntimeError, match="no streams"):
            self.run(lambda ctx, out: ctx.stream, jnp.ones(3)).block_until_ready()
        with pytest.raises(jax.errors.JaxRuntimeError, match="read-only"):
            writes = lambda ctx, out, x: np.asarray(x).fill(0)
            self.run(writes, jnp.ones(3), jnp.ones(3)).block_until_ready()


def test_callbacks_of_other_libraries():
    """Those that call JAX's `mlir.emit_python_callback`, as the solver for sparse matrices."""
    from jax.experimental import sparse
    from jax.experimental.sparse.linalg import spsolve

    dense = np.array([[4.0, 0, 1], [0, 3, 0], [1, 0, 2]], np.float32)
    matrix = sparse.CSR.fromdense(jnp.array(dense))
    solution = spsolve(matrix.data, matrix.indices, matrix.indptr, jnp.ones(3))
    np.testing.assert_allclose(dense @ np.asarray(solution), np.ones(3), rtol=1e-6)
