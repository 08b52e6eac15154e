"""DLPack: arrays of Halo are memory of the host, which other libraries read and lend in place.
Arrays in other memory are copied.

For DLPack, a device of Halo is the CPU. JAX knows that of its own backend for CPUs alone, so
this module says it where JAX asks for the platform, and lets JAX's own backend make and read
the capsules: an array goes from one backend to the other without a copy.
"""

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


# The platforms whose devices are the CPU.
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
            is_host = device_type == jax_dlpack.DLDeviceType.kDLCPU
            chosen = _chosen_platform()
            is_own = is_host and chosen in _platforms
            return chosen if is_own else super().__getitem__(device_type)

    jax_dlpack._DL_DEVICE_TO_PLATFORM = Platforms(jax_dlpack._DL_DEVICE_TO_PLATFORM)

    device_of_jax = jax_array.ArrayImpl.__dlpack_device__

    @functools.wraps(device_of_jax)
    def dlpack_device(self):
        own = len(self._arrays) == 1 and self.platform() in _platforms
        return (jax_dlpack.DLDeviceType.kDLCPU, 0) if own else device_of_jax(self)

    jax_array.ArrayImpl.__dlpack_device__ = dlpack_device

    export_of_jax = _jax.buffer_to_dlpack_managed_tensor

    @functools.wraps(export_of_jax)
    def export(array, *arguments, **options):
        (device,) = array.devices()
        lent = _lend(array, cpu()) if device.platform in _platforms else array
        return export_of_jax(lent, *arguments, **options)

    _jax.buffer_to_dlpack_managed_tensor = export

    import_of_jax = _jax.dlpack_managed_tensor_to_buffer

    @functools.wraps(import_of_jax)
    def import_(capsule, device, stream=None, copy=None, *arguments):
        if device.platform not in _platforms:
            return import_of_jax(capsule, device, stream, copy, *arguments)
        lent = import_of_jax(capsule, cpu(), stream, copy, *arguments)
        # JAX's own backend takes memory that is aligned in place even so.
        return _lend(lent, device, copy=bool(copy))

    _jax.dlpack_managed_tensor_to_buffer = import_
