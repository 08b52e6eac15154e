from collections.abc import Sequence

_TensorType = tuple[str, list[int | None]]

class HaloError(Exception):
    diagnostics: list[Diagnostic]

class InvalidInputError(HaloError): ...
class ExecutionError(HaloError): ...
class InternalError(HaloError): ...

class Diagnostic:
    file: str | None
    line: int | None
    column: int | None
    message: str
    excerpt: str
    notes: list[str]

class Module:
    name: str
    inputs: list[_TensorType]
    outputs: list[_TensorType]
    bytecode: bytes
    def artifact(self, version: str | None = None) -> bytes: ...

class Executable:
    backend: str
    inputs: list[_TensorType]
    outputs: list[_TensorType]
    def run(
        self, inputs: Sequence[tuple[str, Sequence[int], object]]
    ) -> list[tuple[str, list[int], bytearray]]: ...

def parse(code: bytes, name: str) -> Module: ...
def run_passes(module: Module, pipeline: str) -> Module: ...
def compile(
    module: Module,
    backend: str,
    entry: str | None,
    threads: int | None,
    dump_dir: str | None,
    options: Sequence[tuple[str, str]],
) -> Executable: ...
def backends() -> list[str]: ...
