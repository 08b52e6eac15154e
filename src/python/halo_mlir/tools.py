"""The tools of Halo as commands of this package."""

import os
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "bin"


def main():
    """Replaces this process by the tool with its name."""
    tool = FOLDER / Path(sys.argv[0]).stem
    os.execv(tool, [str(tool), *sys.argv[1:]])
