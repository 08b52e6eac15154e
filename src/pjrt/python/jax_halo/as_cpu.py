"""Where JAX asks whether the platform is `cpu`: Halo is as good as one, and does the same."""

import collections
import functools


def _lower(platform):
    """Lowers as for CPUs what JAX lowers in a way of its own for each platform, and takes the
    memory of donated arguments."""
    from jax._src.interpreters import mlir

    rules = mlir._platform_specific_lowerings
    rules[platform] = collections.ChainMap(rules[platform], rules["cpu"])
    mlir._platforms_with_donation.append(platform)


def _partition_whole(platform):
    """`custom_partitioning`: each device computes the whole function."""
    from jax._src import core, custom_partitioning
    from jax._src.interpreters import mlir

    def whole(ctx, *values, call, **_):
        return mlir.lower_fun(core.jaxpr_as_fun(call), multiple_results=True)(ctx, *values)

    mlir.register_lowering(custom_partitioning.custom_partitioning_p, whole, platform=platform)


def _choose_branches(platform):
    """`jax.lax.platform_dependent`: the function for CPUs, unless there is one for Halo."""
    from jax._src.lax.control_flow import conditionals

    def extend(platforms):
        if platforms is None or any(platform in names for names in platforms if names):
            return platforms
        return tuple(
            names + (platform,) if names and "cpu" in names else names for names in platforms
        )

    bind, switch = conditionals.platform_index_p.bind, conditionals._switch_internal

    def index(*, platforms):
        return bind(platforms=extend(platforms))

    @functools.wraps(switch)
    def choose(*arguments, branches_platforms):
        return switch(*arguments, branches_platforms=extend(branches_platforms))

    conditionals.platform_index_p.bind = index
    conditionals._switch_internal = choose


def _take_in_place(platform):
    """`jax.numpy.asarray(x, copy=False)`: memory of NumPy is not refused."""
    from jax._src.numpy import array_constructors

    platform_of = array_constructors._get_platform

    @functools.wraps(platform_of)
    def in_memory_of_the_host(device):
        found = platform_of(device)
        return "cpu" if found == platform else found

    array_constructors._get_platform = in_memory_of_the_host


def _cache(platform):
    """`jax_compilation_cache_dir`: programs are kept there."""
    from jax._src import compilation_cache

    class Cpu:
        platform = "cpu"
        supports_executable_serialization = True

    is_used = compilation_cache.is_cache_used

    @functools.wraps(is_used)
    def is_cache_used(backend):
        return is_used(Cpu if backend.platform == platform else backend)

    compilation_cache.is_cache_used = is_cache_used


def install(platform):
    _partition_whole(platform)
    if platform == "cpu":
        return
    _lower(platform)
    _choose_branches(platform)
    _take_in_place(platform)
    _cache(platform)
