"""The platform `accelerator` of JAX, which finds this module where `python` is in `PYTHONPATH`."""

import os
import pathlib

import jax_halo

TARGET = pathlib.Path(__file__).parents[5] / "target"


def initialize():
    library = os.environ.get("ACCELERATOR_LIBRARY", TARGET / "release" / "libaccelerator.so")
    jax_halo.register("accelerator", library)
