"""The platform halo_cuda with a driver that needs no GPU: `cuda_driver.c`."""

import os
import pathlib
import shutil
import subprocess
import sys

import jax
import pytest

from comparison import PLATFORM
from test_ffi import compiler

pytestmark = pytest.mark.skipif(PLATFORM != "halo", reason="the tests choose the platform")

START = """
import jax, jax.numpy as jnp, numpy as np

devices = jax.devices("halo_cuda")
small, large = np.arange(12, dtype=np.float32).reshape(3, 4), np.arange(1 << 20, dtype=np.float32)
# Programs that only copy and fill, since kernels of the driver do nothing.
copies = jax.jit(lambda x: (x, jnp.zeros(5), jnp.full(3, 7, jnp.int8)))
add = jax.jit(lambda x: x + 1, donate_argnums=0)
"""

VALUES = """
assert len(devices) == 2 and devices[1].device_kind == "Test GPU 1"
assert devices[0].compute_capability == "9.0" and devices[0].core_count == 132
for device in devices:
    before = device.memory_stats()["bytes_in_use"]
    for array in small, large, large[::2], small.T:
        put = jax.device_put(array, device)
        # More runs than the driver gets at a time.
        for _ in range(40):
            put, zeros, sevens = copies(put)
        assert put.devices() == {device}
        np.testing.assert_array_equal(put, array)
        np.testing.assert_array_equal(zeros, np.zeros(5))
        np.testing.assert_array_equal(sevens, np.full(3, 7))
        result = add(put)
        assert put.is_deleted()
        result.block_until_ready()
    del put, zeros, sevens, result
    assert device.memory_stats()["bytes_in_use"] <= before + (1 << 10)
first, second = (jax.device_put(large, device) for device in devices)
np.testing.assert_array_equal(jax.device_put(copies(second)[0], devices[0]), large)
# A callback, which waits for earlier runs.
double = lambda x: jax.pure_callback(lambda x: 2 * np.asarray(x), x, x)
np.testing.assert_array_equal(jax.jit(double)(copies(first)[0]), 2 * large)
mesh = jax.make_mesh((2,), ("i",), devices=devices)
halves = jax.device_put(large, jax.NamedSharding(mesh, jax.P("i")))
np.testing.assert_array_equal(jax.jit(lambda x: x)(halves), large)
# The process ends with unfinished runs.
for _ in range(40):
    first, *_ = copies(first)
"""

# A handler that copies by way of memory that it allocates.
HANDLER = """
#include "xla/ffi/api/ffi.h"
namespace ffi = xla::ffi;
extern "C" int cuMemcpyDtoDAsync_v2(void *, void *, size_t, void *);

static ffi::Error Copy(void *stream, ffi::ScratchAllocator memory, ffi::AnyBuffer x,
                       ffi::Result<ffi::AnyBuffer> y) {
  void *copy = *memory.Allocate(x.size_bytes());
  int outcome = cuMemcpyDtoDAsync_v2(copy, x.untyped_data(), x.size_bytes(), stream);
  outcome += cuMemcpyDtoDAsync_v2(y->untyped_data(), copy, x.size_bytes(), stream);
  return outcome ? ffi::Error::Internal("the copy failed") : ffi::Error::Success();
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(copy, Copy, ffi::Ffi::Bind()
    .Ctx<ffi::PlatformStream<void *>>().Ctx<ffi::ScratchAllocator>()
    .Arg<ffi::AnyBuffer>().Ret<ffi::AnyBuffer>());
"""

HANDLERS = """
import ctypes, sys

library = ctypes.CDLL(sys.argv[1])
jax.ffi.register_ffi_target("test.copy", jax.ffi.pycapsule(library.copy), platform="CUDA")
for aliases in {}, {0: 0}:
    shape = jax.ShapeDtypeStruct(large.shape, large.dtype)
    call = jax.ffi.ffi_call("test.copy", shape, input_output_aliases=aliases)
    run = jax.jit(lambda x: (call(call(x)), x))
    for device in devices:
        x = jax.device_put(large, device)
        for _ in range(10):
            x, same = run(x)
        np.testing.assert_array_equal(x, large)
        np.testing.assert_array_equal(same, large)
"""

KINDS = """
on_host = jax.sharding.SingleDeviceSharding(devices[1], memory_kind="pinned_host")
on_device = on_host.with_memory_kind("device")
for array in small, large:
    before = devices[1].memory_stats()["bytes_in_use"]
    pinned = jax.device_put(array, on_host)
    assert devices[1].memory_stats()["bytes_in_use"] == before
    back = jax.device_put(pinned, on_device)
    again = jax.device_put(back, on_host)
    # A program works on memory of the device.
    results = jax.jit(lambda x: (x, x), out_shardings=(on_host, on_device))(pinned)
    for one, kind in zip([pinned, again, back, *results], "hhdhd"):
        assert one.sharding.memory_kind == {"h": "pinned_host", "d": "device"}[kind]
        np.testing.assert_array_equal(one, array)
"""

DLPACK = """
for device in devices:
    for array in small, large, small.astype(jnp.bfloat16), np.float32(3), np.zeros((0, 3), np.int8):
        put, *_ = copies(jax.device_put(array, device))
        assert put.__dlpack_device__() == (2, device.local_hardware_id)
        shared = jax.dlpack.from_dlpack(put)
        assert shared.devices() == {device} and shared.dtype == array.dtype
        assert put.size == 0 or shared.unsafe_buffer_pointer() == put.unsafe_buffer_pointer()
        # Neither is overwritten.
        add(put).block_until_ready()
        assert put.is_deleted()
        np.testing.assert_array_equal(shared, array)
    before = device.memory_stats()["bytes_in_use"]
    put = jax.device_put(large, device)
    put.__dlpack__()
    del put
    assert device.memory_stats()["bytes_in_use"] == before
"""

# A failed call, and the error of the program. Later calls succeed.
FAILURES = {
    "cuInit:1": "no CUDA driver was found",
    "cuMemAllocAsync:1": "no 48 bytes on CUDA device 0",
    "cuMemcpyHtoDAsync:1": "a copy to the device: as the test wants",
    "cuModuleLoadDataEx:1": "the driver does not take the kernels",
    "cuEventCreate:5": "no event: as the test wants",
    "cuLaunchKernel:1": "the launch of a kernel: as the test wants (CUDA_ERROR_OF_TEST)",
    "cuMemcpyDtoHAsync:1": "a copy from the device: as the test wants",
}

ERROR = """
put = jax.device_put(small, devices[0])
print(np.asarray(add(put + 0)))
"""


@pytest.fixture(scope="session")
def driver(tmp_path_factory):
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler is there")
    folder = tmp_path_factory.mktemp("driver")
    source = pathlib.Path(__file__).parent / "cuda_driver.c"
    command = [compiler, "-O1", "-shared", "-fPIC", "-pthread", source, "-o", folder / "libcuda.so"]
    subprocess.run(command, check=True)
    return folder


def run(driver, program, *arguments, **variables):
    search = os.pathsep.join([str(driver), os.environ.get("LD_LIBRARY_PATH", "")])
    variables = {"LD_LIBRARY_PATH": search, "JAX_PLATFORMS": "halo_cuda,cpu"} | variables
    environment = {key: value for key, value in os.environ.items() if key != "HALO_DEVICE_COUNT"}
    return subprocess.run(
        [sys.executable, "-c", START + program, *arguments],
        env=environment | variables,
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.mark.parametrize("program", [VALUES, KINDS, DLPACK], ids=["values", "kinds", "dlpack"])
def test_values_on_two_devices(driver, program):
    ended = run(driver, program)
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_handlers_on_streams(driver, tmp_path):
    if compiler() is None:
        pytest.skip("no C++ compiler is there")
    library = tmp_path / "handler.so"
    command = [compiler(), "-std=c++17", "-w", "-shared", "-fPIC", f"-I{jax.ffi.include_dir()}"]
    command += ["-x", "c++", "-", f"-L{driver}", "-lcuda", "-o", library]
    subprocess.run(command, check=True, input=HANDLER, text=True)
    ended = run(driver, HANDLERS, str(library))
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.parametrize("call", FAILURES)
def test_errors_of_the_driver(driver, call):
    ended = run(driver, ERROR, FAKE_FAIL=call)
    assert ended.returncode == 1 and FAILURES[call] in ended.stderr, ended.stdout + ended.stderr
