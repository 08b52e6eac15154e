"""The package `halo_mlir` by a shorter name, unless another package `halo` is installed."""

import sys

import halo_mlir

sys.modules[__name__] = halo_mlir
