"""Halo compiles HLO programs, in the syntax of StableHLO, to native code.

>>> import halo_mlir as halo
>>> module = halo.parse('''
...   func.func @main(%x: tensor<2x3xf32>, %y: tensor<3xf32>) -> tensor<2xf32> {
...     %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
...       : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
...     return %0 : tensor<2xf32>
...   }''')
>>> halo.compile(module).run([[[1, 2, 3], [4, 5, 6]], [1, 0, -1]])
[array([-2., -2.], dtype=float32)]
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._api import (
        Diagnostic,
        Error,
        Executable,
        ExecutionError,
        InternalError,
        InvalidInputError,
        Module,
        TensorType,
        backends,
        compile,
        interpret,
        parse,
        run_passes,
    )

__all__ = [
    "Diagnostic",
    "Error",
    "Executable",
    "ExecutionError",
    "InternalError",
    "InvalidInputError",
    "Module",
    "TensorType",
    "backends",
    "compile",
    "interpret",
    "parse",
    "run_passes",
]


def __getattr__(name):
    # The commands do not wait for numpy and the library.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import _api

    return getattr(_api, name)


def __dir__():
    return __all__
