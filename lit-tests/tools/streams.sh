# RUN: bash %s
# Nothing is lost in silence where standard output is full, and who has read enough
# ends a tool quietly.

script=$(realpath "$0")
. "$(dirname "$script")/Inputs/common.sh"

commands() {
    echo "halo-opt big.mlir"
    echo "halo-opt --help"
    echo "halo-translate --serialize big.mlir"
    echo "halo-translate --help"
    echo "halo-compile --emit=hlo --entry=f1 big.mlir"
    echo "halo-compile --help"
    echo "halo-run big.mlir --entry=f1 --random-inputs --print-all"
    echo "halo-run big.mlir --entry=f1 --random-inputs --output=@-"
    echo "halo-run big.mlir --entry=f1 --compile-to=hlo"
    echo "halo-run --list-backends"
    echo "halo-run --version"
    echo "halo-run print.mlir --input=1"
    echo "halo-run print.mlir --input=1 --backend=interpreter"
    echo "halo-fuzz --print --count=100 --valid"
    echo "halo-fuzz --count=1 --valid"
}

# More than a pipe holds, and than is printed of a result.
for i in $(seq 1000); do
    sed "s/main/f$i/; s/2x/100000x/g" add.mlir
done >big.mlir
cat >print.mlir <<'END'
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  interpreter.print %a : tensor<2xf32>
  return %a : tensor<2xf32>
}
END

while read -r -u 3 -a command; do
    if [ -c /dev/full ]; then
        status=0
        timeout 60 "${command[@]}" >/dev/full 2>err || status=$?
        [ $status = 1 ] || fail "${command[*]} > /dev/full ended with $status"
        grep -q 'error: .*No space left on device' err || fail "${command[*]} said $(cat err)"
    fi
    timeout 60 "${command[@]}" 2>err | head -c 1 >out
    status=${PIPESTATUS[0]}
    # As SIGPIPE ends other tools, or as if all had been read.
    [ $status = 0 ] || [ $status = 141 ] || fail "${command[*]} | head ended with $status"
    ! grep -q 'error\|panicked' err || fail "${command[*]} | head said $(cat err)"
done 3< <(commands)

# Where errors cannot be told, the exit code is left.
if [ -c /dev/full ]; then
    echo "func.func @main(" >wrong.mlir
    for command in "halo-opt none.mlir" "halo-opt wrong.mlir" "halo-opt --none" \
        "halo-opt add.mlir -o none/out.mlir" "halo-translate --import-hlo none.hlo" \
        "halo-translate --import-hlo wrong.mlir" "halo-translate --serialize wrong.mlir" \
        "halo-compile --emit=hlo none.mlir" "halo-run none.mlir" "halo-run wrong.mlir"; do
        status=0
        timeout 60 $command >out 2>/dev/full || status=$?
        [ $status = 1 ] || fail "$command 2> /dev/full ended with $status"
    done
fi
