"""Where JAX asks whether the platform is `cpu`: Halo is as good as one, and does the same."""

import collections
import functools

import numpy as np


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


def _inspect_shardings(platform):
    """`jax.debug.inspect_array_sharding` in a program tells how an argument of it is divided, or
    how a constraint asks for it. With other arrays, each device computes as a whole."""
    import jax
    from jax._src import debugging
    from jax._src.interpreters import mlir

    def inspect(ctx, value, *, callback):
        context = ctx.module_context.axis_context
        mesh = getattr(context, "mesh", None) or debugging.mesh_lib.thread_resources.env.physical_mesh
        devices = getattr(context, "device_assignment", None)
        abstract = getattr(context, "abstract_mesh", None)
        if devices is not None and abstract is not None:
            shape = np.array(devices).reshape(abstract.axis_sizes)
            mesh = jax.sharding.Mesh(shape, abstract.axis_names)
        if mesh.empty:
            callback(debugging.sharding_impls.GSPMDSharding.get_replicated(devices))
        else:
            callback(jax.sharding.NamedSharding(mesh, _axes_of(value)))
        return []

    mlir.register_lowering(
        debugging.inspect_sharding_p, inspect, platform=platform, cacheable=False
    )


def _axes_of(value):
    """The axes of the mesh that divide each dimension of a value of Shardy's dialect."""
    from jax._src.lib.mlir import ir
    from jax._src.lib.mlir.dialects import sdy
    from jax.sharding import PartitionSpec

    sharding = None
    if isinstance(value, ir.BlockArgument):
        function = value.owner.owner
        if "arg_attrs" in function.attributes:
            attributes = ir.ArrayAttr(function.attributes["arg_attrs"])[value.arg_number]
            attributes = ir.DictAttr(attributes)
            sharding = attributes["sdy.sharding"] if "sdy.sharding" in attributes else None
    elif value.owner.name == "sdy.sharding_constraint":
        sharding = value.owner.attributes["sharding"]
    if sharding is None:
        return PartitionSpec()
    axes = []
    for dimension in sdy.TensorShardingAttr(sharding).dimension_shardings:
        names = tuple(sdy.AxisRefAttr(axis).name for axis in sdy.DimensionShardingAttr(dimension).axes)
        axes.append(names if len(names) > 1 else names[0] if names else None)
    return PartitionSpec(*axes)


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
    _lower(platform)
    _partition_whole(platform)
    _inspect_shardings(platform)
    _choose_branches(platform)
    _take_in_place(platform)
    _cache(platform)
