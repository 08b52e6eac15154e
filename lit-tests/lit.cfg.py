# How lit runs the tests of this folder. halo-lit passes the folders of
# the tools and runs the tests that templates make; by hand, tools are looked for in
# target/debug.

import os

import lit.formats

root = os.path.dirname(__file__)
config.name = "halo"
config.suffixes = [".hlo", ".mlir", ".sh"]
config.excludes = ["Inputs", "Output", "templates"]
config.test_format = lit.formats.ShTest(execute_external=False)
config.test_source_root = root
config.test_exec_root = lit_config.params.get("SCRATCH", os.path.join(root, "../target/lit"))

tools = [
    lit_config.params.get("TOOLS", os.path.join(root, "../target/debug")),
    lit_config.params.get("LLVM_TOOLS", "/usr/lib/llvm-22/bin"),
]
config.environment["PATH"] = os.pathsep.join(tools + [config.environment["PATH"]])
config.environment["FILECHECK_OPTS"] = "--enable-var-scope --dump-input-filter=error"
