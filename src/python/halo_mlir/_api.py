"""The functions of the package, on arrays of numpy."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import ml_dtypes
import numpy as np

from . import _halo
from ._halo import Diagnostic, ExecutionError, InternalError, InvalidInputError
from ._halo import HaloError as Error

# Element types of MLIR, and the names of the same types in numpy and ml_dtypes.
_NAMES = {
    "i1": "bool",
    **{f"i{width}": f"int{width}" for width in (2, 4, 8, 16, 32, 64)},
    **{f"ui{width}": f"uint{width}" for width in (2, 4, 8, 16, 32, 64)},
    "f16": "float16",
    "f32": "float32",
    "f64": "float64",
    "complex<f32>": "complex64",
    "complex<f64>": "complex128",
    "bf16": "bfloat16",
    "f4E2M1FN": "float4_e2m1fn",
    "f6E2M3FN": "float6_e2m3fn",
    "f6E3M2FN": "float6_e3m2fn",
    "f8E3M4": "float8_e3m4",
    "f8E4M3": "float8_e4m3",
    "f8E4M3FN": "float8_e4m3fn",
    "f8E4M3FNUZ": "float8_e4m3fnuz",
    "f8E4M3B11FNUZ": "float8_e4m3b11fnuz",
    "f8E5M2": "float8_e5m2",
    "f8E5M2FNUZ": "float8_e5m2fnuz",
    "f8E8M0FNU": "float8_e8m0fnu",
}
_DTYPES = {
    element: np.dtype(getattr(ml_dtypes, name, None) or name) for element, name in _NAMES.items()
}
_ELEMENTS = {dtype: element for element, dtype in _DTYPES.items()}


class TensorType(NamedTuple):
    """The type of an input or a result; a size that is None may be any."""

    shape: tuple[int | None, ...]
    dtype: np.dtype


def _tensor_types(types) -> list[TensorType]:
    return [TensorType(tuple(shape), _DTYPES[element]) for element, shape in types]


class Module:
    """A program. `str(module)` is its text."""

    def __init__(self, module: _halo.Module):
        self._module = module

    @property
    def name(self) -> str:
        """The name in messages."""
        return self._module.name

    @property
    def inputs(self) -> list[TensorType]:
        """The types of the inputs of the entry, the function `main`."""
        return _tensor_types(self._module.inputs)

    @property
    def outputs(self) -> list[TensorType]:
        """The types of the results of the entry."""
        return _tensor_types(self._module.outputs)

    @property
    def bytecode(self) -> bytes:
        """The program as MLIR bytecode."""
        return self._module.bytecode

    def artifact(self, version: str | None = None) -> bytes:
        """The program as a portable artifact of StableHLO, for a version such as "1.9.0"."""
        return self._module.artifact(version)

    def __str__(self) -> str:
        return str(self._module)

    def __repr__(self) -> str:
        return repr(self._module)


class Executable:
    """A compiled program. Several threads may run it."""

    def __init__(self, executable: _halo.Executable):
        self._executable = executable
        self.inputs = _tensor_types(executable.inputs)
        self.outputs = _tensor_types(executable.outputs)

    @property
    def backend(self) -> str:
        """The name of the backend."""
        return self._executable.backend

    def run(self, inputs: Iterable) -> list[np.ndarray]:
        """Runs the program on a list of arrays, and returns the results as arrays of numpy.

        An input is an array of numpy, an array of another library that supports DLPack, or
        whatever `numpy.asarray` takes, which is converted to the element type of the program.
        """
        inputs = list(inputs)
        if len(inputs) != len(self.inputs):
            raise InvalidInputError(
                f"the program has {len(self.inputs)} inputs, but {len(inputs)} were given"
            )
        arrays = [
            _array(number, value, expected)
            for number, (value, expected) in enumerate(zip(inputs, self.inputs))
        ]
        results = self._executable.run(
            [(_ELEMENTS[a.dtype], a.shape, a.reshape(-1).view(np.uint8)) for a in arrays]
        )
        return [
            np.frombuffer(data, np.uint8).view(_DTYPES[element]).reshape(shape)
            for element, shape, data in results
        ]

    def __call__(self, *inputs) -> np.ndarray | tuple[np.ndarray, ...]:
        """Like `run`; a single result is returned alone, and several as a tuple."""
        results = self.run(inputs)
        return results[0] if len(results) == 1 else tuple(results)

    def __repr__(self) -> str:
        return repr(self._executable)


def _array(number: int, value, expected: TensorType) -> np.ndarray:
    if isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
    elif hasattr(value, "__dlpack__"):
        array = np.from_dlpack(value)
    else:
        # Numbers and lists have no element type.
        array = np.asarray(value, expected.dtype)
    if array.dtype != expected.dtype:
        raise InvalidInputError(
            f"input {number} has the element type {array.dtype}, but the program takes "
            f"{expected.dtype}"
        )
    return np.ascontiguousarray(array).reshape(array.shape)


def parse(source: str | bytes, name: str = "<string>") -> Module:
    """Reads a program: text of MLIR or of HLO, MLIR bytecode, or a portable artifact.

    `source` is a string or bytes; `name` stands for it in messages.
    """
    return Module(_halo.parse(source.encode() if isinstance(source, str) else bytes(source), name))


def _module(program: Module | str | bytes) -> Module:
    return program if isinstance(program, Module) else parse(program)


def run_passes(program: Module | str | bytes, pipeline: str | Sequence[str]) -> Module:
    """Runs passes on a program, and returns the result as another module.

    `pipeline` is in MLIR's syntax, such as "canonicalize,func.func(cse)", or a list of such.
    """
    if not isinstance(pipeline, str):
        pipeline = ",".join(pipeline)
    return Module(_halo.run_passes(_module(program)._module, pipeline))


def compile(
    program: Module | str | bytes,
    backend: str = "cpu",
    *,
    entry: str | None = None,
    threads: int | None = None,
    dump_dir: str | os.PathLike | None = None,
    options: Mapping[str, object] | None = None,
) -> Executable:
    """Compiles a program for a backend.

    `entry` is the function to run, by default `main`; `threads` the number of threads, by default
    one for each core; `dump_dir` a folder for the program after each phase; `options` a dictionary
    of options of the backend, as `halo-run --backend-option` takes them.
    """
    options = [(name, str(value)) for name, value in (options or {}).items()]
    if threads is not None and threads < 1:
        raise InvalidInputError(f"expected at least one thread, found {threads}")
    return Executable(
        _halo.compile(_module(program)._module, backend, entry, threads, dump_dir, options)
    )


def interpret(program: Module | str | bytes, inputs: Iterable) -> list[np.ndarray]:
    """Evaluates a program op by op, according to the specification of StableHLO."""
    return compile(program, "interpreter").run(inputs)


def backends() -> list[str]:
    """The names of the backends."""
    return _halo.backends()
