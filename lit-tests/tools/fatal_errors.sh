# RUN: bash %s
# What LLVM has no instruction for is an error of the tool, one line, and leaves no file behind.

script=$(realpath "$0")
. "$(dirname "$script")/Inputs/common.sh"

# Registers of SVE gather no bf16: a pass makes integers of these, which is left out here.
cat >image.mlir <<'END'
func.func @main(%x: tensor<1x8x14x14xbf16>, %w: tensor<3x3x8x16xbf16>) -> tensor<1x16x14x14xbf16> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[0, 1, i, o]->[b, f, 0, 1],
    window = {stride = [1, 1], pad = [[1, 1], [1, 1]]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<1x8x14x14xbf16>, tensor<3x3x8x16xbf16>) -> tensor<1x16x14x14xbf16>
  return %0 : tensor<1x16x14x14xbf16>
}
END
options="image.mlir --target=aarch64-unknown-linux-gnu --cpu=neoverse-v1 --remove-pass=halo-bf16-as-integers"
for tool in "halo-compile --emit=obj" "halo-compile --emit=asm" halo-explain; do
    expect 1 $tool $options -o made
    name=${tool%% *}
    [ "$(wc -l <err)" = 1 ] || fail "$tool said more than one line: $(head -c 500 err)"
    grep -q "^$name: error: internal error: LLVM: Cannot select: .*masked_gather" err ||
        fail "$tool said $(cat err)"
    [ ! -e made ] || fail "$tool left a file behind"
done
