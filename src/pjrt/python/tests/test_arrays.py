"""Arrays of the backend: where they are, copies, donation, and what goes wrong."""

import os
import subprocess
import sys

import jax
import jax.numpy as jnp
import jax_halo
import numpy as np
import pytest
from jax.sharding import SingleDeviceSharding


def test_devices():
    assert jax.default_backend() == "halo"
    device = jax.devices()[0]
    assert device.platform == "halo"
    assert device.default_memory().kind == "device"
    assert device.memory_stats()["bytes_limit"] > 0


def test_number_of_devices(monkeypatch):
    monkeypatch.delenv("HALO_DEVICE_COUNT", raising=False)
    monkeypatch.setenv("XLA_FLAGS", "--a --xla_force_host_platform_device_count=3 --b")
    assert jax_halo._options()["device_count"] == 3
    monkeypatch.setenv("HALO_DEVICE_COUNT", "2")
    assert "device_count" not in jax_halo._options()


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


@pytest.mark.parametrize("size", [16, 1 << 12, 1 << 20])
def test_an_array_that_is_a_copy_does_not_change(size):
    for _ in range(20):
        source = np.zeros(size, np.float32)
        array = jnp.array(source)
        source[:] = 1
        assert array.sum() == 0


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


def test_an_argument_that_is_donated_is_no_other_one():
    x = jnp.ones(3)
    for donated in [0, 1, (0, 1)]:
        with pytest.raises(jax.errors.JaxRuntimeError, match="Attempt to .*donate"):
            jax.jit(lambda a, b: (a + b, a), donate_argnums=donated)(x, x)


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
    assert memory.generated_code_size_in_bytes == memory.host_argument_size_in_bytes == 0
    assert "dot" in compiled.as_text()
    lowered = jax.jit(lambda x: jnp.dot(x, x)).lower(jnp.ones((8, 8)))
    for costs in [lowered.cost_analysis(), compiled.cost_analysis()]:
        assert costs["bytes accessed"] >= 512 and costs["flops"] >= 2 * 8**3


def test_options_of_xla():
    lowered = jax.jit(lambda x: x + 1).lower(1.0)
    lowered.compile(compiler_options={"xla_embed_ir_in_executable": True})
    with pytest.raises(jax.errors.JaxRuntimeError, match="No such compile option: 'other'"):
        lowered.compile(compiler_options={"other": 1})


def test_persistent_cache(tmp_path):
    from jax._src import compilation_cache

    def cached():
        jax.clear_caches()
        assert jax.jit(lambda x: x * 3)(jnp.float32(2)) == 6
        return sorted(path.name for path in tmp_path.glob("*-cache"))

    options = {
        "jax_compilation_cache_dir": str(tmp_path),
        "jax_persistent_cache_min_compile_time_secs": 0,
        "jax_persistent_cache_min_entry_size_bytes": 0,
    }
    before = {name: getattr(jax.config, name) for name in options}
    try:
        compilation_cache.reset_cache()
        for name, value in options.items():
            jax.config.update(name, value)
        first = cached()
        assert first and cached() == first
    finally:
        for name, value in before.items():
            jax.config.update(name, value)
        compilation_cache.reset_cache()


PROGRAM = """
import jax
step = jax.jit(lambda x: x @ x + 1)
print(step(jax.numpy.ones((8, 8))).sum())
"""


def test_compiled_code_is_kept_beside_the_persistent_cache(tmp_path):
    options = {
        "JAX_PLATFORMS": "halo",
        "JAX_COMPILATION_CACHE_DIR": str(tmp_path),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
    }
    environment = {k: v for k, v in os.environ.items() if k != "HALO_CACHE_DIR"} | options

    def run():
        command = [sys.executable, "-c", PROGRAM]
        result = subprocess.run(command, env=environment, check=True, capture_output=True)
        return result.stdout, sorted((tmp_path / "halo").rglob("*"))

    first = run()
    assert first[0].strip() == b"576.0" and first[1]
    assert run() == first


def test_the_backend_is_as_good_as_a_cpu():
    double, same = (lambda x: 2 * x), (lambda x: x)
    for function in [jax.jit, jax.vmap, lambda f: f]:
        result = function(lambda x: jax.lax.platform_dependent(x, cpu=double, default=same))
        np.testing.assert_array_equal(result(jnp.ones(2)), [2, 2])
    own = jax.lax.platform_dependent(jnp.ones(2), cpu=same, halo=double)
    np.testing.assert_array_equal(own, [2, 2])
    np.testing.assert_array_equal(jnp.asarray(np.ones(3), copy=False), np.ones(3))


def test_profile_of_memory(tmp_path):
    array = jnp.ones(1024)
    jax.profiler.save_device_memory_profile(str(tmp_path / "profile"))
    assert (tmp_path / "profile").stat().st_size > 0
    assert array.sum() == 1024


def test_exported_dynamic_shapes():
    from jax import export

    (n,) = export.symbolic_shape("n")
    exported = export.export(jax.jit(lambda x: x.sum() * x), platforms=["halo"])(
        jax.ShapeDtypeStruct((n,), jnp.float32)
    )
    for size in [1, 3, 5]:
        x = jnp.arange(float(size))
        np.testing.assert_allclose(exported.call(x), x.sum() * x)


def test_gradients_through_branches():
    """Found by JAX's own tests: a branch overwrote what it read later, or did not compile."""
    with jax.default_device(jax.devices("cpu")[0]):
        expected = jax.grad(lambda a: jax.scipy.linalg.expm(a).sum())(jnp.full((1, 1), 0.6))
    found = jax.grad(lambda a: jax.scipy.linalg.expm(a).sum())(jnp.full((1, 1), 0.6))
    np.testing.assert_allclose(np.asarray(found), np.asarray(expected), rtol=1e-5)
    a = np.arange(1, 11, dtype=np.float32)[:, None]
    b = a * np.array([1, 2, 0, -1], np.float32) + 1
    found = jnp.linalg.lstsq(jnp.asarray(a), jnp.asarray(b))[0]
    np.testing.assert_allclose(np.asarray(found), np.linalg.lstsq(a, b)[0], rtol=1e-4, atol=1e-4)


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


@pytest.mark.parametrize("kind", ["pinned_host", "unpinned_host", "device"])
def test_results_are_in_memory_of_the_kind_that_is_asked_for(kind):
    sharding = SingleDeviceSharding(jax.devices()[0], memory_kind=kind)
    result = jax.jit(lambda x: (x + 1, x * 2), out_shardings=(sharding, None))(jnp.ones(3))
    assert [one.sharding.memory_kind for one in result] == [kind, "device"]
    np.testing.assert_array_equal(result[0], [2, 2, 2])
    assert jax.device_put(jnp.ones(3), sharding).sharding.memory_kind == kind


def test_tokens():
    token = jax.lax.create_token()
    assert type(token).__name__ == "Token"
    # They are passed through, and not used.
    total, again = jax.jit(lambda x, token: (x + 1, token))(jnp.ones(2), token)
    np.testing.assert_array_equal(total, [2, 2])
    (last,) = jax.jit(lambda token: (token,))(again)
    assert type(last).__name__ == "Token"
    unused = jax.jit(lambda x, token: x + 1, keep_unused=True)
    np.testing.assert_array_equal(unused(jnp.ones(2), last), [2, 2])


def test_the_configuration_stays_as_it_is():
    program = "import jax; jax.devices(); print(jax.config.jax_platforms, jax.devices('cpu'))"
    environment = os.environ | {"JAX_PLATFORMS": "halo"}
    run = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True
    )
    assert run.stdout.startswith("halo [CpuDevice(id=0)"), run.stderr


def test_control_dependencies():
    # JAX 0.12 does not have it.
    control_deps = pytest.importorskip("jax.experimental.control_deps")

    @jax.jit
    def function(x):
        first, second = jnp.sin(x), jnp.cos(x)
        control_deps.control_dep(first, second)
        return first + second

    x = np.arange(3.0, dtype=np.float32)
    np.testing.assert_allclose(function(x), np.sin(x) + np.cos(x), rtol=1e-6)


@pytest.mark.skipif(not hasattr(jax.lax, "log2"), reason="older than JAX 0.12")
def test_primitives_of_jax_0_12():
    x = np.linspace(-2, 2, 24, dtype=np.float32).reshape(4, 6)
    log2 = jax.jit(lambda x: jax.lax.log2(jnp.abs(x)))
    np.testing.assert_allclose(log2(x), np.log2(np.abs(x)), rtol=1e-5, atol=1e-6)
    one_minus_square = jax.jit(jax.lax.one_minus_square)
    np.testing.assert_allclose(one_minus_square(x), 1 - x * x, rtol=1e-5, atol=1e-6)
    values, indices = jax.jit(lambda x: jax.lax.top_k(x, 2, is_stable=False))(x)
    np.testing.assert_array_equal(values, x[:, [5, 4]])
    np.testing.assert_array_equal(indices, [[5, 4]] * 4)
