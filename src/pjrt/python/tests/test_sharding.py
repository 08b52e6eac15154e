"""Programs on several devices: `shard_map`, `pmap`, and `jit` with shardings."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

from comparison import PLATFORM, check_equal

X = np.arange(32, dtype=np.float32).reshape(8, 4)


def mesh(*sizes, kind=AxisType.Auto):
    names = ("x", "y")[: len(sizes)]
    devices = jax.devices(PLATFORM)[: int(np.prod(sizes))]
    return jax.make_mesh(sizes, names, axis_types=(kind,) * len(sizes), devices=devices)


def put(value, mesh, *spec):
    return jax.device_put(value, NamedSharding(mesh, P(*spec)))


@pytest.mark.parametrize("source", [(), ("x",), ("x", "y"), (None, "x"), (("y", "x"),)])
@pytest.mark.parametrize("target", [(), ("y",), ("y", "x"), (None, ("x", "y"))])
def test_jit_with_shardings(source, target):
    grid = mesh(2, 2)
    sharding = NamedSharding(grid, P(*target))
    function = jax.jit(lambda a: (jnp.sin(a), a.T @ a), out_shardings=(sharding, None))
    sine, product = function(put(X, grid, *source))
    assert sine.sharding.is_equivalent_to(sharding, 2)
    check_equal(np.asarray(sine), np.sin(X))
    check_equal(np.asarray(product), X.T @ X)


@pytest.mark.parametrize("dtype", ["bool", "int4", "uint8", "bfloat16", "float64", "complex64"])
def test_tiles_of_other_types(dtype):
    grid = mesh(4)
    with jax.enable_x64(True):
        value = (X > 9) if dtype == "bool" else (X % 7).astype(dtype)
        pair = jax.jit(lambda a: (a, a[::-1]), out_shardings=NamedSharding(grid, P(None, "x")))
        same, reverse = pair(put(value, grid, "x"))
        np.testing.assert_array_equal(np.asarray(same), value)
        np.testing.assert_array_equal(np.asarray(reverse), value[::-1])


def test_devices_in_another_order():
    devices = np.array(jax.devices(PLATFORM)[:4])[[2, 0, 3, 1]]
    grid = jax.sharding.Mesh(devices.reshape(2, 2), ("x", "y"))
    place = lambda a: lax.axis_index("x") * 2 + lax.axis_index("y") + 0 * a
    each = jax.shard_map(place, mesh=grid, in_specs=P("x", "y"), out_specs=P("x", "y"))
    result = jax.jit(each)(np.zeros((2, 2), np.int32))
    np.testing.assert_array_equal(np.asarray(result), [[0, 1], [2, 3]])


def collectives(a):
    total = lax.psum(a, "x") + lax.pmax(a, ("x", "y")) - lax.pmin(a, "y")
    turned = lax.ppermute(a, "x", [(0, 1), (1, 0)])
    all_rows = lax.all_gather(a, "x", tiled=True)
    own_rows = lax.psum_scatter(all_rows, "x", tiled=True)
    columns = lax.all_to_all(own_rows, "y", 1, 0, tiled=True)
    return total, turned, own_rows, columns


def test_collectives():
    each = jax.shard_map(
        collectives, mesh=mesh(2, 2), in_specs=P("x", "y"), out_specs=P("x", "y")
    )
    results = jax.jit(each)(X)
    # Rows and columns of parts.
    parts = X.reshape(2, 4, 2, 2).transpose(0, 2, 1, 3)
    total = parts.sum(0) + parts.max((0, 1)) - parts.min(1, keepdims=True)
    columns = 2 * np.stack([parts[..., n].reshape(2, 8, 1) for n in range(2)], 1)
    for actual, expected in zip(results, (total, parts[::-1], 2 * parts, columns), strict=True):
        assert actual.sharding.spec == P("x", "y")
        check_equal(np.asarray(actual), np.block([list(row) for row in expected]))


def test_manual_and_automatic_axes():
    grid = mesh(2, 2)
    part = jax.shard_map(
        lambda a: a @ a.T + lax.axis_index("x"), mesh=grid, in_specs=P("x"), out_specs=P("x"),
        axis_names={"x"},
    )  # fmt: skip
    result = jax.jit(lambda a: part(a) * 2)(put(X, grid, "x", "y"))
    expected = [2 * (half @ half.T + n) for n, half in enumerate(np.split(X, 2))]
    check_equal(np.asarray(result), np.concatenate(expected))


def test_gradients_and_loops():
    grid = mesh(4)
    norm = jax.shard_map(
        lambda a: lax.psum(jnp.sum(a**3), "x"), mesh=grid, in_specs=P("x"), out_specs=P()
    )
    slope = jax.jit(jax.grad(norm))(X)
    check_equal(np.asarray(slope), 3 * X**2)

    def step(sum, a):
        return sum + norm(a), jnp.cos(a)

    total, cosines = jax.jit(lambda a: lax.scan(step, 0.0, a))(np.stack([X, 2 * X]))
    check_equal(np.asarray(total), 9 * np.sum(X**3))
    check_equal(np.asarray(cosines), np.cos(np.stack([X, 2 * X])))


def test_pmap():
    rows = np.arange(8.0, dtype=np.float32).reshape(4, 2)
    centred = jax.pmap(
        lambda a: a - lax.pmean(a, "i"), axis_name="i", devices=jax.devices(PLATFORM)[:4]
    )
    check_equal(np.asarray(centred(rows)), rows - np.float32([3, 4]))


def test_explicit_axes():
    grid = mesh(4, kind=AxisType.Explicit)
    with jax.set_mesh(grid):
        result = jax.jit(lambda a: jnp.tanh(a).sum(0))(put(X, grid, "x"))
        check_equal(np.asarray(result), np.tanh(X).sum(0))


def test_donated_parts_are_overwritten():
    grid = mesh(4)
    double = jax.jit(lambda a: a * 2, donate_argnums=0, out_shardings=NamedSharding(grid, P("x")))
    value = put(X, grid, "x")
    result = double(value)
    assert value.is_deleted()
    check_equal(np.asarray(result), 2 * X)


def test_a_callback_is_called_once_for_all_or_by_each():
    grid = mesh(2, 2)
    shapes = []

    def sine(a):
        shapes.append(a.shape)
        return np.sin(a)

    call = lambda a: jax.pure_callback(sine, jax.ShapeDtypeStruct(a.shape, a.dtype), a)
    value = put(X, grid, "x", "y")
    check_equal(np.asarray(jax.jit(lambda a: 2 * call(a))(value)), 2 * np.sin(X))
    assert shapes == [(8, 4)]
    shapes.clear()
    each = jax.shard_map(call, mesh=grid, in_specs=P("x", "y"), out_specs=P("x", "y"))
    check_equal(np.asarray(jax.jit(each)(value)), np.sin(X))
    assert shapes == [(4, 2)] * 4


def test_the_error_of_one_device_is_that_of_the_program():
    grid = mesh(4)

    def fail(a):
        raise ValueError("no such number")

    call = lambda a: jax.pure_callback(fail, jax.ShapeDtypeStruct(a.shape, a.dtype), a)
    with pytest.raises(jax.errors.JaxRuntimeError, match="no such number"):
        jax.block_until_ready(jax.jit(call)(put(X, grid, "x")))
    # The devices go on.
    check_equal(np.asarray(jax.jit(jnp.sin)(put(X, grid, "x"))), np.sin(X))


def test_compiled_programs_tell_their_shardings():
    grid = mesh(2, 2)
    part = jax.shard_map(jnp.sin, mesh=grid, in_specs=P("x"), out_specs=P("x"))
    compiled = jax.jit(part).lower(jax.ShapeDtypeStruct(X.shape, X.dtype)).compile()
    (sharding,) = compiled.input_shardings[0]
    result = compiled(jax.device_put(X, sharding))
    assert result.sharding.is_equivalent_to(NamedSharding(grid, P("x")), 2)
    check_equal(np.asarray(result), np.sin(X))


def test_results_that_share_a_computation():
    grid = mesh(4)

    def both(a):
        sine = jnp.sin(a)
        return sine, jnp.tanh(sine) + sine

    results = jax.jit(both)(put(X, grid, "x"))
    for actual, expected in zip(results, (np.sin(X), np.tanh(np.sin(X)) + np.sin(X))):
        assert actual.sharding.is_equivalent_to(NamedSharding(grid, P("x")), 2)
        check_equal(np.asarray(actual), expected)


# As XLA divides the results for CPUs.
OPEN_RESULTS = {
    "transpose": (lambda a: a.T, P("y", "x")),
    "sum": (lambda a: a.sum(1), P("x")),
    "product": (lambda a: a @ a.T, P("x")),
    "broadcast": (lambda a: a[:, None] * jnp.ones((8, 3, 8)), P("x", None, "y")),
    "split": (lambda a: a.reshape(2, 4, 8), P("x", None, "y")),
    "slice": (lambda a: a[:4], P("x", "y")),
    "concatenate": (lambda a: jnp.concatenate([a, a]), P("x", "y")),
    "gather": (lambda a: a[jnp.array([3, 1])], P(None, "y")),
    "barrier": (lax.optimization_barrier, P("x", "y")),
    "loop": (lambda a: lax.fori_loop(0, 3, lambda _, b: b + 1, a), P("x", "y")),
    "branch": (lambda a: lax.cond(a[0, 0] > 1, jnp.sin, jnp.cos, a), P("x", "y")),
}


@pytest.mark.parametrize("case", OPEN_RESULTS)
def test_open_results(case):
    function, spec = OPEN_RESULTS[case]
    grid, value = mesh(2, 2), np.arange(64, dtype=np.float32).reshape(8, 8)
    found = jax.jit(function)(put(value, grid, "x", "y"))
    assert found.sharding.is_equivalent_to(NamedSharding(grid, spec), found.ndim)
    with jax.default_device(jax.devices("cpu")[0]):
        expected = jax.jit(function)(value)
    check_equal(np.asarray(found), np.asarray(expected))


# The shardings are those of XLA: whole axes that divide the sizes of a result evenly.
UNEVEN_RESULTS = {
    "slice": (lambda a: a[:6], P(), P("x")),
    "odd_slice": (lambda a: a[1:], P(), P()),
    "no_elements": (lambda a: a[:0], P(), P()),
    "one_element": (lambda a: a[:1], P(), P()),
    "pad": (lambda a: jnp.pad(a, 1), P(), P("x")),
    "reshape": (lambda a: a.reshape(2, 4), P(), P("x", "y")),
    "even_reshape": (lambda a: a.reshape(4, 2), P("x"), P(("x", "y"))),
    "split": (lambda a: jnp.split(a, 4)[0], P(), P("x")),
    "concatenate": (lambda a: jnp.concatenate([a, a[:2]]), P(), P("x")),
    "adjacent": (lambda a: a[:-2] + a[2:], P(), P("x")),
    "window": (lambda a: lax.reduce_window(a, 0.0, lax.add, (3,), (1,), "VALID"), P(), P("x")),
    "dynamic_slice": (lambda a: lax.dynamic_slice(a, (1,), (6,)), P(), P("x")),
    "loop": (lambda a: lax.fori_loop(0, 3, lambda _, b: 2 * b, a[:6]), P(), P("x")),
    "branch": (lambda a: lax.cond(a[0] > 1, lambda b: b[:6], lambda b: b[2:], a), P(), P("x")),
    "complex": (lambda a: (a * 1j)[:6], P(), P("x")),
}


@pytest.mark.parametrize("case", UNEVEN_RESULTS)
def test_results_that_no_axis_divides(case):
    function, *specs = UNEVEN_RESULTS[case]
    value = np.arange(8, dtype=np.float32)
    with jax.default_device(jax.devices("cpu")[0]):
        expected = jax.jit(function)(value)
    for grid, source, spec in zip((mesh(4), mesh(2, 2)), ("x", ("x", "y")), specs, strict=True):
        found, same = jax.jit(lambda a: (function(a), a))(put(value, grid, source))
        assert found.sharding.is_equivalent_to(NamedSharding(grid, spec), found.ndim)
        assert same.sharding.is_equivalent_to(NamedSharding(grid, P(source)), 1)
        check_equal(np.asarray(found), np.asarray(expected))


def test_gradients_through_windows_stay_divided():
    grid, value = mesh(4), np.arange(8, dtype=np.float32)
    gradient = jax.jit(jax.grad(lambda a: (a[:6] ** 2).sum()))(put(value, grid, "x"))
    assert gradient.sharding.is_equivalent_to(NamedSharding(grid, P("x")), 1)
    check_equal(np.asarray(gradient), 2 * value * (value < 6))


def test_donated_arguments_of_another_whole_size():
    grid, value = mesh(2), np.arange(8, dtype=np.float32)
    double = lambda a: jnp.concatenate([a, a])
    sharding = NamedSharding(grid, P("x"))
    found = jax.jit(double, donate_argnums=0, out_shardings=sharding)(put(value, grid))
    check_equal(np.asarray(found), double(value))


@pytest.mark.parametrize("size", [1, 3, 6, 10])
def test_constraints_that_do_not_divide(size):
    grid, value = mesh(4), np.arange(size, dtype=np.float32)
    constrain = lambda a: lax.with_sharding_constraint(a, NamedSharding(grid, P("x"))) * 2
    found = jax.jit(constrain)(value)
    assert found.sharding.is_equivalent_to(NamedSharding(grid, P()), 1)
    check_equal(np.asarray(found), 2 * value)


@pytest.mark.parametrize("spec", [P("x"), P(), P(None, "y")])
def test_constraints_decide(spec):
    grid = mesh(2, 2)
    constrain = lambda a: lax.with_sharding_constraint(a, NamedSharding(grid, spec)) * 2
    found = jax.jit(constrain)(put(X, grid, "x", "y"))
    assert found.sharding.is_equivalent_to(NamedSharding(grid, spec), 2)
    check_equal(np.asarray(found), 2 * X)
    made = jax.jit(lambda: constrain(jnp.ones((8, 4))))()
    assert made.sharding.is_equivalent_to(NamedSharding(grid, spec), 2)


def test_values_that_are_divided_alike():
    # JAX 0.12 does not have it.
    shard_alike = pytest.importorskip("jax.experimental.shard_alike").shard_alike

    grid = mesh(2, 2)
    other = jax.jit(lambda a: shard_alike(a, jnp.arange(32.0).reshape(8, 4))[1])
    found = other(put(X, grid, "x", "y"))
    assert found.sharding.is_equivalent_to(NamedSharding(grid, P("x", "y")), 2)
    check_equal(np.asarray(found), X)


def test_comparators_are_no_entries():
    grid = mesh(4)
    values, places = jax.jit(lambda a: lax.approx_max_k(a, 2))(put(X, grid, "x"))
    check_equal(np.asarray(values), X[:, [3, 2]])
    np.testing.assert_array_equal(np.asarray(places), [[3, 2]] * 8)


def test_ordered_callbacks_in_shard_map():
    from jax.experimental import io_callback

    seen = []

    def each(a):
        io_callback(lambda a: seen.append(float(a.sum())), None, a, ordered=True)
        return a + 1

    grid = mesh(2)
    add = jax.shard_map(each, mesh=grid, in_specs=P("x"), out_specs=P("x"))
    for _ in range(2):
        check_equal(np.asarray(jax.jit(add)(put(X, grid, "x"))), X + 1)
    jax.effects_barrier()
    assert set(seen) <= {X[:4].sum(), X[4:].sum()} and len(seen) in (2, 4)


def test_functions_for_one_device_in_programs_for_several():
    from jax import export

    one, value = mesh(1), put(X, mesh(4), "x")
    part = NamedSharding(one, P("x"))
    square = lambda a: (a @ a.T) ** 2
    constrain = lambda a: lax.with_sharding_constraint(square(a), part)
    each = jax.shard_map(square, mesh=one, in_specs=P("x"), out_specs=P("x"))
    for function in [
        jax.jit(square),
        jax.jit(square, in_shardings=part, out_shardings=part),
        jax.jit(constrain),
        jax.jit(each),
    ]:
        call = export.export(function)(X).call
        check_equal(np.asarray(call(value)), square(X))
        columns = NamedSharding(mesh(4), P(None, "x"))
        among_others = jax.jit(lambda a: call(a + 1).T * 2, out_shardings=columns)
        check_equal(np.asarray(among_others(value)), square(X + 1).T * 2)
        gradient = jax.jit(jax.grad(lambda a: call(a).sum()))(value)
        check_equal(np.asarray(gradient), np.asarray(jax.grad(lambda a: square(a).sum())(X)))
    in_parts = jax.shard_map(
        export.export(jax.jit(constrain))(X[:2]).call, mesh=mesh(4), in_specs=P("x"),
        out_specs=P("x"), check_vma=False,
    )  # fmt: skip
    found = jax.jit(in_parts)(value)
    check_equal(np.asarray(found), np.concatenate([square(part) for part in np.split(X, 4)]))


def test_meshes_of_other_sizes():
    abstract = lambda size: jax.sharding.AbstractMesh((size,), ("i",), axis_types=(AxisType.Auto,))

    def constrain(size):
        sharding = NamedSharding(abstract(size), P("i"))
        return jax.jit(lambda a: lax.with_sharding_constraint(a, sharding) * 2)

    value = put(X, mesh(4), "x")
    check_equal(np.asarray(constrain(1)(value)), 2 * X)
    with pytest.raises(jax.errors.JaxRuntimeError, match="expected a mesh of 4 partitions, found"):
        constrain(2)(value)
    # A mesh without axes, other devices, and axes of size 1.
    devices = np.array(jax.devices(PLATFORM))
    for grid, spec in [
        (jax.sharding.Mesh(devices[2], ()), P()),
        (jax.sharding.Mesh(devices[2:4], ("x",)), P("x")),
        (jax.sharding.Mesh(devices[[3]], ("x",)), P("x")),
        (jax.sharding.Mesh(devices.reshape(1, 4, 1), ("a", "b", "c")), P(("a", "b"), "c")),
    ]:
        found = jax.jit(lambda a: a @ a.T)(jax.device_put(X, NamedSharding(grid, spec)))
        check_equal(np.asarray(found), X @ X.T)
        assert found.devices() == set(grid.devices.flat)


def test_programs_are_shown_as_each_device_runs_them():
    grid = mesh(2)
    double = jax.shard_map(lambda a: a * 2, mesh=grid, in_specs=P("x"), out_specs=P("x"))
    compiled = jax.jit(double).lower(put(X, grid, "x")).compile()
    assert "f32[4,4]" in compiled.as_text()
    # One multiplication for each element of a tile.
    assert compiled.cost_analysis()["flops"] == 16


def test_inspected_shardings():
    grid, seen = mesh(2), []

    def look(a):
        jax.debug.inspect_array_sharding(a, callback=seen.append)
        return a * 2

    def look_further(a):
        columns = NamedSharding(grid, P(None, "x"))
        return look(jax.lax.with_sharding_constraint(look(a), columns))

    check_equal(np.asarray(jax.jit(look_further)(put(X, grid, "x"))), 4 * X)
    assert [tuple(sharding.spec) for sharding in seen] == [("x",), (None, "x")]
    # What is computed is divided as its operands are, also in loops, and in the order of the program.
    seen.clear()

    def same(a):
        jax.debug.inspect_array_sharding(a, callback=seen.append)
        return a

    def products(a):
        square = same(same(a * 2) @ same(a.T))
        return jax.lax.fori_loop(0, 2, lambda _, total: same(total) + 1, square.T)

    total = jax.jit(products)(put(X, grid, "x"))
    check_equal(np.asarray(total), (2 * X @ X.T).T + 2)
    specs = [tuple(sharding.spec) for sharding in seen]
    assert specs == [("x",), (None, "x"), ("x",), (None, "x")]
    # A part of an axis has no name in JAX.
    seen.clear()
    rows = jax.jit(lambda a: same(a.reshape(2, 16)))(put(X, mesh(4), "x"))
    check_equal(np.asarray(rows), X.reshape(2, 16))
    assert [tuple(sharding.spec) for sharding in seen] == [()]
    # Nothing is told of parts of a manual computation, and of one device.
    seen.clear()
    each = jax.shard_map(look, mesh=grid, in_specs=P("x"), out_specs=P("x"))
    check_equal(np.asarray(jax.jit(each)(put(X, grid, "x"))), 2 * X)
    check_equal(np.asarray(jax.jit(look)(put(X, mesh(1)))), 2 * X)
    assert [tuple(sharding.spec) for sharding in seen] == [(), ()]


def test_a_failing_inspection_fails_the_compilation():
    def fail(sharding):
        raise ValueError(sharding)

    function = jax.jit(lambda a: jax.debug.inspect_array_sharding(a, callback=fail))
    with pytest.raises(jax.errors.JaxRuntimeError, match="inspection of a sharding has failed"):
        function(put(X, mesh(2), "x"))


def test_terms_of_sums():
    grid = mesh(2, 2, kind=AxisType.Explicit)
    a, b = put(X, grid, None, "x"), put(X.T.copy(), grid, "x", None)
    with jax.set_mesh(grid):
        multiply = lambda a, b: jnp.matmul(a, b, out_sharding=P(None, None, unreduced={"x"}))
        terms = jax.jit(multiply)(a, b)
        assert terms.sharding.spec.unreduced == {"x"}
        total = jax.jit(lambda y: jax.sharding.reshard(y, P(None, None)))(terms)
        check_equal(np.asarray(total), X @ X.T)
        rows = jax.jit(lambda y: jax.sharding.reshard(y, P("x", None)))(terms)
        assert rows.sharding.is_equivalent_to(NamedSharding(grid, P("x")), 2)
        check_equal(np.asarray(rows), X @ X.T)


@pytest.mark.skipif(not hasattr(jax.sharding, "UnreducedKind"), reason="older than JAX 0.12")
@pytest.mark.parametrize("kind", ["max", "min"])
def test_partial_maxima_and_minima(kind):
    grid = mesh(2, 2, kind=AxisType.Explicit)
    reduction = {"max": lax.reduce_max, "min": lax.reduce_min}[kind]
    collective = {"max": lax.pmax, "min": lax.pmin}[kind]
    expected = {"max": np.max, "min": np.min}[kind](X - 15.5, axis=0)
    options = {"unreduced": {"x"}, "unreduced_kind": jax.sharding.UnreducedKind[kind]}
    spec = P("y", **options)
    with jax.set_mesh(grid):
        partial = jax.jit(lambda a: reduction(a, axes=(0,), out_sharding=spec))
        parts = partial(put(X - 15.5, grid, "x", "y"))
        assert parts.sharding.spec == spec
        whole = jax.jit(lambda y: jax.sharding.reshard(y, P("y")))(parts)
        check_equal(np.asarray(whole), expected)
        combine = jax.shard_map(lambda y: collective(y, "x"), in_specs=spec, out_specs=P("y"))
        check_equal(np.asarray(jax.jit(combine)(parts)), expected)
