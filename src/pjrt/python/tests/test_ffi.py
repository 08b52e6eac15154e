"""Handlers in C++ that programs call, on Halo and on JAX's own backend."""

import ctypes
import gc
import glob
import os
import shutil
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from comparison import PLATFORM, run_on
from ffi_handlers import SOURCE

PLATFORMS = [PLATFORM, "cpu"]


def compiler():
    named = [os.environ.get("CXX"), "c++", "g++", "clang++"]
    others = sorted(glob.glob("/usr/bin/clang++-*"), reverse=True)
    return next((c for c in named + others if c and shutil.which(c)), None)


@pytest.fixture(scope="session")
def handlers(tmp_path_factory):
    """The library of handlers, which are registered for CPUs, as tutorials do it."""
    if compiler() is None:
        pytest.skip("no C++ compiler is there")
    library = tmp_path_factory.mktemp("ffi") / "handlers.so"
    # The headers of another version of JAX make the same handlers.
    include = os.environ.get("HALO_TEST_FFI_INCLUDE_DIR") or jax.ffi.include_dir()
    command = [compiler(), "-std=c++17", "-O1", "-w", "-shared", "-fPIC", "-pthread"]
    command += [f"-I{include}", "-x", "c++", "-", "-o", library]
    subprocess.run(command, check=True, input=SOURCE, text=True)
    functions = ctypes.CDLL(str(library))
    for name in ["living_counters", "seen_effects"]:
        getattr(functions, name).restype = ctypes.c_int64
    for name in [
        "scale", "rows", "attributes", "fail", "in_place", "swap_places", "effect", "later",
        "parallel", "where", "stream", "options", "extended",
    ]:  # fmt: skip
        if not hasattr(functions, name):
            # The headers are older.
            continue
        jax.ffi.register_ffi_target(f"test.{name}", jax.ffi.pycapsule(getattr(functions, name)))
    for name in ["counter_type", "counter_type_info"]:
        getattr(functions, name).restype = ctypes.c_void_p
    capsule = lambda name: jax.ffi.pycapsule(getattr(functions, name)())
    registration = {"type_id": capsule("counter_type"), "type_info": capsule("counter_type_info")}
    jax.ffi.register_ffi_type("test.Counter", registration)
    stages = {
        stage: jax.ffi.pycapsule(getattr(functions, f"count_{stage}"))
        for stage in ["instantiate", "execute"]
    }
    jax.ffi.register_ffi_target("test.count", stages)
    return functions


def like(x):
    return jax.ShapeDtypeStruct(x.shape, x.dtype)


def scalar(dtype):
    return jax.ShapeDtypeStruct((), dtype)


def scale(x, factor, **options):
    return jax.ffi.ffi_call("test.scale", like(x), **options)(x, factor=np.float32(factor))


def on_both(function, *arguments):
    """The results on Halo, which are those of JAX's own backend."""
    results = [run_on(platform, jax.jit(function), arguments) for platform in PLATFORMS]
    for own, expected in zip(*results):
        np.testing.assert_array_equal(own, expected)
    return results[0]


X = np.arange(6, dtype=np.float32).reshape(2, 3)


def test_calls(handlers):
    np.testing.assert_array_equal(on_both(lambda x: scale(x, 2) + 1, X), [2 * X + 1])
    # Without a program around it, and with nothing in it.
    np.testing.assert_array_equal(scale(jnp.asarray(X), 3), 3 * X)
    assert on_both(lambda x: scale(x, 2), np.zeros((0, 3), np.float32))[0].shape == (0, 3)


def test_several_results(handlers):
    def rows(x):
        results = (jax.ShapeDtypeStruct(x.shape[:-1], x.dtype), scalar(np.int32))
        return jax.ffi.ffi_call("test.rows", results)(x)

    sums, count = on_both(rows, X)
    np.testing.assert_array_equal(sums, [3, 12])
    assert count == 2


def test_attributes(handlers):
    def call():
        return jax.ffi.ffi_call("test.attributes", scalar(np.float32))(
            number=2,
            real=0.5,
            flag=True,
            text="four",
            array=np.array([10, 20], np.int32),
            empty=np.array([], np.float32),
            inner={"depth": 7, "name": "inner"},
        )

    assert on_both(call) == [4139.5]


@pytest.mark.parametrize("platform", PLATFORMS)
def test_wrong_attributes(handlers, platform):
    with pytest.raises(jax.errors.JaxRuntimeError, match="(?s)INVALID_ARGUMENT.*expected F32"):
        call = jax.ffi.ffi_call("test.scale", like(X))
        run_on(platform, jax.jit(lambda x: call(x, factor=2)), [X])


@pytest.mark.parametrize("platform", PLATFORMS)
def test_errors_come_back(handlers, platform):
    fail = jax.jit(lambda x: jax.ffi.ffi_call("test.fail", like(x))(x))
    with pytest.raises(jax.errors.JaxRuntimeError, match="DATA_LOSS.*no such luck"):
        run_on(platform, fail, [X])
    # The next program runs.
    assert run_on(platform, jax.jit(lambda x: x + 1), [np.float32(1)]) == [2]


@pytest.mark.parametrize("platform", PLATFORMS)
def test_an_unknown_target(handlers, platform):
    call = jax.jit(lambda x: jax.ffi.ffi_call("test.nobody", like(x))(x))
    with pytest.raises(jax.errors.JaxRuntimeError, match="test.nobody"):
        run_on(platform, call, [X])


def test_aliases(handlers):
    def in_place(x):
        y = jax.ffi.ffi_call("test.in_place", like(x), input_output_aliases={0: 0})(x)
        return y, x

    expected = X.copy()
    expected[0, 0] += 100
    for _ in range(2):
        y, x = on_both(in_place, X)
        np.testing.assert_array_equal(y, expected)
        np.testing.assert_array_equal(x, X)


def test_aliases_of_several_results(handlers):
    def swap(x, n):
        results, aliases = (like(n), like(x)), {0: 1, 1: 0}
        return jax.ffi.ffi_call("test.swap_places", results, input_output_aliases=aliases)(x, n)

    n = np.array([7, 8], np.int32)
    m, y = on_both(swap, X, n)
    np.testing.assert_array_equal(m, n)
    np.testing.assert_array_equal(y, X)


def test_layouts(handlers):
    def columns(x):
        result = jax.ShapeDtypeStruct((2, 3), x.dtype)
        options = {"input_layouts": [(1, 0)], "output_layouts": (1, 0)}
        return jax.ffi.ffi_call("test.scale", result, **options)(x, factor=np.float32(2))

    np.testing.assert_array_equal(on_both(columns, X), [2 * X])


def test_state(handlers):
    def count(start):
        return jax.jit(lambda: jax.ffi.ffi_call("test.count", scalar(np.int32))(start=start))

    for platform in PLATFORMS:
        with jax.default_device(jax.devices(platform)[0]):
            before = handlers.living_counters()
            counter, other = count(5), count(10)
            assert [int(counter()) for _ in range(3)] == [5, 6, 7]
            assert int(other()) == 10
            assert handlers.living_counters() == before + 2
            del counter, other
            jax.clear_caches()
            gc.collect()
            assert handlers.living_counters() == before
            with pytest.raises(jax.errors.JaxRuntimeError, match="OUT_OF_RANGE.*start at zero"):
                count(-1)()


def test_effects(handlers):
    def call(x):
        jax.ffi.ffi_call("test.effect", (), has_side_effect=True)(x)
        return x + 1

    for platform in PLATFORMS:
        before = handlers.seen_effects()
        np.testing.assert_array_equal(run_on(platform, jax.jit(call), [X]), [X + 1])
        assert handlers.seen_effects() == before + 1


def test_loops(handlers):
    def loop(x):
        body = lambda carry, _: (scale(carry, 2), carry)
        return jax.lax.scan(body, x, None, length=4)

    last, all_ = on_both(loop, X)
    np.testing.assert_array_equal(last, 16 * X)
    np.testing.assert_array_equal(all_, [X, 2 * X, 4 * X, 8 * X])


@pytest.mark.parametrize("method", ["sequential", "expand_dims", "broadcast_all"])
def test_vmap(handlers, method):
    double = jax.vmap(lambda x: scale(x, 2, vmap_method=method))
    np.testing.assert_array_equal(on_both(double, X), [2 * X])


def test_gradients(handlers):
    @jax.custom_vjp
    def triple(x):
        return scale(x, 3)

    triple.defvjp(lambda x: (triple(x), None), lambda _, g: (scale(g, 3),))
    gradient = jax.grad(lambda x: jnp.sum(triple(x) ** 2))
    np.testing.assert_array_equal(on_both(gradient, X), [18 * X])
    with pytest.raises(ValueError, match="cannot be differentiated"):
        jax.grad(lambda x: jnp.sum(scale(x, 3)))(X)


def test_work_behind_the_return(handlers):
    later = lambda x: jax.ffi.ffi_call("test.later", like(x))(x)
    np.testing.assert_array_equal(on_both(lambda x: later(x) + 1, X), [1 - X])
    for platform in PLATFORMS:
        with pytest.raises(jax.errors.JaxRuntimeError, match="ABORTED.*nothing to do later"):
            run_on(platform, jax.jit(later), [-X - 1])


def test_threads_and_memory(handlers):
    call = jax.jit(lambda x: jax.ffi.ffi_call("test.parallel", scalar(np.float32))(x))
    assert run_on(PLATFORM, call, [np.arange(1000, dtype=np.float32)]) == [499500]


def test_the_run(handlers):
    results = (scalar(np.int32), scalar(np.int32))
    where = jax.jit(lambda: jax.ffi.ffi_call("test.where", results, has_side_effect=True)())
    first, second = run_on(PLATFORM, where, []), run_on(PLATFORM, where, [])
    assert first[0] != second[0]
    assert first[1] == second[1] == 0


def test_there_are_no_streams(handlers):
    call = jax.jit(lambda: jax.ffi.ffi_call("test.stream", scalar(np.float32))())
    with pytest.raises(jax.errors.JaxRuntimeError, match="no streams"):
        run_on(PLATFORM, call, [])


def test_custom_options(handlers):
    if not hasattr(handlers, "options"):
        pytest.skip("the headers are older than version 0.5")
    call = jax.jit(lambda: jax.ffi.ffi_call("test.options", scalar(np.int32))())
    assert run_on(PLATFORM, call, []) == [0]
    extended = jax.jit(lambda: jax.ffi.ffi_call("test.extended", scalar(np.int32))())
    with pytest.raises(jax.errors.JaxRuntimeError, match="test.Absent not found"):
        run_on(PLATFORM, extended, [])


START = """
import ctypes, sys, warnings
import jax, numpy as np

function = jax.ffi.pycapsule(ctypes.CDLL(sys.argv[1]).foreign)
jax.ffi.register_ffi_target("test.foreign", function, platform=sys.argv[2])
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    assert jax.devices(sys.argv[2])
    assert jax.jit(lambda x: x + 1)(np.float32(1)) == 2
assert not [warning for warning in seen if "halo" in str(warning.message)], seen
call = jax.ffi.ffi_call("test.foreign", jax.ShapeDtypeStruct((), np.float32))
try:
    jax.jit(call)(np.float32(1))
except jax.errors.JaxRuntimeError as error:
    assert "test.foreign" in str(error) and "version 1.0" in str(error), error
else:
    raise AssertionError("the call is not rejected")
"""


def test_handlers_that_cannot_be_called_are_errors_of_their_calls(handlers):
    result = subprocess.run(
        [sys.executable, "-c", START, handlers._name, PLATFORM], capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    with pytest.raises(ValueError, match="version 1.0"):
        capsule = jax.ffi.pycapsule(handlers.foreign)
        jax.ffi.register_ffi_target("test.foreign", capsule, platform=PLATFORM)


def test_registrations(handlers):
    capsule = lambda name: jax.ffi.pycapsule(getattr(handlers, name))
    register = jax.ffi.register_ffi_target
    # Twice the same is once, for each platform.
    register("test.scale", capsule("scale"))
    register("test.own", capsule("scale"), platform=PLATFORM)
    register("test.own", capsule("scale"), platform=PLATFORM)
    with pytest.raises(ValueError, match="another FFI handler @test.own"):
        register("test.own", capsule("rows"), platform=PLATFORM)
    call = jax.jit(lambda x: jax.ffi.ffi_call("test.own", like(x))(x, factor=np.float32(2)))
    np.testing.assert_array_equal(run_on(PLATFORM, call, [X]), [2 * X])
    # Halo's own comes before that for CPUs.
    register("test.both", capsule("fail"), platform="cpu")
    register("test.both", capsule("scale"), platform=PLATFORM)
    call = jax.jit(lambda x: jax.ffi.ffi_call("test.both", like(x))(x, factor=np.float32(2)))
    np.testing.assert_array_equal(run_on(PLATFORM, call, [X]), [2 * X])
    # A stage for the command buffers of GPUs is not called.
    stages = {"execute": capsule("scale"), "record": capsule("fail")}
    register("test.recorded", stages, platform=PLATFORM)
    with pytest.raises(ValueError, match="API version 0"):
        register("test.untyped", capsule("scale"), platform=PLATFORM, api_version=0)
    with pytest.raises(ValueError, match="unknown stages: finish"):
        register("test.untyped", {"finish": capsule("scale")}, platform=PLATFORM)


def test_batch_partitionable(handlers):
    jax.ffi.register_ffi_target_as_batch_partitionable("test.scale")
    np.testing.assert_array_equal(on_both(lambda x: scale(x, 2), X), [2 * X])
