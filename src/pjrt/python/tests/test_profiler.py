"""`jax.profiler.trace`: what Halo adds to a profile, in the form that Perfetto reads."""

import glob
import gzip
import inspect
import json

import jax
import jax.numpy as jnp


def _step(x):
    return jnp.sort(jnp.tanh(x @ x)).sum()


def _events(directory):
    (path,) = glob.glob(f"{directory}/plugins/profile/*/perfetto_trace.json.gz")
    with gzip.open(path) as file:
        events = json.load(file)["traceEvents"]
    process = [
        event["pid"]
        for event in events
        if event.get("name") == "process_name" and "Halo" in event["args"]["name"]
    ]
    assert len(process) == 1
    return [event for event in events if event.get("pid") == process[0]]


def test_a_trace_has_kernels_with_lines_of_python(tmp_path):
    step = jax.jit(_step)
    x = jnp.ones((128, 128))
    step(x).block_until_ready()
    with jax.profiler.trace(tmp_path, create_perfetto_trace=True):
        for _ in range(3):
            step(x).block_until_ready()
    slices = [event for event in _events(tmp_path) if event["ph"] == "X"]
    runs = [event for event in slices if event["args"]["kind"] == "run"]
    assert [event["name"] for event in runs] == ["jit__step"] * 3
    assert any(event["name"] == "machine-code" for event in slices)
    kernels = [event for event in slices if event["args"]["kind"] == "kernel"]
    line = inspect.getsourcelines(_step)[1] + 1
    assert any(f"{__file__}:{line}:" in event["args"]["source"] for event in kernels)
    # Kernels lie in runs.
    for kernel in kernels:
        begin, end = kernel["ts"], kernel["ts"] + kernel["dur"]
        assert any(run["ts"] <= begin and end <= run["ts"] + run["dur"] + 1 for run in runs)


def test_a_trace_without_programs_is_empty(tmp_path):
    with jax.profiler.trace(tmp_path, create_perfetto_trace=True):
        pass
    with jax.profiler.trace(tmp_path / "again"):
        jax.jit(lambda x: x + 1)(jnp.ones(3)).block_until_ready()
