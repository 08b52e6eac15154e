# RUN: bash %s
# Line tables in object files: rows of the program's lines, and the same code as without.

script=$(realpath "$0")
. "$(dirname "$script")/Inputs/common.sh"

cat >p.mlir <<'END_OF_PROGRAM'
func.func @main(%x: tensor<64x32xf32>, %y: tensor<32x48xf32>) -> (tensor<64x48xf32>, tensor<64xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
    : (tensor<64x32xf32>, tensor<32x48xf32>) -> tensor<64x48xf32>
  %1 = stablehlo.exponential %0 : tensor<64x48xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<64x48xf32>, tensor<f32>) -> tensor<64xf32>
  return %1, %2 : tensor<64x48xf32>, tensor<64xf32>
}
END_OF_PROGRAM

for target in x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu riscv64-unknown-linux-gnu; do
    expect 0 halo-compile p.mlir --emit=obj --target=$target -o without.o
    expect 0 halo-compile -g p.mlir --emit=obj --target=$target -o with.o
    for form in with without; do
        llvm-objcopy -O binary --only-section=.text $form.o $form.text
    done
    [ -s with.text ] || fail "$target: no code"
    cmp with.text without.text || fail "$target: the code is another one"
    llvm-dwarfdump --debug-line with.o >table
    # The product, the exponential function and the sum.
    for line in 3 5 6; do
        grep -Eq "^0x[0-9a-f]+ +$line +8 +[01] " table || fail "$target: no code of line $line"
    done
    grep -q 'name: "p.mlir"' table || fail "$target: no file"
    grep -qF "\"$PWD\"" table || fail "$target: no folder"
    llvm-dwarfdump --verify with.o >said || fail "$target: $(cat said)"
    llvm-dwarfdump --debug-line without.o >table
    grep -q "p.mlir" table && fail "$target: a table that nobody asked for"
done

# Assembly has them too.
expect 0 halo-compile --debug-info p.mlir --emit=asm -o p.s
grep -qE '\.loc\s+[0-9]+ 5 8' p.s || fail "no .loc in assembly"

# Programs whose locations are in no file, and those of another one.
halo-opt p.mlir --strip-debuginfo --mlir-print-debuginfo >unknown.mlir
expect 0 halo-compile -g unknown.mlir --emit=obj -o unknown.o
halo-opt p.mlir --mlir-print-debuginfo | sed 's/p.mlir/model.py/' >other.mlir
expect 0 halo-compile -g other.mlir --emit=obj -o other.o
llvm-dwarfdump --debug-line other.o | grep -q 'name: "model.py"' || fail "no model.py"
expect 0 halo-run -g unknown.mlir --random-inputs

# Backends without machine code.
refuses "halo-run: error: the backend makes no machine code with line tables, as debug info wants" \
    halo-run -g p.mlir --backend=interpreter --random-inputs
