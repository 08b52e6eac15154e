# RUN: bash %s
# --compare finds the op where two backends begin to differ. docs/comparing_ops.md has its output.

script=$(realpath "$0")
. "$(dirname "$script")/Inputs/common.sh"

cat >special.mlir <<'END'
func.func private @next(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.divide %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @main(%x: tensor<2xf32>, %w: tensor<2x3xf32>) -> tensor<3xf32> {
  %tiny = stablehlo.constant dense<1.0e-20> : tensor<2xf32>
  %0 = stablehlo.multiply %x, %tiny : tensor<2xf32>
  %1 = func.call @next(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %2 = stablehlo.dot_general %1, %w, contracting_dims = [0] x [0] : (tensor<2xf32>, tensor<2x3xf32>) -> tensor<3xf32>
  return %2 : tensor<3xf32>
}
END
inputs='--input=[1e-19,1] --input=1'

# All backends, in both roles.
for backend in c cuda-emulator interpreter; do
    expect 0 halo-run add.mlir --random-inputs --compare=$backend
    [ "$(cat out)" = "cpu and $backend: the results of all 1 ops are equal" ] || fail "$(cat out)"
    expect 0 halo-run add.mlir --random-inputs --backend=$backend --compare=cpu
done
expect 0 halo-run add.mlir --random-inputs --backend=cuda-emulator --compare=cuda-emulator
grep -q '^cuda-emulator (1) and cuda-emulator (2): ' out || fail "$(cat out)"

# NaN on one side only; the page has all ops.
refuses "special.mlir:2:8: error: stablehlo.divide makes 1, expected NaN (rtol 1e-5, atol 1e-8)" \
    halo-run special.mlir $inputs --compare=cpu:flush-subnormals --compare-report=page.html
grep -q '^NaN or an infinity is on one side only first at special.mlir:2:8 stablehlo.divide$' out || fail "$(cat out)"
grep -q '^errors begin at special.mlir:7:8 stablehlo.multiply$' out || fail "$(cat out)"
[ "$(grep -c '<tr class="error">' page.html)" = 2 ] || fail "$(cat page.html)"
grep -q '<td>special.mlir:9:8</td><td>stablehlo.dot_general</td>' page.html || fail "$(cat page.html)"

# Ops by name and line.
expect 1 halo-run special.mlir $inputs --compare=cpu:flush-subnormals --compare-only=7,dot_general
grep -q ': 2 of 2 ops differ, 1 by more than' out || fail "$(cat out)"

# A failure of a run comes after the ops before it.
sed 's/  return/  check.expect_eq %0, %a : tensor<2xf32>\n  return/' add.mlir >fails.mlir
expect 1 halo-run fails.mlir --input=1 --compare=interpreter
grep -q 'the results of all 1 ops are equal' out || fail "$(cat out)"
grep -q '^fails.mlir:3:3: error: @check.expect_eq: ' err || fail "$(cat err)"

# Errors of the option.
expect 1 halo-run add.mlir --compare=none
grep -q "unknown backend 'none'" err || fail "$(cat err)"
expect 1 halo-run add.mlir --compare=cpu:threads=no
grep -q "'no' for '--threads <N>': not a whole number" err || fail "$(cat err)"
expect 1 halo-run add.mlir --compare=cpu --bench
grep -q "cannot be used with '--bench" err || fail "$(cat err)"
