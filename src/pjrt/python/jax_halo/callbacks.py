"""Python functions in programs: `jax.pure_callback`, `io_callback`, `debug.callback`, `debug.print`.

A callback is a custom call `halo_python_callback` with the number of the function. The library
calls `_dispatch` for it, which finds the function, gives it NumPy arrays and stores its results.
"""

import ctypes
import itertools
import threading
import traceback
import weakref

import ml_dtypes
import numpy as np

TARGET = "halo_python_callback"

# Element types in the order of the codes of Halo's interface for custom calls.
_DTYPES = [
    np.bool_, ml_dtypes.int2, ml_dtypes.int4, np.int8, np.int16, np.int32, np.int64,
    ml_dtypes.uint2, ml_dtypes.uint4, np.uint8, np.uint16, np.uint32, np.uint64,
    ml_dtypes.float4_e2m1fn, ml_dtypes.float6_e2m3fn, ml_dtypes.float6_e3m2fn,
    ml_dtypes.float8_e3m4, ml_dtypes.float8_e4m3, ml_dtypes.float8_e4m3fn,
    ml_dtypes.float8_e4m3fnuz, ml_dtypes.float8_e4m3b11fnuz, ml_dtypes.float8_e5m2,
    ml_dtypes.float8_e5m2fnuz, ml_dtypes.float8_e8m0fnu, ml_dtypes.bfloat16, np.float16,
    np.float32, np.float64, np.complex64, np.complex128,
]  # fmt: skip


class _Buffer(ctypes.Structure):
    _fields_ = [
        ("element_type", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("dims", ctypes.POINTER(ctypes.c_int64)),
        ("minor_to_major", ctypes.POINTER(ctypes.c_int64)),
        ("byte_size", ctypes.c_uint64),
        ("data", ctypes.c_void_p),
    ]

    def array(self):
        """The memory as an array, row-major, as the call asks for."""
        shape = tuple(self.dims[: self.rank])
        dtype = np.dtype(_DTYPES[self.element_type])
        if self.byte_size == 0:
            return np.zeros(shape, dtype)
        memory = (ctypes.c_uint8 * self.byte_size).from_address(self.data)
        return np.frombuffer(memory, dtype).reshape(shape)


class _Attribute(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("kind", ctypes.c_int32),
        ("element_type", ctypes.c_int32),
        ("integer", ctypes.c_int64),
        ("number", ctypes.c_double),
        ("text", ctypes.c_char_p),
        ("count", ctypes.c_uint64),
        ("entries", ctypes.c_void_p),
    ]


class _Call(ctypes.Structure):
    pass


_SetError = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Call), ctypes.c_char_p)
_Call._fields_ = [
    ("version", ctypes.c_uint64),
    ("target", ctypes.c_char_p),
    ("location", ctypes.c_char_p),
    ("backend_config", ctypes.c_char_p),
    ("operand_count", ctypes.c_uint64),
    ("operands", ctypes.POINTER(_Buffer)),
    ("result_count", ctypes.c_uint64),
    ("results", ctypes.POINTER(_Buffer)),
    ("attribute_count", ctypes.c_uint64),
    ("attributes", ctypes.POINTER(_Attribute)),
    ("user_data", ctypes.c_void_p),
    ("set_error", _SetError),
    ("host", ctypes.c_void_p),
]
_Function = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.POINTER(_Call))


class _Callback:
    """A function that a program calls."""

    def __init__(self, function, result_avals):
        self.function = function
        self.result_avals = result_avals

    def run(self, operands, results):
        # Copies, since a function may keep its arguments.
        operands = [operand.copy() for operand in operands]
        for operand in operands:
            operand.flags.writeable = False
        returned = self.function(*operands)
        if len(returned) != len(self.result_avals):
            raise RuntimeError(
                "Mismatched number of outputs from callback. "
                f"Expected: {len(self.result_avals)}, Actual: {len(returned)}"
            )
        for number, (result, value) in enumerate(zip(results, returned)):
            result[...] = self._checked(number, value)

    def _checked(self, number, result):
        from jax._src import dtypes

        aval = self.result_avals[number]
        result = dtypes.canonicalize_value(np.asarray(result))
        if result.shape != aval.shape:
            raise RuntimeError(
                f"Incorrect output shape for return value #{number}: "
                f"Expected: {aval.shape}, Actual: {result.shape}"
            )
        if result.dtype != aval.dtype:
            raise RuntimeError(
                f"Incorrect output dtype for return value #{number}: "
                f"Expected: {aval.dtype}, Actual: {result.dtype}"
            )
        return result


class _Keepalive:
    """What the executable of a program keeps for each of its callbacks."""


class _Callbacks:
    """The callbacks by number, each as long as an executable, or a run of it, may call it: a run
    may go on when JAX has dropped the executable already."""

    def __init__(self):
        # One of each library.
        self.are_bound = []
        self._numbers = itertools.count(1)
        self._callbacks = {}
        self._dropped = set()
        # A finalizer may run at any time, also while the lock is held.
        self._lock = threading.RLock()

    def add(self, callback):
        """The number of a callback, and what keeps it."""
        keepalive = _Keepalive()
        with self._lock:
            self._forget()
            number = next(self._numbers)
            self._callbacks[number] = callback
        weakref.finalize(keepalive, self._drop, number).atexit = False
        return number, keepalive

    def find(self, number):
        return self._callbacks.get(number)

    def _drop(self, number):
        with self._lock:
            self._dropped.add(number)
            self._forget()

    def _forget(self):
        for number in [n for n in self._dropped if not any(bound(n) for bound in self.are_bound)]:
            self._dropped.discard(number)
            self._callbacks.pop(number, None)


_callbacks = _Callbacks()


@_Function
def _dispatch(pointer):
    call = pointer.contents
    try:
        attributes = {a.name: a.integer for a in call.attributes[: call.attribute_count]}
        callback = _callbacks.find(attributes[b"index"])
        if callback is None:
            raise RuntimeError("the callback of the program is gone")
        operands = [buffer.array() for buffer in call.operands[: call.operand_count]]
        results = [buffer.array() for buffer in call.results[: call.result_count]]
        callback.run(operands, results)
        return 0
    except BaseException:
        message = "CpuCallback error calling callback: " + traceback.format_exc()
        call.set_error(pointer, message.encode())
        return 1


def lower(ctx, callback, operands, *, has_side_effect):
    """The op that calls a callback, and what keeps the callback: the executable of the program
    does."""
    from jax._src import ffi

    number, keepalive = _callbacks.add(callback)
    ctx.module_context.add_keepalive(keepalive)
    rule = ffi.build_ffi_lowering_function(TARGET, has_side_effect=has_side_effect)
    return rule(ctx, *operands, index=np.uint64(number)), keepalive


def emit(
    ctx, callback, token, operands, operand_avals, result_avals, *, has_side_effect,
    returns_token=True, partitioned=False, sharding=None,
):  # fmt: skip
    """As JAX's `emit_python_callback`. Calls with side effects run in the order of the program,
    so that no token need be passed through them."""
    from jax._src.interpreters import mlir

    del operand_avals, returns_token
    if partitioned and result_avals:
        raise ValueError("Partitioned callback not supported with return values.")
    callback = _Callback(callback, result_avals)
    call, keepalive = lower(ctx, callback, operands, has_side_effect=has_side_effect)
    if sharding is not None:
        # Of a program for several devices, one may be meant to call for all.
        mlir.set_sharding(ctx.module_context, call, sharding)
    return call.results, token, keepalive


class _WithReplacedCpu:
    """JAX's module of backends, with the backend for CPUs that Halo stands in for: arguments of
    callbacks are placed there, since the device of the program is busy with it."""

    def __init__(self, bridge):
        self._bridge = bridge

    def __getattr__(self, name):
        return getattr(self._bridge, name)

    def local_devices(self, *arguments, backend=None, **options):
        from . import cpu

        if backend == "cpu":
            return [cpu()]
        return self._bridge.local_devices(*arguments, backend=backend, **options)


def install(library, platform):
    """Registers the dispatcher with the library, and the lowering with JAX for the platform."""
    from jax._src import callback as jax_callback
    from jax._src import debugging
    from jax.interpreters import mlir

    functions = ctypes.CDLL(library)
    functions.halo_set_callback_dispatcher(_dispatch)
    functions.halo_callback_is_bound.argtypes = [ctypes.c_int64]
    _callbacks.are_bound.append(functions.halo_callback_is_bound)

    if platform == "cpu":
        jax_callback.xb = _WithReplacedCpu(jax_callback.xb)
        debugging.xla_bridge = _WithReplacedCpu(debugging.xla_bridge)

    emit_of_jax = jax_callback.emit_python_callback

    def emit_for_platform(ctx, *arguments, **options):
        own = tuple(ctx.module_context.platforms) == (platform,)
        return (emit if own else emit_of_jax)(ctx, *arguments, **options)

    jax_callback.emit_python_callback = emit_for_platform
    # The name by which other libraries call it.
    mlir.emit_python_callback = emit_for_platform
