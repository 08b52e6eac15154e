"""`halo-lit`: runs FileCheck tests with the tools of this package, by lit and filecheck of PyPI."""

import os
import sys
import sysconfig
import tempfile
from pathlib import Path

from .tools import FOLDER

USAGE = """\
usage: halo-lit [OPTION...] PATH...

Runs the RUN lines of files, or of the .mlir, .hlo and .test files in folders. The tools of Halo and
FileCheck are in PATH. The options are lit's, such as -v and --filter=REGEX. Tests below a
lit.cfg.py run with that."""
CONFIGURATION = """\
import lit.formats

config.name = "halo-lit"
config.test_format = lit.formats.ShTest()
config.suffixes = [".mlir", ".hlo", ".test"]
config.test_source_root = {source!r}
config.test_exec_root = {output!r}
config.environment["PATH"] = {path!r}
"""


def _is_configured(path):
    names = ("lit.cfg.py", "lit.site.cfg.py", "lit.cfg")
    return any((folder / name).exists() for folder in (path, *path.parents) for name in names)


def main():
    """Runs the command line."""
    arguments = sys.argv[1:]
    if not arguments or arguments[0] in ("-h", "--help"):
        print(USAGE, file=sys.stdout if arguments else sys.stderr)
        sys.exit(0 if arguments else 2)
    try:
        import filecheck  # noqa: F401
        import lit.main
    except ImportError as error:
        sys.exit(f"halo-lit: error: {error.name} is missing: pip install 'halo-mlir[test]'")
    missing = [a for a in arguments if not a.startswith("-") and not Path(a).exists()]
    if missing:
        sys.exit(f"halo-lit: error: {missing[0]}: no such file or folder")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        scripts = Path(sysconfig.get_path("scripts"))
        # LLVM's name of the command, which is `filecheck` in the package of PyPI.
        (folder / "FileCheck").symlink_to(scripts / "filecheck")
        path = os.pathsep.join([name, str(FOLDER), str(scripts), os.environ.get("PATH", "")])
        os.environ["PATH"] = path
        # Folders without a configuration are the sources of suites in the temporary folder.
        for number, argument in enumerate(arguments):
            tests = Path(argument).resolve()
            if argument.startswith("-") or _is_configured(tests):
                continue
            suite = folder / str(number)
            source = tests if tests.is_dir() else tests.parent
            text = CONFIGURATION.format(source=str(source), output=str(suite / "output"), path=path)
            suite.mkdir()
            (suite / "lit.cfg.py").write_text(text)
            arguments[number] = str(suite / tests.relative_to(source))
        sys.argv[1:] = arguments
        lit.main.main({})


if __name__ == "__main__":
    main()
