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


def _partition(platform):
    """`custom_partitioning`: in `shard_map` with some automatic axes, each device computes the
    whole function."""
    from jax._src import core, custom_partitioning
    from jax._src.interpreters import mlir

    def lower(ctx, *values, call, **parameters):
        if getattr(ctx.module_context.axis_context, "manual_axes", None):
            return mlir.lower_fun(core.jaxpr_as_fun(call), multiple_results=True)(ctx, *values)
        rule = custom_partitioning._custom_partitioning_lowering_rule
        return rule(ctx, *values, call=call, **parameters)

    mlir.register_lowering(custom_partitioning.custom_partitioning_p, lower, platform=platform)


def _choose_branches(platform):
    """`jax.lax.platform_dependent`: the function for CPUs, unless there is one for Halo."""
    from jax._src.interpreters import mlir
    from jax._src.lax.control_flow import conditionals

    def extend(platforms):
        if platforms is None or any(platform in names for names in platforms if names):
            return platforms
        return tuple(
            names + (platform,) if names and "cpu" in names else names for names in platforms
        )

    def index(ctx, *, platforms):
        return conditionals._platform_index_lowering(ctx, platforms=extend(platforms))

    def choose(ctx, *arguments, branches_platforms=None, **parameters):
        return conditionals._cond_lowering(
            ctx, *arguments, branches_platforms=extend(branches_platforms), **parameters
        )

    mlir.register_lowering(conditionals.platform_index_p, index)
    mlir.register_lowering(conditionals.cond_p, choose)


def _call_exported(platform):
    """Artifacts of `jax.export`: those for CPUs run on Halo, unless they are for Halo too."""
    from jax._src.export import _export
    from jax._src.interpreters import mlir

    def call(ctx, *arguments, exported):
        if platform in exported.platforms or "cpu" not in exported.platforms:
            return _export._call_exported_lowering(ctx, *arguments, exported=exported)
        module = ctx.module_context
        platforms = ["cpu" if one == platform else one for one in module.platforms]
        if len(exported.platforms) == 1:
            platforms = list(dict.fromkeys(platforms))
        as_cpu = ctx.replace(module_context=module.replace(platforms=platforms))
        results = _export._call_exported_lowering(as_cpu, *arguments, exported=exported)
        if as_cpu.tokens_out is not None:
            ctx.set_tokens_out(as_cpu.tokens_out)
        return results

    mlir.register_lowering(_export.call_exported_p, call)


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
    _partition(platform)
    if platform == "cpu":
        return
    _lower(platform)
    _choose_branches(platform)
    _call_exported(platform)
    _take_in_place(platform)
    _cache(platform)
