import os
import pathlib
import sys

os.environ.setdefault("JAX_PLATFORMS", "halo,cpu")
sys.path.insert(0, str(pathlib.Path(__file__).parent))
sys.path.insert(0, str(pathlib.Path(__file__).parents[4] / "examples" / "jax"))
