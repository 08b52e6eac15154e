"""Halo as a backend of JAX.

JAX finds this package by its entry point and calls `initialize` before it makes its first
backend. Programs choose Halo by `JAX_PLATFORMS=halo`, or an array's device by
`jax.devices("halo")`. With `HALO_PLATFORM_NAME=cpu`, Halo is the platform `cpu`, for programs that
look at its name. `JAX_PLATFORMS=halo_cuda` chooses the backend `cuda`, and `register` adds the
platform of another plug-in.
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
    from jax._src import distributed

    _warn_of_flags(os.environ.get("XLA_FLAGS", ""))
    options = {
        "device_count": _device_count(),
        "cache_dir": _cache_dir(),
        "coordinator_address": distributed.global_state.coordinator_address,
    }
    return {name: value for name, value in options.items() if value is not None}


def _options_of(backend):
    """The options of a client of another backend than `cpu`."""
    options = _options() | {"backend": backend}
    if backend == "cuda":
        # JAX's number is of CPUs.
        options.pop("device_count", None)
    return options


@functools.cache
def _replaced_cpu():
    """JAX's own backend for CPUs, where Halo is registered in its place. It is made on first use,
    which is not at the same time in all processes of a job, so that it is of this process alone."""
    from jax._src.lib import xla_client

    return xla_client.make_cpu_client()


def cpu():
    """A device of JAX's own backend for CPUs."""
    import jax

    if PLATFORM == "cpu":
        return _replaced_cpu().local_devices()[0]
    return jax.local_devices(backend="cpu")[0]


def _keep_cpu(own):
    """Where a platform of Halo is the only one, JAX's own one for CPUs is made too, behind it:
    callbacks place their arguments there. `jax_platforms` stays as it is, since programs may look."""
    import jax
    from jax._src import xla_bridge

    expand = xla_bridge.expand_platform_alias

    @functools.wraps(expand)
    def expand_at_start(platform):
        is_start = not xla_bridge._backends and jax.config.jax_platforms == own
        return [own, "cpu"] if is_start and platform == own else expand(platform)

    xla_bridge.expand_platform_alias = expand_at_start


def register(platform, library, options=None):
    """Makes the plug-in of a library a platform of JAX, with all that JAX has for CPUs: lowering
    rules, callbacks, handlers of `jax.ffi`, DLPack. To be called before JAX makes its backends, by
    `initialize` of an entry point `jax_plugins` or by a program. `options` are the client's, such
    as `{"device_count": 2}`, or a function that returns them."""
    from jax._src import xla_bridge

    from . import analysis, as_cpu, buffer_callbacks, callbacks, dlpack, ffi, inspection

    library = os.fspath(library)
    if not os.path.exists(library):
        raise RuntimeError(f"jax-halo: the library {library} does not exist")
    # JAX warns of plug-ins that it does not know.
    xla_bridge._nonexperimental_plugins.add(platform)

    def with_name():
        given = options() if callable(options) else options
        return {"platform_name": platform} | (given or {})

    xla_bridge.register_plugin(platform, priority=300, library_path=library, options=with_name)
    for part in [callbacks, ffi, inspection]:
        part.install(library, platform)
    for part in [as_cpu, buffer_callbacks, dlpack, analysis]:
        part.install(platform)
    if platform != "cpu":
        _keep_cpu(platform)


def initialize():
    import jax

    register(PLATFORM, library_path(), _options)
    # Another backend of the library is made only where a program asks for it.
    for platform in (jax.config.jax_platforms or "").split(","):
        if platform.startswith("halo_"):
            backend = platform.removeprefix("halo_").replace("_", "-")
            register(platform, library_path(), functools.partial(_options_of, backend))
            if backend == "cuda":
                from . import dlpack, ffi

                dlpack.install_gpus(platform, library_path())
                # Handlers for GPUs, which work on the memory of the device.
                ffi.install(library_path(), "CUDA")
