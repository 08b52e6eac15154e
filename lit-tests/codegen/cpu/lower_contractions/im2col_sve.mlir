// RUN: halo-compile %s --emit=asm --target=aarch64-unknown-linux-gnu --cpu=neoverse-v1 -o - | FileCheck %s
// RUN: halo-compile %s --emit=asm --target=aarch64-unknown-linux-gnu --cpu=a64fx -o - | FileCheck %s

// Columns at the edges of an image are gathered: in registers of SVE, those of bf16 as integers.

// CHECK: ld1h { z{{[0-9]+}}.s }, p{{[0-9]+}}/z, [x{{[0-9]+}}, z{{[0-9]+}}.s, sxtw #1]
func.func @main(%x: tensor<1x8x14x14xbf16>, %w: tensor<3x3x8x16xbf16>) -> tensor<1x16x14x14xbf16> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[0, 1, i, o]->[b, f, 0, 1],
    window = {stride = [1, 1], pad = [[1, 1], [1, 1]]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<1x8x14x14xbf16>, tensor<3x3x8x16xbf16>) -> tensor<1x16x14x14xbf16>
  return %0 : tensor<1x16x14x14xbf16>
}
