"""Failures in a job of two processes, for `test_processes.py`.

python processes_failures.py ADDRESS PROCESSES INDEX MODE
"""

import os
import sys
import time

import jax
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

address, count, index, mode = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
# The service of JAX would end the other process.
jax.config.update("jax_enable_recoverability", True)
jax.distributed.initialize(address, count, index)
grid = Mesh(np.array(jax.devices()), ("x",))
value = jax.make_array_from_callback(
    (8,), NamedSharding(grid, P("x")), lambda place: np.arange(8.0, dtype=np.float32)[place])


def on_all(function):
    return jax.jit(jax.shard_map(
        function, mesh=grid, in_specs=P("x"), out_specs=P(), check_vma=False))


@on_all
def total(a):
    return lax.psum(a, "x")


@on_all
def largest(a):
    return lax.pmax(a, "x")


def fails(a):
    def callback(a):
        raise ValueError("the callback has failed")

    return jax.pure_callback(callback, jax.ShapeDtypeStruct(a.shape, a.dtype), a)


def partial(a):
    """Fails on the devices of the second process."""
    a = lax.cond(lax.axis_index("x") >= 4, fails, lambda a: a, a)
    return lax.psum(a, "x")


def read(result):
    print(np.asarray(result.addressable_shards[0].data), flush=True)


try:
    read(total(value))
    if mode == "killed" and index == 1:
        os.kill(os.getpid(), 9)
    elif mode == "killed":
        time.sleep(1)
        read(total(value))
    elif mode == "killed while others wait" and index == 1:
        time.sleep(2)
        os.kill(os.getpid(), 9)
    elif mode == "killed while others wait":
        read(total(value))
    elif mode == "another order":
        read([total, largest][index](value))
    elif mode == "failure":
        read(on_all(partial)(value))
except Exception as error:
    print(error, flush=True)
    os._exit(1)
