# RUN: bash %s
# A PJRT plug-in as a backend: Halo's own, which `cargo build --workspace` builds.

script=$(realpath "$0")
. "$(dirname "$script")/Inputs/common.sh"
plugin=$(dirname "$(command -v halo-run)")/libhalo_pjrt.so
[ -e "$plugin" ] || fail "$plugin is missing: cargo build --workspace builds it"
ln -s "$plugin" plugin.so

cat >loop.mlir <<'END'
func.func private @twice(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = chlo.sinh %x : tensor<2xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @entry(%x: tensor<2xf32>) -> (tensor<2xf32> {jax.result_info = "r"}, tensor<2xi1>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = call @twice(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = stablehlo.compare GT, %0, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %2:2 = stablehlo.while(%i = %one, %v = %0) : tensor<i32>, tensor<2xf32>
    cond {
      %c = stablehlo.compare GT, %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %w = stablehlo.negate %v : tensor<2xf32>
      stablehlo.return %i, %w : tensor<i32>, tensor<2xf32>
    }
  return %2#1, %1 : tensor<2xf32>, tensor<2xi1>
}
END

expect 0 halo-run loop.mlir --input='[-1,1]' --backend=pjrt:plugin.so --expect='[-1.1752012,1.1752012]' --expect='[false,true]'
# Ops outside of loops are compared, with either side as the plug-in.
expect 0 halo-run loop.mlir --random-inputs --compare=pjrt:plugin.so
[ "$(cat out)" = "cpu and pjrt:plugin.so: the results of all 2 ops are equal" ] || fail "$(cat out)"
expect 0 halo-run loop.mlir --random-inputs --backend=pjrt:plugin.so --compare=cpu
# Errors of the plug-in, at its place in the program or at the file.
sed 's/check.*//; s/chlo.sinh %x : tensor<2xf32> -> /stablehlo.custom_call @none(%x) : (tensor<2xf32>) -> /' loop.mlir >none.mlir
expect 1 halo-run none.mlir --random-inputs --backend=pjrt:plugin.so
grep -q 'no custom call @none is registered' err || fail "$(cat err)"

# Files that are no plug-ins.
refuses 'missing.so: error: No such file or directory (os error 2)' halo-run add.mlir --backend=pjrt:missing.so
expect 1 halo-run add.mlir --backend=pjrt:add.mlir
grep -q '^add.mlir: error: cannot load it: ' err || fail "$(cat err)"
echo 'static const struct { long size; void *extensions; long base[2]; int major, minor; } api = {48, 0, {24, 0}, 1, 0};
const void *GetPjrtApi(void) { return &api; }' >other.c
cc -shared -fPIC -o other.so other.c || fail "cc"
refuses 'other.so: error: unsupported major version 1 of PJRT, expected 0' halo-run add.mlir --backend=pjrt:other.so
echo 'int other;' >none.c
cc -shared -fPIC -o none.so none.c || fail "cc"
refuses 'none.so: error: no PJRT plug-in: it has no GetPjrtApi' halo-run add.mlir --compare=pjrt:none.so
