"""One process of a job, for `test_processes.py`: runs programs on 8 devices, and saves the shards of
their results that are in this process.

python processes_program.py ADDRESS PROCESSES INDEX OUTPUT
"""

import pickle
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

DEVICES = 8
RESULTS = {}


def values(shape, dtype, seed=0):
    numbers = np.random.default_rng(seed).standard_normal(shape)
    if dtype == "bool":
        return numbers > 0
    if np.issubdtype(dtype, np.integer):
        return (numbers * 50).astype(dtype)
    return np.asarray(jnp.asarray(numbers, dtype))


def mesh(*sizes, devices=None):
    devices = np.array(jax.devices() if devices is None else devices)
    return Mesh(devices.reshape(sizes), ("x", "y", "z")[: len(sizes)])


def put(value, grid, *spec):
    """A global array of a value that each process has as a whole."""
    sharding = NamedSharding(grid, P(*spec))
    return jax.make_array_from_callback(value.shape, sharding, lambda index: value[index])


def keep(name, array):
    for shard in array.addressable_shards:
        RESULTS[name, shard.device.id] = np.asarray(shard.data)


def each(function, grid, *specs, out=None):
    in_specs = specs[0] if len(specs) == 1 else specs
    return jax.jit(jax.shard_map(
        function, mesh=grid, in_specs=in_specs, out_specs=in_specs if out is None else out,
        check_vma=False))


def devices():
    own = jax.local_devices()
    assert jax.process_count() == COUNT and jax.process_index() == INDEX
    assert [device.id for device in jax.devices()] == list(range(DEVICES))
    assert [device.process_index for device in jax.devices()] == [
        device // (DEVICES // COUNT) for device in range(DEVICES)]
    assert [device.local_hardware_id for device in own] == list(range(DEVICES // COUNT))
    assert [device.id for device in own] == list(
        range(INDEX * len(own), (INDEX + 1) * len(own)))
    # A program of one process.
    local = jax.device_put(np.arange(6.0), own[-1])
    np.testing.assert_array_equal(jax.jit(lambda a: a * 2)(local), np.arange(6.0) * 2)


def jit_with_shardings():
    grid = mesh(4, 2)
    x, w = values((16, 24), "float32"), values((24, 40), "float32", 1)
    function = jax.jit(
        lambda x, w: (jnp.tanh(x @ w), (x @ w).sum(), jnp.sort(x, axis=0)),
        out_shardings=(NamedSharding(grid, P("x", "y")), NamedSharding(grid, P()),
                       NamedSharding(grid, P(None, "x"))))
    for number, result in enumerate(function(put(x, grid, "x"), put(w, grid, None, "y"))):
        keep(f"jit {number}", result)
    loss = lambda w, x: jnp.mean(jnp.square(jnp.tanh(x @ w)))
    step = jax.jit(lambda w, x: w - 0.1 * jax.grad(loss)(w, x), donate_argnums=0)
    weights = put(w, grid)
    for _ in range(3):
        weights = step(weights, put(x, grid, "x"))
    keep("training", weights)


TYPES = ["float32", "float64", "bfloat16", "float16", "int8", "uint16", "int32", "int64", "bool",
         "complex64"]


def reductions():
    """All types and sizes, in one program for each mesh."""
    for shape, axes in [((8,), "x"), ((4, 2), "x"), ((4, 2), "y"), ((2, 2, 2), ("x", "z"))]:
        grid = mesh(*shape)
        spec = P(grid.axis_names)

        def reduce(arrays):
            return {
                name: lax.pmax(a, axes) if a.dtype == bool else
                (lax.psum(a, axes),) if a.dtype == np.complex64 else
                (lax.psum(a, axes), lax.pmax(a, axes), lax.pmin(a, axes))
                for name, a in arrays.items()
            }

        arrays = {
            f"{dtype} {size}": put(values((8, size), "float32" if dtype == "complex64" else dtype)
                                   .astype(dtype), grid, *spec)
            for dtype in TYPES for size in [1, 7, 1000]
        }
        for name, results in each(reduce, grid, spec)(arrays).items():
            for number, result in enumerate(jax.tree.leaves(results)):
                keep(f"reduce {name} {shape} {axes} {number}", result)


def scatters():
    """Sizes that differ from a power of two, groups of two, and large chunks (jax issue 40830)."""
    for shape, axis in [((8,), "x"), ((4, 2), "x"), ((2, 4), "x"), ((4, 2), "y")]:
        grid = mesh(*shape)
        size = grid.shape[axis]
        chunks = [(dtype, chunk) for dtype in ["float32", "bfloat16", "int16"]
                  for chunk in [1, 3, 127]] + [("float32", 1 << 18)]
        arrays = [put(values((8, size * chunk), dtype), grid, grid.axis_names)
                  for dtype, chunk in chunks]
        scatter = lambda arrays: [
            lax.psum_scatter(a, axis, scatter_dimension=1, tiled=True) for a in arrays]
        for chunk, result in zip(chunks, each(scatter, grid, P(grid.axis_names))(arrays)):
            keep(f"scatter {chunk} {shape} {axis}", result)


def movements():
    grid = mesh(2, 4)
    both = P(("x", "y"))
    x = put(values((8, 12, 5), "float32"), grid, ("x", "y"))
    for axis, size in [("x", 2), ("y", 4), (("x", "y"), 8)]:
        shift = [(one, (one + 1) % size) for one in range(size)]

        def move(a):
            moved = [lax.all_gather(a, axis, tiled=True), lax.ppermute(a, axis, shift),
                     lax.ppermute(a, axis, shift[:1])]
            return moved + ([lax.all_to_all(a, axis, 1, 2, tiled=True)] if size < 8 else [])

        for number, result in enumerate(each(move, grid, both)(x)):
            keep(f"movement {number} {axis}", result)
    line = mesh(8)
    groups = lambda a: lax.psum(a, "x", axis_index_groups=[[0, 5, 2, 7], [1, 3, 4, 6]])
    keep("groups", each(groups, line, P("x"))(put(values((8, 3), "float32"), line, "x")))

    def many(a):
        """Several collectives at once, along different axes."""
        sums = [lax.psum(a * one, axis) for one, axis in enumerate(["x", "y", ("x", "y")])]
        return sum(sums) + lax.psum(a, "y") * lax.axis_index("x")

    keep("many", each(many, grid, both)(x))

    def loop(a):
        return lax.fori_loop(0, 20, lambda one, a: lax.psum(a, "x") / 2 + one, a)

    keep("loop", each(loop, grid, both)(x))


def subsets():
    """Programs on some devices, one after the other without a wait between them."""
    all_devices = jax.devices()
    for number, ids in enumerate([[0, 7], [1, 2, 5, 6], [7, 3, 0, 4], [2, 3]]):
        grid = mesh(len(ids), devices=[all_devices[one] for one in ids])
        if not any(all_devices[one].process_index == INDEX for one in ids):
            continue
        x = put(values((len(ids), 9), "float32", number), grid, "x")
        run = each(lambda a: lax.psum(a, "x") + lax.axis_index("x"), grid, P("x"))
        for _ in range(5):
            x = run(x)
        keep(f"subset {ids}", x)
    # Each process, alone, at the same time.
    own = jax.local_devices()
    grid = mesh(len(own), devices=own)
    x = jax.device_put(np.ones((len(own), 3)), NamedSharding(grid, P("x")))
    total = each(lambda a: lax.psum(a, "x"), grid, P("x"))(x)
    np.testing.assert_array_equal(total, np.full((len(own), 3), len(own)))


def other_programs():
    """Callbacks, whose numbers differ between the processes, random numbers, and other shardings."""
    jax.jit(lambda a: jax.pure_callback(np.sin, a, a, vmap_method="sequential"))(1.0 + INDEX)
    if INDEX == 1:
        jax.jit(lambda a: jax.pure_callback(np.cos, a, a, vmap_method="sequential"))(1.0)
    grid = mesh(4, 2)
    x = put(values((8, 6), "float32"), grid, "x", "y")

    def called(a):
        a = jax.pure_callback(np.sqrt, a, jnp.abs(a), vmap_method="sequential")
        return lax.psum(a, "x")

    keep("callback", each(called, grid, P("x", "y"))(x))
    drawn = jax.jit(lambda key: jax.random.normal(key, (16, 6)),
                    out_shardings=NamedSharding(grid, P("y", None)))
    keep("random", drawn(jax.random.key(3)))
    turned = jax.device_put(x, NamedSharding(grid, P(None, "y")))
    keep("turned", turned)
    whole = jax.device_put(turned, NamedSharding(grid, P()))
    np.testing.assert_array_equal(whole, values((8, 6), "float32"))


def pmap():
    own = len(jax.local_devices())
    x = np.arange(8 * 3, dtype=np.float32).reshape(8, 3)[INDEX * own:(INDEX + 1) * own]
    result = jax.pmap(lambda a: a - lax.psum(a, "i") / 3, axis_name="i")(x)
    keep("pmap", result)


def utilities():
    own = np.full((2, 3), INDEX, np.float32)
    gathered = multihost_utils.process_allgather(own)
    if COUNT > 1:
        np.testing.assert_array_equal(
            gathered, np.broadcast_to(np.arange(COUNT)[:, None, None], (COUNT, 2, 3)))
    tiled = multihost_utils.process_allgather(own, tiled=True)
    assert tiled.shape == (2 * COUNT, 3)
    one = multihost_utils.broadcast_one_to_all(np.float32(INDEX + 7))
    assert float(one) == 7
    multihost_utils.sync_global_devices("here")
    multihost_utils.assert_equal(np.arange(3), "different")
    grid = mesh(8)
    rows = values((16, 3), "float32")
    step = 16 // COUNT
    made = jax.make_array_from_process_local_data(
        NamedSharding(grid, P("x")), rows[INDEX * step:(INDEX + 1) * step])
    keep("made", made)
    everywhere = jax.device_put(rows, NamedSharding(grid, P(None)))
    keep("everywhere", everywhere)
    sharded = jax.device_put(rows, NamedSharding(grid, P("x")))
    keep("sharded", jax.jit(lambda a: a[::-1] * 2, out_shardings=NamedSharding(grid, P()))(sharded))
    np.testing.assert_array_equal(multihost_utils.process_allgather(sharded, tiled=True), rows)


def failures():
    """A shard of another process cannot be read."""
    grid = mesh(8)
    x = put(np.arange(8.0), grid, "x")
    if COUNT == 1:
        return
    try:
        np.asarray(x)
    except RuntimeError as error:
        assert "addressable" in str(error), error
    else:
        raise AssertionError("an array of several processes was read")


CHECKS = [devices, jit_with_shardings, reductions, scatters, movements, subsets, other_programs,
          pmap, utilities, failures]

if __name__ == "__main__":
    address, COUNT, INDEX, output = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    jax.config.update("jax_enable_x64", True)
    if COUNT > 1:
        jax.distributed.initialize(address, COUNT, INDEX)
    for check in CHECKS:
        check()
    with open(output, "wb") as file:
        pickle.dump(RESULTS, file)
