"""`jax.debug.inspect_array_sharding` in programs.

A program has a custom call `InspectSharding` with the number of the callback. The library calls
`_tell` with the number when it compiles the program, as the sharding follows from all of it.
"""

import ctypes
import itertools
import traceback
import weakref

TARGET = "InspectSharding"

_Inspector = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int64, ctypes.c_void_p, ctypes.c_uint64)


class _Inspection:
    """A callback, and the mesh of the program that it asks in."""

    def __init__(self, callback, mesh, devices):
        self.callback = callback
        self.mesh = mesh
        self.devices = devices

    def tell(self, sharding):
        from jax._src import sharding_impls
        from jax.sharding import NamedSharding

        if self.mesh.empty:
            self.callback(sharding_impls.GSPMDSharding(self.devices, sharding))
        else:
            specs = sharding_impls.parse_flatten_op_sharding(sharding, self.mesh)
            self.callback(NamedSharding(self.mesh, specs[0]))


_numbers = itertools.count(1)
# Each as long as JAX keeps the program that asks.
_inspections = weakref.WeakValueDictionary()


@_Inspector
def _tell(number, data, size):
    from jax._src.lib import xla_client

    inspection = _inspections.get(number)
    if inspection is None:
        return 0
    try:
        proto = xla_client.OpSharding()
        proto.ParseFromString(ctypes.string_at(data, size))
        inspection.tell(xla_client.HloSharding.from_proto(proto))
        return 0
    except BaseException:
        traceback.print_exc()
        return 1


def _lower(ctx, value, *, callback):
    from jax._src import debugging, sharding_impls
    from jax._src.interpreters import mlir
    from jax._src.lib.mlir import ir
    from jax._src.lib.mlir.dialects import hlo
    import jax
    import numpy as np

    context = ctx.module_context.axis_context
    if isinstance(context, sharding_impls.SPMDAxisContext):
        mesh, devices = context.mesh, context.mesh._flat_devices_tuple
    else:
        mesh, devices = debugging.mesh_lib.thread_resources.env.physical_mesh, context.device_assignment
        if context.abstract_mesh is not None:
            abstract = context.abstract_mesh
            grid = np.array(devices).reshape(abstract.axis_sizes)
            mesh = jax.sharding.Mesh(grid, abstract.axis_names)
    inspection = _Inspection(callback, mesh, devices)
    if len(devices) == 1:
        inspection.tell(sharding_impls.replicated_hlo_sharding)
        return []
    number = next(_numbers)
    _inspections[number] = inspection
    ctx.module_context.add_keepalive(inspection)
    hlo.CustomCallOp(
        [],
        [value],
        call_target_name=ir.StringAttr.get(TARGET),
        has_side_effect=ir.BoolAttr.get(True),
        api_version=mlir.i32_attr(1),
        called_computations=ir.ArrayAttr.get([]),
        backend_config=ir.StringAttr.get(str(number)),
        operand_layouts=None,
        result_layouts=None,
    )
    return []


def install(library, platform):
    """Registers `_tell` with the library, and the lowering with JAX for the platform."""
    from jax._src import debugging
    from jax._src.interpreters import mlir

    ctypes.CDLL(library).halo_set_sharding_inspector(_tell)
    mlir.register_lowering(
        debugging.inspect_sharding_p, _lower, platform=platform, cacheable=False
    )
