# What the scripts of this folder share. They run the tools as a person does at a
# shell, each in a folder of its own.
set -u

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# expect STATUS COMMAND...: runs a command, whose output goes to the files out and
# err, and wants this exit status.
expect() {
    local wanted=$1 status=0
    shift
    timeout 60 "$@" >out 2>err || status=$?
    [ "$status" = "$wanted" ] || fail "$* ended with $status: $(head -c 500 err)"
}

# says TEXT: what went to standard error is this line.
says() {
    [ "$(cat err)" = "$1" ] || fail "expected '$1', found '$(head -c 500 err)'"
}

# refuses TEXT COMMAND...: a command fails with this line.
refuses() {
    local text=$1
    shift
    expect 1 "$@"
    says "$text"
}

cat >add.mlir <<'END'
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %a, %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}
END
echo 'func.func @main() { wrong' >wrong.mlir
