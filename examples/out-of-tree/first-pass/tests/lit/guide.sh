# The commands of docs/first_pass.md.
#
# RUN: rm -rf %t && mkdir -p %t && cd %t && sh %s

set -e
cat > same.mlir <<'EOF'
func.func @same(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
EOF
first-opt same.mlir --double > doubled.mlir
cat > expected.mlir <<'EOF'
module {
  func.func @same(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
    %0 = stablehlo.multiply %arg0, %cst : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
EOF
# MLIR ends with an empty line.
diff -B expected.mlir doubled.mlir

HALO_EXPLAIN_REWRITES=double first-opt same.mlir --double > explained.mlir
first-opt same.mlir --pass-pipeline='builtin.module(func.func(cse),double)' > both.mlir
diff both.mlir doubled.mlir
first-opt same.mlir --double --mlir-print-ir-after=double 2>&1 | grep 'IR Dump After'
first-opt same.mlir --double --mlir-timing -o timed.mlir
first-opt --help | grep 'Multiply by 2'
