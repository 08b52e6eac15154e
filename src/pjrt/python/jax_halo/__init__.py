"""Halo as a backend of JAX.

JAX finds this package by its entry point and calls `initialize` before it makes its first
backend. Programs choose Halo by `JAX_PLATFORMS=halo`, or an array's device by
`jax.devices("halo")`. With `HALO_PLATFORM_NAME=cpu`, Halo is the platform `cpu`, for programs that
look at its name.
"""

import functools
import os
import pathlib
import re
import warnings

# The name of the platform: `cpu` puts Halo in the place of JAX's own backend for CPUs.
PLATFORM = os.environ.get("HALO_PLATFORM_NAME") or "halo"


def library_path():
    """The shared library: the one of this package, or the one that `HALO_PJRT_LIBRARY` names."""
    own = pathlib.Path(__file__).parent / "libhalo_pjrt.so"
    return os.environ.get("HALO_PJRT_LIBRARY") or str(own)


def _device_count():
    """As many devices as JAX, or XLA's flag, makes of the CPU, unless the environment says so for
    Halo."""
    import jax

    if os.environ.get("HALO_DEVICE_COUNT"):
        return None
    count = jax.config.jax_num_cpu_devices
    if count > 0:
        return count
    flags = os.environ.get("XLA_FLAGS", "")
    found = re.findall(r"--xla_force_host_platform_device_count=(\d+)", flags)
    return int(found[-1]) if found else None


def _cache_dir():
    """A folder in that of JAX's persistent cache, which keeps programs as they were given: compiled
    code is beside them, unless the environment has a folder for Halo."""
    import jax

    directory = jax.config.jax_compilation_cache_dir
    is_used = directory and jax.config.jax_enable_compilation_cache
    if not is_used or "://" in directory or "HALO_CACHE_DIR" in os.environ:
        return None
    return os.path.join(directory, "halo")


# The flags of XLA that Halo follows: the client reads the first, each compilation the others.
_XLA_FLAGS = {
    "xla_force_host_platform_device_count",
    "xla_backend_optimization_level",
    "xla_cpu_multi_thread_eigen",
    "xla_disable_hlo_passes",
    "xla_dump_to",
}


@functools.cache
def _warn_of_flags(flags):
    """Warns once of flags without effect."""
    given = re.findall(r"--(\w+)", flags)
    others = [flag for flag in given if flag not in _XLA_FLAGS]
    if others:
        warnings.warn(f"XLA_FLAGS: no effect on Halo: {', '.join(others)}", stacklevel=2)


def _options():
    """The options of a client."""
    _warn_of_flags(os.environ.get("XLA_FLAGS", ""))
    options = {"device_count": _device_count(), "cache_dir": _cache_dir()}
    return {name: value for name, value in options.items() if value is not None}


@functools.cache
def _replaced_cpu():
    """JAX's own backend for CPUs, where Halo is registered in its place."""
    from jax._src import xla_bridge

    return xla_bridge.make_cpu_client()


def cpu():
    """A device of JAX's own backend for CPUs."""
    import jax

    if PLATFORM == "cpu":
        return _replaced_cpu().local_devices()[0]
    return jax.local_devices(backend="cpu")[0]


def _keep_cpu():
    """Where Halo is the only platform, JAX's own one for CPUs is made too, behind it: callbacks
    place their arguments there. `jax_platforms` stays as it is, since programs may look."""
    import jax
    from jax._src import xla_bridge

    expand = xla_bridge.expand_platform_alias

    @functools.wraps(expand)
    def expand_at_start(platform):
        is_start = not xla_bridge._backends and jax.config.jax_platforms == PLATFORM
        return [PLATFORM, "cpu"] if is_start and platform == PLATFORM else expand(platform)

    xla_bridge.expand_platform_alias = expand_at_start


def initialize():
    from jax._src import xla_bridge

    from . import analysis, as_cpu, buffer_callbacks, callbacks, dlpack, ffi, inspection

    path = library_path()
    if not os.path.exists(path):
        raise RuntimeError(f"jax-halo: the library {path} does not exist")
    # JAX warns of plug-ins that it does not know.
    xla_bridge._nonexperimental_plugins.add(PLATFORM)
    xla_bridge.register_plugin(PLATFORM, priority=300, library_path=path, options=_options)
    callbacks.install(path, PLATFORM)
    ffi.install(path, PLATFORM)
    inspection.install(path, PLATFORM)
    for part in [as_cpu, buffer_callbacks, dlpack, analysis]:
        part.install(PLATFORM)
    if PLATFORM != "cpu":
        _keep_cpu()
