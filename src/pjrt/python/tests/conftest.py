import os
import pathlib
import sys

os.environ.setdefault("JAX_PLATFORMS", os.environ.get("HALO_TEST_PLATFORM", "halo") + ",cpu")
# For programs that are divided; all others run on the first device.
os.environ.setdefault("HALO_DEVICE_COUNT", "4")
sys.path.insert(0, str(pathlib.Path(__file__).parent))
sys.path.insert(0, str(pathlib.Path(__file__).parents[4] / "examples" / "jax"))
