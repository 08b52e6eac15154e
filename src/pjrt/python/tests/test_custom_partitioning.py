"""`jax.experimental.custom_partitioning`: functions that the program partitions itself."""

import functools
import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.experimental.custom_partitioning import (
    BATCHING,
    ArrayMapping,
    SdyShardingRule,
    custom_partitioning,
)
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

from comparison import PLATFORM, check_equal

X = np.arange(32, dtype=np.float32).reshape(8, 4) / 8


@pytest.fixture
def grid():
    kinds = (AxisType.Auto,) * 2
    return jax.make_mesh((2, 2), ("x", "y"), axis_types=kinds, devices=jax.devices(PLATFORM)[:4])


def put(value, grid, *spec):
    return jax.device_put(value, NamedSharding(grid, P(*spec)))


def older_partitioner():
    """Before Shardy, shardings are propagated by callbacks."""
    if not hasattr(jax.config, "jax_use_shardy_partitioner"):
        pytest.skip("JAX has Shardy only")
    from jax._src import config

    return config.use_shardy_partitioner(False)


def specs(tree):
    def padded(leaf):
        return P(*leaf.sharding.spec, *[None] * (len(leaf.shape) - len(leaf.sharding.spec)))

    return jax.tree.map(padded, tree)


class Partition:
    """A partition function that records the shardings that it is given."""

    def __init__(self, function, results=None, operands=None):
        self.function, self.results, self.operands = function, results, operands
        self.seen = []

    def __call__(self, *arguments):
        *static, mesh, operands, results = arguments
        self.seen.append((*static, specs(operands), specs(results)))
        named = functools.partial(NamedSharding, mesh)
        is_spec = lambda leaf: isinstance(leaf, P)
        found = [
            jax.tree.map(named, own, is_leaf=is_spec)
            if own is not None
            else jax.tree.map(lambda leaf: leaf.sharding, given)
            for own, given in [(self.results, results), (self.operands, operands)]
        ]
        return mesh, functools.partial(self.function, *static), *found


def compiled_text(function, *arguments):
    return jax.jit(function).lower(*arguments).compile().as_text()


@pytest.mark.parametrize("rule", ["i j -> i j", "... -> ...", lambda *_: "i j -> i j"])
def test_elementwise(grid, rule):
    partition = Partition(jnp.sin)
    sine = custom_partitioning(lambda a: jnp.sin(a))
    sine.def_partition(partition, sharding_rule=rule)
    found = jax.jit(lambda a: sine(a) + 1)(put(X, grid, "x", "y"))
    assert found.sharding.is_equivalent_to(NamedSharding(grid, P("x", "y")), 2)
    check_equal(np.asarray(found), np.sin(X) + 1)
    assert partition.seen == [((P("x", "y"),), P("x", "y"))]
    text = compiled_text(sine, put(X, grid, "x", "y"))
    assert "f32[4,2]" in text and not re.search("all-gather|dynamic-slice", text)


def test_reductions(grid):
    def product(a, b):
        return lax.psum(jnp.sin(a) @ b, "y"), lax.psum(a.sum(1), "y")

    partition = Partition(product, (P("x"), P("x")), (P("x", "y"), P("y")))
    both = custom_partitioning(lambda a, b: (jnp.sin(a) @ b, a.sum(1)))
    rule = "i j, j k -> i k, i"
    both.def_partition(partition, sharding_rule=rule, reduction_factors=("j",))
    for left, right in [(("x", "y"), (None, "y")), (("x",), ("y",)), ((), ())]:
        dot, sums = jax.jit(both)(put(X, grid, *left), put(X.T.copy(), grid, *right))
        check_equal(np.asarray(dot), np.sin(X) @ X.T)
        check_equal(np.asarray(sums), X.sum(1))
    # As Shardy propagates them.
    assert partition.seen[0] == ((P("x", "y"), P(None, "y")), (P("x", "y"), P("x")))


def test_operands_are_resharded(grid):
    partition = Partition(lambda a: jnp.fft.fft(a).real, P("x"), (P("x"),))
    transform = custom_partitioning(lambda a: jnp.fft.fft(a).real)
    rule = "... n -> ... n"
    transform.def_partition(partition, sharding_rule=rule, need_replication_factors=("n",))
    for spec in [("x",), (None, "y"), ("x", "y"), ("y",), (("x", "y"),), ()]:
        found = jax.jit(transform)(put(X, grid, *spec))
        check_equal(np.asarray(found), np.fft.fft(X).real.astype(np.float32), 1e-4)
    by_rows = compiled_text(transform, put(X, grid, "x"))
    assert "all-gather" not in by_rows


def test_rules_as_objects_and_compound_factors(grid):
    partition = Partition(lambda a: a.reshape(-1, 2, 4) * 2)
    split = custom_partitioning(lambda a: a.reshape(-1, 2, 4) * 2)
    split.def_partition(partition, sharding_rule="(i j) k -> i j k")
    found = jax.jit(split)(put(X, grid, "x"))
    assert partition.seen == [((P("x", None),), P("x", None, None))]
    check_equal(np.asarray(found), X.reshape(4, 2, 4) * 2)
    rule = SdyShardingRule(
        operand_mappings=(ArrayMapping(BATCHING, "i"),),
        result_mappings=(ArrayMapping(BATCHING, "i"),),
    )
    partition = Partition(jnp.tanh)
    tanh = custom_partitioning(lambda a: jnp.tanh(a))
    tanh.def_partition(partition, sharding_rule=rule)
    check_equal(np.asarray(jax.jit(tanh)(put(X, grid, None, "y"))), np.tanh(X))
    assert partition.seen == [((P(None, "y"),), P(None, "y"))]


def test_static_arguments_and_trees(grid):
    def scaled(kind, tree):
        function = {"sin": jnp.sin, "cos": jnp.cos}[kind]
        return {"b": function(tree["a"]) * tree["s"], "s": tree["s"] + 1}

    partition = Partition(scaled)
    call = custom_partitioning(scaled, static_argnums=(0,))
    call.def_partition(partition, sharding_rule="i j, -> i j,")
    tree = {"a": put(X, grid, "x", "y"), "s": put(np.float32(3), grid)}
    for kind in ["sin", "cos"]:
        found = jax.jit(call, static_argnums=0)(kind, tree)
        check_equal(np.asarray(found["b"]), np.asarray(getattr(np, kind)(X) * 3))
        assert found["s"] == 4
        assert found["b"].sharding.is_equivalent_to(tree["a"].sharding, 2)
    expected = ({"a": P("x", "y"), "s": P()},), {"b": P("x", "y"), "s": P()}
    assert partition.seen == [("sin", *expected), ("cos", *expected)]


def test_shardings_are_not_decoded(grid):
    seen = []

    def partition(mesh, operands, result):
        seen.extend(type(one.sharding).__name__ for one in [*operands, result])
        assert operands[0].sharding.is_equivalent_to(NamedSharding(grid, P("x", "y")), 2)
        return mesh, jnp.sin, result.sharding, (operands[0].sharding,)

    sine = custom_partitioning(lambda a: jnp.sin(a))
    sine.def_partition(partition, sharding_rule="i j -> i j", decode_shardings=False)
    with jax.set_mesh(grid) if hasattr(jax, "set_mesh") else grid:
        found = jax.jit(sine)(put(X, grid, "x", "y"))
    check_equal(np.asarray(found), np.sin(X))
    assert seen == ["GSPMDSharding"] * 2


def test_in_loops_and_transformations(grid):
    partition = Partition(lambda a: jnp.sin(a) + 0 * lax.axis_index("x"))
    sine = custom_partitioning(lambda a: jnp.sin(a))
    sine.def_partition(partition, sharding_rule="... -> ...")
    value = put(X, grid, "x", "y")
    found = jax.jit(lambda a: lax.fori_loop(0, 3, lambda _, b: sine(b), a))(value)
    check_equal(np.asarray(found), np.sin(np.sin(np.sin(X))))
    found = jax.jit(lambda a: lax.cond(a[0, 0] > 1, jnp.cos, sine, a))(value)
    check_equal(np.asarray(found), np.sin(X))

    @jax.custom_vjp
    def smooth(a):
        return sine(a)

    smooth.defvjp(lambda a: (sine(a), a), lambda a, g: (g * jnp.cos(a),))
    found = jax.jit(jax.grad(lambda a: smooth(a).sum()))(value)
    check_equal(np.asarray(found), np.cos(X))
    twice = jax.jit(lambda a: sine(sine(a).T))(value)
    check_equal(np.asarray(twice), np.sin(np.sin(X)).T)


def test_in_shard_map(grid):
    sine = custom_partitioning(lambda a: jnp.sin(a))
    sine.def_partition(Partition(jnp.sin), sharding_rule="... -> ...")
    for names in [{"x", "y"}, {"x"}]:
        each = jax.shard_map(
            sine, mesh=grid, in_specs=P("x"), out_specs=P("x"), axis_names=names, check_vma=False
        )
        check_equal(np.asarray(jax.jit(each)(put(X, grid, "x"))), np.sin(X))


def test_functions_of_other_dialects(grid):
    def odd(a):
        top, _ = lax.top_k(a, 2)
        norm = jnp.sqrt(lax.psum(jnp.linalg.norm(a) ** 2, ("x", "y")))
        inverse = jax.scipy.special.erfinv(a / 8)
        return top.sum() * 0 + inverse + norm + jnp.sort(a)

    partition = Partition(odd, P("x"), (P("x"),))
    call = custom_partitioning(lambda a: a)
    call.def_partition(partition, sharding_rule="... -> ...")
    found = jax.jit(call)(put(X, grid, "x"))
    # Twice, since all columns are on both devices of a row.
    norm = np.sqrt(2 * np.sum(X**2))
    expected = np.asarray(jax.scipy.special.erfinv(X / 8)) + norm + np.sort(X)
    check_equal(np.asarray(found), expected)


def test_the_partition_function_fails(grid):
    def fail(mesh, operands, result):
        raise ValueError("no such partition")

    sine = custom_partitioning(lambda a: jnp.sin(a))
    sine.def_partition(fail, sharding_rule="i j -> i j")
    with pytest.raises(Exception, match="no such partition"):
        jax.jit(sine)(put(X, grid, "x"))
    # On one device, the function is computed as it is.
    check_equal(np.asarray(jax.jit(sine)(X)), np.sin(X))
    check_equal(np.asarray(sine(put(X, grid, "x"))), np.sin(X))


def test_stored_programs_need_no_callbacks(grid):
    sine = custom_partitioning(lambda a: jnp.sin(a))
    sine.def_partition(Partition(jnp.sin), sharding_rule="i j -> i j")
    compiled = jax.jit(sine).lower(put(X, grid, "x")).compile()
    stored = compiled.runtime_executable().serialize()
    assert b"sine" in stored and b"CustomSPMDPartitioning" not in stored


def test_propagation_by_callbacks(grid):
    calls = []

    def infer(mesh, operands, result):
        calls.append(("infer", specs(operands)))
        return NamedSharding(mesh, P(*operands[0].sharding.spec[:1]))

    def propagate(mesh, user):
        calls.append(("propagate", specs(user)))
        return NamedSharding(mesh, P(*user.sharding.spec[:1]))

    def new():
        partition = Partition(lambda a: jnp.sort(a), P("x"), (P("x"),))
        ordered = custom_partitioning(lambda a: jnp.sort(a))
        ordered.def_partition(partition, infer, propagate)
        return ordered, partition

    with older_partitioner():
        ordered, partition = new()
        found = jax.jit(lambda a: ordered(-a) * 2)(put(X, grid, "x", "y"))
        check_equal(np.asarray(found), 2 * np.sort(-X))
        assert found.sharding.is_equivalent_to(NamedSharding(grid, P("x")), 2)
        assert partition.seen == [((P("x", "y"),), P("x", None))]
        assert ("infer", (P("x", "y"),)) in calls
        calls.clear()
        ordered, partition = new()
        output = NamedSharding(grid, P("x", "y"))
        found = jax.jit(lambda a: ordered(-a), out_shardings=output)(put(X, grid))
        check_equal(np.asarray(found), np.sort(-X))
        assert ("propagate", P("x", "y")) in calls
        assert partition.seen[0][-1] == P("x", None)


def test_several_results_by_callbacks(grid):
    def partition(mesh, operands, results):
        rows = NamedSharding(mesh, P("x"))
        return mesh, lambda a: (jnp.sin(a), a.sum(1)), (rows, rows), (rows,)

    def infer(mesh, operands, results):
        return NamedSharding(mesh, P("x")), NamedSharding(mesh, P("x"))

    both = custom_partitioning(lambda a: (jnp.sin(a), a.sum(1)))
    both.def_partition(partition, infer)
    with older_partitioner():
        sine, sums = jax.jit(both)(put(X, grid, "x"))
    check_equal(np.asarray(sine), np.sin(X))
    check_equal(np.asarray(sums), X.sum(1))


def test_sizes_that_do_not_divide(grid):
    partition = Partition(jnp.sin)
    sine = custom_partitioning(lambda a: jnp.sin(a))
    sine.def_partition(partition, sharding_rule="i j -> i j")
    found = jax.jit(lambda a: sine(a[:7]) * 2)(put(X, grid, "x", "y"))
    check_equal(np.asarray(found), 2 * np.sin(X[:7]))
    assert partition.seen == [((P(None, "y"),), P(None, "y"))]
    uneven = Partition(jnp.sin, P("x"), (P("x"),))
    sine.def_partition(uneven, sharding_rule="i j -> i j")
    with pytest.raises(jax.errors.JaxRuntimeError, match="size 7 does not divide"):
        jax.jit(lambda a: sine(a[:7]))(put(X, grid, "x"))
