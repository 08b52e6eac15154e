"""Functions and artifacts for platforms by name: Halo uses those for `cpu`, unless there are some
for `halo`."""

import functools
import importlib
import pkgutil

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export, lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

from comparison import check_equal, check_same_on_halo_and_cpu, run_on

X = np.arange(8, dtype=np.float32) / 8

# The branches, and the one that Halo takes.
BRANCHES = {
    "cpu": ({"cpu": jnp.sin}, jnp.sin),
    "cpu_and_default": ({"cpu": jnp.sin, "default": jnp.cos}, jnp.sin),
    "cpu_last": ({"tpu": jnp.tan, "cuda": jnp.exp, "cpu": jnp.sin, "default": jnp.cos}, jnp.sin),
    "same_for_two": ({"cpu": jnp.sin, "tpu": jnp.sin, "default": jnp.cos}, jnp.sin),
    "default": ({"tpu": jnp.tan, "default": jnp.cos}, jnp.cos),
    "halo": ({"cpu": jnp.sin, "halo": jnp.tanh, "default": jnp.cos}, jnp.tanh),
}


def chosen_by(case):
    branches, expected = BRANCHES[case]
    return functools.partial(lax.platform_dependent, **branches), expected


def mesh_of_halo():
    kinds = (AxisType.Auto,)
    return jax.make_mesh((4,), ("x",), axis_types=kinds, devices=jax.devices("halo")[:4])


def twice(function):
    """In a loop."""
    return lambda x: lax.scan(lambda a, _: (function(a), function(a)), x, None, length=2)


FORMS = {
    "plain": lambda f: f,
    "jit": jax.jit,
    "grad": lambda f: jax.grad(lambda x: f(x).sum()),
    "hessian": lambda f: jax.jit(jax.hessian(lambda x: f(x).sum())),
    "vmap": jax.vmap,
    "vmap_of_grad": lambda f: jax.jit(jax.vmap(jax.grad(f))),
    "linearize": lambda f: lambda x: jax.linearize(f, x)[1](x),
    "checkpoint": lambda f: jax.grad(lambda x: jax.checkpoint(f)(x).sum()),
    "scan": twice,
    "grad_of_scan": lambda f: jax.jit(jax.grad(lambda x: twice(f)(x)[1].sum())),
    "cond": lambda f: lambda x: lax.cond(x[1] > 0, f, lambda x: x, x),
    "vmap_of_cond": lambda f: jax.vmap(lambda x: lax.cond(x > 0.5, f, lambda x: x, x)),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("case", BRANCHES)
def test_platform_dependent(case, form):
    function, expected = chosen_by(case)
    (found,) = run_on("halo", lambda x: jax.tree.leaves(FORMS[form](function)(x))[-1], [X])
    (value,) = run_on("cpu", lambda x: jax.tree.leaves(FORMS[form](expected)(x))[-1], [X])
    check_equal(found, value)


@pytest.mark.parametrize("case", BRANCHES)
def test_platform_dependent_in_shard_map(case):
    function, expected = chosen_by(case)
    grid = mesh_of_halo()
    each = jax.shard_map(function, mesh=grid, in_specs=P("x"), out_specs=P("x"))
    for call in [each, jax.jit(each)]:
        check_equal(np.asarray(call(X)), np.asarray(expected(X)))


def test_without_a_branch():
    function = jax.jit(functools.partial(lax.platform_dependent, tpu=jnp.sin))
    with pytest.raises(NotImplementedError, match="not found for platform halo"):
        function(jax.device_put(X, jax.devices("halo")[0]))
    # The name is not in the program, as it is not with JAX's own backend.
    jaxpr = jax.make_jaxpr(chosen_by("cpu_and_default")[0])(X)
    assert "halo" not in str(jaxpr)


def test_only_the_chosen_branch_is_lowered():
    from jax.extend import core
    from jax.interpreters import mlir

    primitive = core.Primitive("only_for_cpu")
    primitive.def_abstract_eval(lambda x: x)
    mlir.register_lowering(primitive, mlir.lower_fun(jnp.sin, False), platform="cpu")
    function = functools.partial(lax.platform_dependent, cpu=primitive.bind, default=jnp.cos)
    check_equal(run_on("halo", jax.jit(function), [X])[0], np.sin(X))
    text = jax.jit(function).lower(jax.device_put(X, jax.devices("halo")[0])).as_text()
    assert "sine" in text and "cosine" not in text


def test_platform_dependent_for_other_platforms():
    function = functools.partial(lax.platform_dependent, cpu=jnp.sin, tpu=jnp.tan, default=jnp.cos)
    traced = jax.jit(function).trace(X)
    ops = {"halo": "sine", "cpu": "sine", "tpu": "tan", "cuda": "cosine"}
    for platform, op in ops.items():
        assert f".{op}" in traced.lower(lowering_platforms=(platform,)).as_text()
    text = traced.lower(lowering_platforms=("halo", "cpu", "cuda")).as_text()
    assert [text.count(f".{op}") for op in ["sine", "cosine", "tan"]] == [1, 1, 0]


def test_libraries():
    matrix = np.eye(4, dtype=np.float32) * 3 + np.arange(16).reshape(4, 4) / 16
    symmetric = (matrix + matrix.T).astype(np.float32)
    solve = lambda a: jax.scipy.linalg.cho_solve(jax.scipy.linalg.cho_factor(a), X[:4])
    check_same_on_halo_and_cpu(solve, [symmetric])
    check_same_on_halo_and_cpu(jax.scipy.linalg.expm, [symmetric])
    check_same_on_halo_and_cpu(lambda key: jax.random.gamma(key, X + 1), [jax.random.key(3)])
    check_same_on_halo_and_cpu(lambda key: jax.random.poisson(key, X + 1), [jax.random.key(3)])


def exported_for(*platforms, function=jnp.sin, shape=X):
    return export.export(jax.jit(function), platforms=platforms)(shape)


def reread(exported, **options):
    pytest.importorskip("flatbuffers")
    return export.deserialize(exported.serialize(**options))


@pytest.mark.parametrize("call", [lambda f: f, jax.jit], ids=["eager", "jit"])
def test_artifacts_for_cpu_run(call):
    for platforms in [("cpu",), ("tpu", "cpu"), ("cpu", "cuda")]:
        exported = exported_for(*platforms)
        assert exported.platforms == platforms
        for one in [exported, reread(exported)]:
            (found,) = run_on("halo", call(one.call), [X])
            check_equal(found, np.sin(X))


def test_artifacts_for_halo_say_so():
    with jax.default_device(jax.devices("halo")[0]):
        exported = export.export(jax.jit(jnp.sin))(X)
    assert exported.platforms == ("halo",)
    check_equal(run_on("halo", exported.call, [X])[0], np.sin(X))
    for other in [exported, exported_for("cuda"), exported_for("halo", "cuda")]:
        with pytest.raises(ValueError, match="was exported for platforms"):
            run_on("cpu", other.call, [X])
    with pytest.raises(ValueError, match="used on '.'halo',.'"):
        run_on("halo", exported_for("cuda").call, [X])


def test_an_artifact_says_what_is_for_each_platform():
    function = functools.partial(lax.platform_dependent, cpu=jnp.sin, cuda=jnp.cos, default=jnp.tan)
    for platforms in [("cpu", "cuda"), ("cuda", "cpu"), ("tpu", "cpu", "cuda")]:
        exported = exported_for(*platforms, function=function)
        check_equal(run_on("halo", exported.call, [X])[0], np.sin(X))
    exported = exported_for("cpu", "halo", function=lambda x: lax.platform_dependent(
        x, cpu=jnp.sin, halo=jnp.cos))  # fmt: skip
    check_equal(run_on("halo", exported.call, [X])[0], np.cos(X))
    check_equal(run_on("cpu", exported.call, [X])[0], np.sin(X))


def test_artifacts_in_artifacts():
    inner = reread(exported_for("cpu"))
    for platforms in [("halo",), ("halo", "cpu"), ("cpu", "halo")]:
        outer = exported_for(*platforms, function=lambda x: inner.call(x) + 1)
        assert outer.platforms == platforms
        check_equal(run_on("halo", outer.call, [X])[0], np.sin(X) + 1)
    with pytest.raises(ValueError, match="was exported for platforms"):
        exported_for("halo", "cuda", function=lambda x: inner.call(x) + 1)


def test_artifacts_with_symbolic_shapes_and_gradients():
    shape = jax.ShapeDtypeStruct(export.symbolic_shape("n, 4"), np.float32)
    exported = exported_for("cpu", function=lambda x: jnp.sin(x) @ x.T, shape=shape)
    exported = reread(exported, vjp_order=2)
    for size in [1, 3]:
        value = np.arange(4 * size, dtype=np.float32).reshape(size, 4) / 9
        expected = lambda x: jnp.sin(x) @ x.T
        check_equal(run_on("halo", exported.call, [value])[0], run_on("cpu", expected, [value])[0])
        gradient = lambda f: jax.grad(lambda x: f(x).sum())
        found = run_on("halo", gradient(exported.call), [value])
        check_equal(found[0], run_on("cpu", gradient(expected), [value])[0])


def test_artifacts_with_effects():
    from jax._src import core, effects
    from jax._src.lib.mlir.dialects import hlo
    from jax.interpreters import mlir

    class Order(effects.Effect):
        __str__ = lambda self: "order"
        __eq__ = lambda self, other: isinstance(other, Order)
        __hash__ = lambda self: hash(Order)

    order = Order()
    for kinds in [effects.lowerable_effects, effects.ordered_effects]:
        kinds.add_type(Order)
    primitive = core.Primitive("ordered")
    primitive.def_effectful_abstract_eval(lambda x: (x, {order}))

    def lower(ctx, x):
        token = ctx.tokens_in.get(order)
        ctx.set_tokens_out(mlir.TokenSet({order: token}))
        return [hlo.add(x, x)]

    mlir.register_lowering(primitive, lower)
    exported = exported_for("cpu", function=primitive.bind)
    assert len(exported.ordered_effects) == 1
    twice = lambda x: exported.call(exported.call(x))
    check_equal(run_on("halo", jax.jit(twice), [X])[0], 4 * X)


def test_artifacts_of_linear_algebra():
    matrix = np.eye(4, dtype=np.float32) * 9 + np.arange(16, dtype=np.float32).reshape(4, 4) / 16
    for function in [jnp.linalg.cholesky, jnp.linalg.inv, jnp.linalg.eigvalsh, jnp.linalg.det]:
        value = matrix + matrix.T
        exported = reread(exported_for("cpu", function=function, shape=value))
        found = run_on("halo", exported.call, [value])
        for one, other in zip(found, run_on("cpu", function, [value]), strict=True):
            check_equal(np.abs(one), np.abs(other), 1e-4)


def test_artifacts_for_several_devices():
    grid = mesh_of_halo()
    split = NamedSharding(grid, P("x"))
    sum_of_parts = jax.shard_map(
        lambda x: lax.psum(jnp.sin(x), "x"), mesh=grid, in_specs=P("x"), out_specs=P()
    )
    exported = export.export(jax.jit(sum_of_parts, in_shardings=split), platforms=("cpu",))(X)
    assert exported.nr_devices == 4
    found = jax.jit(reread(exported).call)(jax.device_put(X, split))
    check_equal(np.asarray(found), np.sin(X).reshape(4, 2).sum(0))


def stored_artifacts():
    """The artifacts for `cpu` of many versions of JAX, which it tests itself with."""
    from jax._src.internal_test_util import export_back_compat_test_data as stored

    def cases(name, value):
        if isinstance(value, dict) and value.get("platform") == "cpu":
            yield pytest.param(value, id=name)
        elif isinstance(value, dict):
            for key, part in value.items():
                yield from cases(f"{name}.{key}", part)

    for module in pkgutil.iter_modules(stored.__path__):
        if module.name.startswith("cpu_"):
            contents = importlib.import_module(f"{stored.__name__}.{module.name}")
            for name, value in vars(contents).items():
                yield from cases(f"{module.name}.{name}", value)


@pytest.mark.parametrize("stored", stored_artifacts())
def test_stored_artifacts_run(stored):
    pytest.importorskip("flatbuffers")
    from jax._src.internal_test_util import export_back_compat_test_util as util

    test = util.CompatTestBase()
    data = test.load_testdata(stored)
    with jax.enable_x64(True), jax.default_device(jax.devices("halo")[0]):
        results = test.run_serialized(data)
    for result, expected in zip(results, data.expected_outputs, strict=True):
        assert result.devices() == {jax.devices("halo")[0]}
        # Some decompositions are not unique.
        assert (result.shape, result.dtype) == (expected.shape, expected.dtype)
        assert np.isfinite(np.asarray(result)).all() == np.isfinite(expected).all()
