"""Threads, cores and the effort of the compiler, in processes of their own: some settings are read
when a client is made."""

import json
import os
import subprocess
import sys
import textwrap

import pytest

CORES = len(os.sched_getaffinity(0))

PROGRAM = """
    import json, os, sys, warnings

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        import jax, jax.numpy as jnp
        import numpy as np
        options = json.loads(sys.argv[1])
        step = jax.jit(lambda x: jnp.tanh(x @ x).sum(), compiler_options=options)
        result = step(np.full((512, 512), 0.125, np.float32)).block_until_ready()

    def threads(prefix):
        found = {}
        for task in os.listdir("/proc/self/task"):
            with open(f"/proc/self/task/{task}/comm") as file:
                name = file.read().strip()
            if name.startswith(prefix):
                found.setdefault(name, []).append(sorted(os.sched_getaffinity(int(task))))
        return found

    print(json.dumps({
        "result": float(result),
        "workers": sum(len(found) for found in threads("halo-worker").values()),
        "devices": threads("halo-device"),
        "warnings": [str(one.message) for one in caught if "Halo" in str(one.message)],
    }))
"""


def _start(options, variables):
    environment = os.environ | {"JAX_PLATFORMS": "halo", "HALO_DEVICE_COUNT": "1"} | variables
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(PROGRAM), json.dumps(options)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )


def _run(options={}, **variables):
    ended = _start(options, variables)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def test_threads():
    default = _run()
    assert default["workers"] == CORES - 1
    assert not default["warnings"]
    for alone in [
        _run(HALO_THREADS="1"),
        _run(XLA_FLAGS="--xla_cpu_multi_thread_eigen=false"),
        _run({"halo_threads": 1}),
        _run(JAX_PJRT_CLIENT_CREATE_OPTIONS="threads:1"),
    ]:
        assert alone["workers"] == 0
        assert alone["result"] == default["result"]


@pytest.mark.skipif(CORES < 2, reason="needs two cores")
def test_devices_with_their_own_cores():
    found = _run(HALO_DEVICE_COUNT="2", HALO_DEVICE_CORES="1")
    cores = [cores for device in found["devices"].values() for cores in device]
    assert [len(own) for own in cores] == [1, 1]
    assert cores[0] != cores[1]


def test_quick_compilation_has_the_same_bits():
    full = _run()["result"]
    assert _run(JAX_OPTIMIZATION_LEVEL="O0")["result"] == full
    assert _run(JAX_EXEC_TIME_OPTIMIZATION_EFFORT="-0.5")["result"] == full
    assert _run({"halo_optimization": "quick"})["result"] == full
    assert _run(JAX_DISABLE_MOST_OPTIMIZATIONS="1")["result"] == full


def test_flags_without_effect_are_named_once():
    found = _run(XLA_FLAGS="--xla_gpu_autotune_level=4 --xla_backend_optimization_level=0")
    assert found["warnings"] == ["XLA_FLAGS: no effect on Halo: xla_gpu_autotune_level"]


@pytest.mark.parametrize(
    "options, variables, message",
    [
        ({"halo_threads": 0}, {}, "halo_threads must be a number from 1, not '0'"),
        ({"halo_optimization": "slow"}, {}, "option 'optimization' is one of full, quick"),
        ({"halo_sub": "x"}, {}, "backend 'cpu' has no option 'sub'"),
        ({}, {"HALO_THREADS": "many"}, "HALO_THREADS must be a number from 1, not 'many'"),
        ({}, {"HALO_DEVICE_CORES": "100000"}, "need more than the"),
    ],
)
def test_wrong_settings_are_errors(options, variables, message):
    ended = _start(options, variables)
    assert ended.returncode != 0
    assert message in ended.stderr
