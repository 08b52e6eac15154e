"""The package halo-mlir as it is installed: its documentation, its functions and its commands."""

import doctest
import subprocess
import sys
import sysconfig
import tempfile
import threading
import unittest
from pathlib import Path

import halo_mlir as halo
import ml_dtypes
import numpy as np
from halo_mlir import _api

ROOT = Path(__file__).resolve().parents[3]
SCRIPTS = Path(sysconfig.get_path("scripts"))

SUM = """func.func @main(%x: tensor<?x3xf32>, %y: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = stablehlo.add %x, %y : tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}
"""


def identity(element):
    return f"""func.func @main(%x: tensor<2x3x{element}>) -> tensor<2x3x{element}> {{
      return %x : tensor<2x3x{element}>
    }}"""


def run(command, *arguments, **options):
    return subprocess.run(
        [SCRIPTS / command, *arguments], capture_output=True, text=True, **options
    )


class Documentation(unittest.TestCase):
    def test_examples(self):
        for module in (halo, _api):
            self.assertEqual(doctest.testmod(module).failed, 0)
        page = str(ROOT / "docs/python.md")
        result = doctest.testfile(page, module_relative=False)
        self.assertEqual(result.failed, 0)
        self.assertGreater(result.attempted, 10)

    def test_notebook(self):
        notebook = ROOT / "examples/python/attention.py"
        result = subprocess.run([sys.executable, notebook], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("largest difference: ", result.stdout)
        self.assertIn("01-hlo.mlir", result.stdout)

    def test_short_name(self):
        import halo as short

        self.assertIs(short, halo)


class Programs(unittest.TestCase):
    def test_errors_have_places(self):
        with self.assertRaises(halo.InvalidInputError) as caught:
            halo.parse(SUM.replace("stablehlo.add %x", "stablehlo.add %z"), "sum.mlir")
        [diagnostic] = caught.exception.diagnostics
        place = (diagnostic.file, diagnostic.line, diagnostic.column)
        self.assertEqual(place, ("sum.mlir", 2, 22))
        self.assertIn("sum.mlir:2:22: error: ", str(caught.exception))

    def test_errors_in_pipelines_and_options(self):
        for mistake in (
            lambda: halo.run_passes(SUM, "canonicalise"),
            lambda: halo.run_passes(SUM, "cse{"),
            lambda: halo.compile(SUM, "gpu"),
            lambda: halo.compile(SUM, options={"subnormal": "flush"}),
            lambda: halo.compile(SUM, entry="other"),
            lambda: halo.compile(SUM, threads=0),
            lambda: halo.compile(SUM).run([np.zeros((2, 3), np.float32)]),
            lambda: halo.compile(SUM).run([np.zeros((2, 3)), np.zeros((2, 3))]),
            lambda: halo.parse("func.func private @f()").inputs,
        ):
            with self.assertRaises(halo.InvalidInputError) as caught:
                mistake()
            self.assertTrue(str(caught.exception))

    def test_failed_runs(self):
        program = """func.func @main(%x: tensor<i32>) -> tensor<i32> {
          check.expect_eq_const %x, dense<1> : tensor<i32>
          return %x : tensor<i32>
        }"""
        executable = halo.compile(program)
        self.assertEqual(executable(1), 1)
        with self.assertRaises(halo.ExecutionError):
            executable(2)

    def test_element_types(self):
        for element, dtype in _api._DTYPES.items():
            array = np.array([[0, 1, 1], [1, 0, 1]]).astype(dtype)
            if element == "f8E8M0FNU":
                array = np.ones((2, 3), dtype)
            [result] = halo.interpret(identity(element), [array])
            self.assertEqual(result.dtype, dtype)
            self.assertEqual(result.tobytes(), array.tobytes(), element)
        self.assertIs(halo.parse(identity("bf16")).inputs[0].dtype.type, ml_dtypes.bfloat16)

    def test_layouts_and_empty_arrays(self):
        executable = halo.compile(SUM)
        x = np.arange(12, dtype=np.float32).reshape(3, 4).T[:2, :]
        np.testing.assert_array_equal(executable(x, x[::-1]), x + x[::-1])
        empty = np.zeros((0, 3), np.float32)
        self.assertEqual(executable(empty, empty).shape, (0, 3))

    def test_dlpack(self):
        class Foreign:
            def __init__(self, array):
                self.array = array

            def __dlpack__(self, **options):
                return self.array.__dlpack__(**options)

            def __dlpack_device__(self):
                return self.array.__dlpack_device__()

        x = np.ones((1, 3), np.float32)
        result = halo.compile(SUM)(Foreign(x), x)
        np.testing.assert_array_equal(np.from_dlpack(Foreign(result)), 2 * x)

    def test_results_are_writable(self):
        result = halo.compile(SUM)(np.ones((1, 3), np.float32), np.ones((1, 3), np.float32))
        result += 1
        self.assertEqual(result.sum(), 9)

    def test_threads(self):
        executable = halo.compile(SUM, threads=1)
        sums = [None] * 8

        def work(number):
            x = np.full((100, 3), number, np.float32)
            for _ in range(20):
                sums[number] = executable(x, x).sum()

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sums, [600 * number for number in range(8)])


class Commands(unittest.TestCase):
    def test_tools(self):
        for tool in ("opt", "run", "translate", "compile", "reduce", "explain", "lsp-server"):
            result = run(f"halo-{tool}", "--version")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("halo", result.stdout.lower())

    def test_lit(self):
        test = "// RUN: halo-opt %s --canonicalize | FileCheck %s\n// CHECK: stablehlo.add\n" + SUM
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "sum.mlir"
            file.write_text(test)
            for path in (file, folder):
                result = run("halo-lit", path)
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                self.assertIn("Passed: 1", result.stdout)
            file.write_text(test.replace("CHECK: stablehlo.add", "CHECK: stablehlo.subtract"))
            result = run("halo-lit", "-v", folder)
            self.assertEqual(result.returncode, 1)
            self.assertIn("stablehlo.subtract", result.stdout)
            result = run("halo-lit", Path(folder) / "none.mlir")
            self.assertEqual(result.returncode, 1)
            self.assertIn("no such file or folder", result.stderr)


if __name__ == "__main__":
    unittest.main()
