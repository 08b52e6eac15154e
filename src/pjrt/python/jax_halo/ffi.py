"""Handlers of `jax.ffi.register_ffi_target`: their functions are registered with the library.

JAX keeps handlers by platform and gives them to whoever registers for the platform. Halo takes
those for CPUs too, behind JAX's own backend: tutorials name no other platform.
"""

import ctypes
import warnings

# The stages that Halo calls, in the order of an XLA_FFI_Handler_Bundle.
STAGES = ("instantiate", "prepare", "initialize", "execute")

# A stage for the command buffers of GPUs.
UNUSED_STAGES = ("record",)

_MESSAGE_SIZE = 1024

# PJRT_Error_Code_ALREADY_EXISTS.
_ALREADY_EXISTS = 6


class _Refused(ValueError):
    """A handler that the library cannot call, of which it tells the programs that need it."""

_Bundle = ctypes.c_void_p * len(STAGES)


def _pointer(capsule):
    """The address that a capsule has."""
    name = ctypes.pythonapi.PyCapsule_GetName
    name.restype, name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return get(capsule, name(capsule))


class _Library:
    """The functions of the library."""

    def __init__(self, path):
        functions = ctypes.CDLL(path)
        end = [ctypes.c_char_p, ctypes.c_size_t]
        text, pointer = ctypes.c_char_p, ctypes.c_void_p
        self._handler = functions.halo_ffi_register_handler
        self._handler.argtypes = [text, text, ctypes.POINTER(_Bundle), *end]
        self._type = functions.halo_ffi_register_type
        self._type.argtypes = [text, pointer, pointer, *end]

    def register_handler(self, name, platform, stages):
        bundle = _Bundle(*(_pointer(stages[s]) if s in stages else None for s in STAGES))
        self._call(self._handler, name.encode(), platform.encode(), ctypes.byref(bundle))

    def register_type(self, name, type_id, type_info):
        self._call(self._type, name.encode(), type_id, type_info)

    def _call(self, function, *arguments):
        message = ctypes.create_string_buffer(_MESSAGE_SIZE)
        code = function(*arguments, message, _MESSAGE_SIZE)
        if code != 0:
            kind = ValueError if code == _ALREADY_EXISTS else _Refused
            raise kind(message.value.decode(errors="replace"))


def _stages(name, function):
    """The capsules by stage: JAX takes one for the last stage, or a dictionary."""
    stages = function if isinstance(function, dict) else {"execute": function}
    unknown = [stage for stage in stages if stage not in STAGES + UNUSED_STAGES]
    if unknown:
        raise ValueError(f"the FFI handler {name} has unknown stages: {', '.join(unknown)}")
    return stages


def _register_handler(library, name, function, platform, api_version):
    if isinstance(name, bytes):
        name = name.decode()
    if api_version != 1:
        raise ValueError(
            f"the FFI handler {name} has the API version {api_version}, and Halo calls those of "
            "version 1, typed handlers"
        )
    library.register_handler(name, platform, _stages(name, function))


def _register_type(library, name, registration):
    """A type is a capsule of its number, or a dictionary with it and what is known of the type."""
    if isinstance(name, bytes):
        name = name.decode()
    if not isinstance(registration, dict):
        registration = {"type_id": registration}
    info = registration.get("type_info")
    type_id = _pointer(registration["type_id"])
    library.register_type(name, type_id, None if info is None else _pointer(info))


class _Registrations:
    """What Halo does with the registrations for a platform.

    Those that were made before JAX looked for its backends come all at once: one that Halo does
    not take must not keep it from being a backend. A handler that it cannot call is an error of
    the programs that need it, and everything else is a warning.
    """

    def __init__(self, library):
        self.libraries = [library]
        self.are_early = True

    def handler(self, name, function, platform, api_version=1, traits=0):
        self._try(_register_handler, name, function, platform, api_version)

    def type(self, name, registration):
        self._try(_register_type, name, registration)

    def _try(self, register, *arguments):
        for library in self.libraries:
            try:
                register(library, *arguments)
            except ValueError as error:
                if not self.are_early:
                    raise
                if not isinstance(error, _Refused):
                    warnings.warn(f"jax-halo: {error}", stacklevel=2)


class _BehindCpu(_Registrations):
    """The same for CPUs: JAX's own backend takes a registration first."""

    def __init__(self, library, handler_of_jax, type_of_jax):
        super().__init__(library)
        self._handler_of_jax = handler_of_jax
        self._type_of_jax = type_of_jax
        self._kept = []

    def _try(self, *registration):
        self._kept.append(registration)
        super()._try(*registration)

    def add(self, library):
        """Another library gets the registrations, too."""
        added = _Registrations(library)
        for registration in self._kept:
            added._try(*registration)
        self.libraries.append(library)

    def handler(self, name, function, platform, api_version=1, traits=0):
        self._handler_of_jax(name, function, platform, api_version, traits)
        # The others are no handlers for Halo.
        if api_version == 1:
            super().handler(name, function, platform, api_version, traits)

    def type(self, name, registration):
        self._type_of_jax(name, registration)
        super().type(name, registration)


_libraries = {}
_behind = None


def _take(platform, registrations):
    """Handlers name their types when they are registered."""
    from jax._src.lib import xla_client

    xla_client.register_custom_type_handler(platform, registrations.type)
    xla_client.register_custom_call_handler(platform, registrations.handler)
    registrations.are_early = False


def install(path, platform):
    """Takes the handlers and types for a platform of Halo, and for CPUs, from now on and those that
    JAX has kept for the platforms."""
    from jax._src.lib import xla_client

    global _behind
    is_new = path not in _libraries
    if is_new:
        _libraries[path] = _Library(path)
    library = _libraries[path]
    if platform != "cpu":
        _take(platform, _Registrations(library))
    if _behind is not None:
        if is_new:
            _behind.add(library)
        return
    cpu = xla_client.xla_platform_names.get("cpu", "cpu")
    # Present if JAX's own backend was made before.
    handler = xla_client._custom_callback_handler.pop(cpu, None)
    type_ = xla_client._custom_type_id_handler.pop(cpu, None)
    _behind = _BehindCpu(
        library,
        handler or xla_client._xla.register_custom_call_target,
        type_ or xla_client._xla.register_custom_type,
    )
    _take("cpu", _behind)
