"""`jax.experimental.buffer_callback`: Python functions that write their results in place.

They are called as other callbacks are, but get the memory of operands and results itself.
"""

import functools

import numpy as np

from . import callbacks


class Buffer:
    """The memory of an operand or of a result, as `jaxlib`'s class of this name has it."""

    def __init__(self, memory, writeable):
        self._memory = memory
        self._memory.flags.writeable = writeable

    dtype = property(lambda self: self._memory.dtype)
    ndim = property(lambda self: self._memory.ndim)
    shape = property(lambda self: self._memory.shape)
    writeable = property(lambda self: self._memory.flags.writeable)

    def __array__(self, dtype=None, copy=None):
        if dtype not in (None, self.dtype):
            if copy is False:
                raise ValueError(f"an array of {dtype} cannot be made of {self.dtype} without a copy")
            return self._memory.astype(dtype)
        return self._memory.copy() if copy else self._memory

    def __dlpack__(self, **options):
        return self._memory.__dlpack__(**options)

    def __dlpack_device__(self):
        return self._memory.__dlpack_device__()


class ExecutionContext:
    """What a function learns of the run that calls it."""

    @property
    def stage(self):
        from jax.experimental import buffer_callback

        return buffer_callback.ExecutionStage.EXECUTE

    @property
    def stream(self):
        raise ValueError("Halo's devices for CPUs have no streams")


class _Callback:
    """A function that a program calls with the memory of operands and results."""

    def __init__(self, function, aliases):
        self.function = function
        self.aliases = aliases

    def run(self, operands, results):
        for operand, result in self.aliases:
            results[result][...] = operands[operand]
        buffers = [Buffer(operand, False) for operand in operands]
        buffers += [Buffer(result, True) for result in results]
        self.function(ExecutionContext(), *buffers)


def install(platform):
    from jax._src import buffer_callback, tree_util, util
    from jax._src.interpreters import mlir

    def lower(
        ctx, *operands, callback, in_tree, out_tree, has_side_effect, input_output_aliases, **_
    ):  # fmt: skip
        if len(ctx.module_context.platforms) > 1:
            raise NotImplementedError("multi-platform lowering for buffer_callback")

        @functools.wraps(callback)
        def with_trees(context, *buffers):
            inputs, outputs = util.split_list(buffers, [in_tree.num_leaves])
            arguments, options = tree_util.tree_unflatten(in_tree, inputs)
            results = tree_util.tree_unflatten(out_tree, outputs)
            if callback(context, results, *arguments, **options) is not None:
                raise ValueError("buffer_callback callback must not return any values.")

        own = _Callback(with_trees, input_output_aliases)
        call, _ = callbacks.lower(ctx, own, operands, has_side_effect=has_side_effect)
        return call.results

    mlir.register_lowering(buffer_callback.buffer_callback_p, lower, platform=platform)
