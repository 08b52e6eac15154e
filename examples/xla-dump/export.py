"""Has XLA dump a program of JAX, and writes its arguments and its result.

    python export.py

The dump that is kept is the program before XLA's optimizations, as HLO text.
"""

import glob
import os
import pathlib
import shutil
import tempfile

folder = tempfile.mkdtemp()
# Before JAX is imported, which starts XLA.
os.environ["XLA_FLAGS"] = f"--xla_dump_to={folder} --xla_dump_hlo_as_text"

import jax
import jax.numpy as jnp
import numpy as np


def regression(images, kernel, weights):
    maps = jax.lax.conv(images, kernel, (2, 2), "SAME")
    features = jnp.tanh(maps).reshape(images.shape[0], -1)
    return jax.nn.log_softmax(features @ weights)


random = np.random.default_rng(0)
arguments = {
    "images": random.random((2, 1, 12, 12), np.float32),
    "kernel": random.standard_normal((4, 1, 3, 3)).astype(np.float32),
    "weights": (random.standard_normal((144, 5)) / 12).astype(np.float32),
}
for name, value in arguments.items():
    np.save(f"{name}.npy", value)
np.save("result.npy", np.asarray(jax.jit(regression)(*arguments.values())))
(dump,) = glob.glob(f"{folder}/*.jit_regression.before_optimizations.txt")
# The text names this file by its full path.
text = pathlib.Path(dump).read_text().replace(f"{os.getcwd()}/", "")
pathlib.Path("regression.hlo").write_text(text)
shutil.rmtree(folder)
