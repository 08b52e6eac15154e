"""Jobs of several processes: the results have the bits of one process with as many devices."""

import os
import pathlib
import pickle
import socket
import subprocess
import sys

import pytest

FOLDER = pathlib.Path(__file__).parent


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory):
    """The processes load the programs that others have compiled."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HALO_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


def start(count, arguments, program="processes_program.py"):
    """Starts a job of `count` processes with 8 devices in all."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        address = f"localhost:{free.getsockname()[1]}"
    environment = os.environ | {"HALO_DEVICE_COUNT": str(8 // count)}
    return [
        subprocess.Popen(
            [sys.executable, FOLDER / program, address, str(count), str(index), *arguments(index)],
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for index in range(count)
    ]


def outcomes(processes):
    try:
        return [(process.communicate(timeout=300)[0], process.returncode)
                for process in processes]
    finally:
        for process in processes:
            process.kill()


def run(count, folder):
    processes = start(count, lambda index: [str(folder / f"{count}-{index}")])
    results = {}
    for index, (output, code) in enumerate(outcomes(processes)):
        assert code == 0, output
        results |= pickle.loads((folder / f"{count}-{index}").read_bytes())
    return results


@pytest.fixture(scope="module")
def one_process(tmp_path_factory):
    return run(1, tmp_path_factory.mktemp("one"))


@pytest.mark.parametrize("count", [2, 4])
def test_bits_of_one_process(one_process, count, tmp_path):
    results = run(count, tmp_path)
    assert results.keys() == one_process.keys() and len(results) > 1000
    differing = [key for key, value in one_process.items()
                 if value.dtype != results[key].dtype or value.tobytes() != results[key].tobytes()]
    assert not differing


def failure(mode, count=2):
    processes = start(count, lambda index: [mode], "processes_failures.py")
    return [output for output, _ in outcomes(processes)]


@pytest.mark.parametrize("mode", ["killed", "killed while others wait"])
def test_a_process_that_dies(mode):
    output = failure(mode)[0]
    assert "rank 1, whose process has ended" in output, output


def test_programs_in_another_order():
    for output in failure("another order"):
        assert "all ranks must run the same programs in the same order" in output, output


def test_a_run_that_fails():
    own, other = failure("failure")
    assert "the callback has failed" in other, other
    assert "waits for rank 1, which has failed" in own, own
