"""`cost_analysis()` of lowered and compiled programs: the numbers of operations come from JAX's
own analysis of HLO, which the interface of plug-ins has no function for."""

import functools


def install(platform):
    from jax._src import stages
    from jax._src.interpreters import pxla
    from jax._src.lib import _jax

    from . import cpu

    def analyze(module):
        return _jax.hlo_module_cost_analysis(cpu().client, module)

    lowered = pxla.MeshComputation.cost_analysis

    @functools.wraps(lowered)
    def of_lowered(self):
        if self.compile_args["backend"].platform != platform:
            return lowered(self)
        return analyze(self.hlo().as_hlo_module())

    pxla.MeshComputation.cost_analysis = of_lowered

    compiled = stages.Executable.cost_analysis

    @functools.wraps(compiled)
    def of_compiled(self):
        executable = self.xla_extension_executable()
        devices = executable.local_devices() if executable is not None else []
        if not devices or devices[0].platform != platform:
            return compiled(self)
        # A program is one module.
        return analyze(executable.hlo_modules()[0])

    stages.Executable.cost_analysis = of_compiled
