"""DLPack: arrays of Halo are memory of the host, which other libraries read and lend in place.
Arrays in other memory are copied, but those of `halo_cuda` are memory of GPUs for DLPack.

For DLPack, any other device of Halo is the CPU. JAX knows that of its own backend for CPUs alone, so
this module says it where JAX asks for the platform, and lets JAX's own backend make and read
the capsules: an array goes from one backend to the other without a copy.
"""

import ctypes
import functools

import numpy as np


def _lend(array, device, copy=False):
    """The array as one of a device of the other backend, in the same memory, which it keeps."""
    import jax
    from jax._src.lib import _jax

    view = np.asarray(array)
    aval = jax.core.ShapedArray(view.shape, view.dtype)
    sharding = jax.sharding.SingleDeviceSharding(device)
    # Nothing is transferred that JAX's own backend would call so.
    with jax.transfer_guard("allow"):
        return _jax.batched_device_put(
            aval, sharding, [view], [device], force_copy=copy, enable_x64=True
        )


def _chosen_platform():
    """The platform of arrays whose device nobody names."""
    import jax

    device = jax.config.jax_default_device
    return getattr(device, "platform", device) or jax.default_backend()


class _Device(ctypes.Structure):
    """`DLDevice`."""

    _fields_ = [("kind", ctypes.c_int32), ("number", ctypes.c_int32)]


class _Element(ctypes.Structure):
    """`DLDataType`."""

    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


# `DLDataTypeCode` by the kind of a data type of NumPy.
_CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}

# `kDLCUDA`.
_CUDA = 2

# The names of capsules, each with the offset of the tensor in its structure.
_CAPSULES = {b"dltensor": 0, b"dltensor_versioned": 32}

_python = ctypes.PyDLL(None)
_python.PyCapsule_New.restype = ctypes.py_object
_python.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_python.PyCapsule_IsValid.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
_python.PyCapsule_GetPointer.restype = ctypes.c_void_p
_python.PyCapsule_GetPointer.argtypes = [ctypes.c_void_p, ctypes.c_char_p]


def _is_on_gpu(capsule):
    """Whether the tensor of a capsule is in memory of a GPU."""
    for name, offset in _CAPSULES.items():
        if _python.PyCapsule_IsValid(id(capsule), name):
            tensor = _python.PyCapsule_GetPointer(id(capsule), name)
            return _Device.from_address(tensor + offset + ctypes.sizeof(ctypes.c_void_p)).kind == _CUDA
    return False


@ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
def _delete_unused(capsule):
    """Deletes the tensor of a capsule that nothing has read."""
    name = b"dltensor"
    if _python.PyCapsule_IsValid(capsule, name):
        tensor = _python.PyCapsule_GetPointer(capsule, name)
        # The deleter is behind the tensor of 48 bytes and the context.
        deleter = ctypes.c_void_p.from_address(tensor + 56).value
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(deleter)(tensor)


def _gpu_capsule(array):
    """A capsule of an array in memory of a GPU, which stays as it is until the tensor is deleted."""
    import jax
    import jax.numpy as jnp

    dtype = array.dtype
    code = 4 if dtype == jnp.bfloat16 else _CODES.get(dtype.kind)
    if code is None:
        raise jax.errors.JaxRuntimeError(f"UNIMPLEMENTED: {dtype} has no DLPack equivalent")
    # The consumer may read it on any stream.
    array.block_until_ready()
    (device,) = array.devices()
    strides, stride = [0] * array.ndim, 1
    for dimension in reversed(array.format.layout.major_to_minor):
        strides[dimension] = stride
        stride *= array.shape[dimension]
    sizes = (ctypes.c_int64 * (2 * array.ndim))(*array.shape, *strides)
    tensor = _gpus[device.platform].halo_dlpack_tensor(
        ctypes.c_size_t(array.unsafe_buffer_pointer()),
        _Device(_CUDA, device.local_hardware_id),
        _Element(code, 8 * dtype.itemsize, 1),
        ctypes.c_int32(array.ndim),
        sizes,
    )
    if not tensor:
        raise RuntimeError("the array has been deleted")
    return _python.PyCapsule_New(tensor, b"dltensor", ctypes.cast(_delete_unused, ctypes.c_void_p))


# The platforms of GPUs, each with its library.
_gpus = {}


def install_gpus(platform, library):
    """The devices of a platform are GPUs."""
    _gpus[platform] = ctypes.CDLL(library)
    _gpus[platform].halo_dlpack_tensor.restype = ctypes.c_void_p


def _is_of_gpu(array):
    """Whether an array is in memory of a GPU."""
    devices = array.devices()
    in_memory = array.sharding.memory_kind in (None, "device")
    return len(devices) == 1 and in_memory and next(iter(devices)).platform in _gpus


# The platforms whose devices are the CPU, except for GPUs.
_platforms = set()


def install(platform):
    _platforms.add(platform)
    if len(_platforms) > 1:
        return
    import jax
    from jax._src import array as jax_array
    from jax._src import dlpack as jax_dlpack
    from jax._src.lib import _jax

    from . import cpu

    class Platforms(dict):
        """The platforms by DLPack's types of devices: memory of the host is Halo's where
        arrays are made on Halo."""

        def __getitem__(self, device_type):
            if device_type == jax_dlpack.DLDeviceType.kDLCUDA and _gpus:
                return next(iter(_gpus))
            is_host = device_type == jax_dlpack.DLDeviceType.kDLCPU
            chosen = _chosen_platform()
            is_own = is_host and chosen in _platforms
            return chosen if is_own else super().__getitem__(device_type)

    jax_dlpack._DL_DEVICE_TO_PLATFORM = Platforms(jax_dlpack._DL_DEVICE_TO_PLATFORM)

    device_of_jax = jax_array.ArrayImpl.__dlpack_device__

    @functools.wraps(device_of_jax)
    def dlpack_device(self):
        if _is_of_gpu(self):
            return jax_dlpack.DLDeviceType.kDLCUDA, self.device.local_hardware_id
        own = len(self._arrays) == 1 and self.platform() in _platforms
        return (jax_dlpack.DLDeviceType.kDLCPU, 0) if own else device_of_jax(self)

    jax_array.ArrayImpl.__dlpack_device__ = dlpack_device

    export_of_jax = _jax.buffer_to_dlpack_managed_tensor

    @functools.wraps(export_of_jax)
    def export(array, *arguments, **options):
        if _is_of_gpu(array):
            return _gpu_capsule(array)
        (device,) = array.devices()
        lent = _lend(array, cpu()) if device.platform in _platforms else array
        return export_of_jax(lent, *arguments, **options)

    _jax.buffer_to_dlpack_managed_tensor = export

    import_of_jax = _jax.dlpack_managed_tensor_to_buffer

    @functools.wraps(import_of_jax)
    def import_(capsule, device, stream=None, copy=None, *arguments):
        if device.platform not in _platforms or _is_on_gpu(capsule):
            return import_of_jax(capsule, device, stream, copy, *arguments)
        lent = import_of_jax(capsule, cpu(), stream, copy, *arguments)
        # JAX's own backend takes memory that is aligned in place even so.
        return _lend(lent, device, copy=bool(copy))

    _jax.dlpack_managed_tensor_to_buffer = import_
