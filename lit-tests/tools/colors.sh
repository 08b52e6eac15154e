# RUN: bash %s
# Diagnostics are colored on terminals, unless NO_COLOR is set, and nowhere else.

script=$(realpath "$0")
. "$(dirname "$script")/Inputs/common.sh"

echo 'func.func @main() { wrong }' >wrong.mlir

# The output of a command on a terminal of its own.
on_terminal() {
    python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' "$@" </dev/null
}
escape=$(printf '\033[')
export TERM=xterm
unset NO_COLOR

for tool in halo-opt "halo-translate --serialize" halo-run; do
    on_terminal $tool wrong.mlir >told || true
    grep -qF "$escape" told || fail "$tool: no colors on a terminal: $(cat told)"
    grep -q "wrong }" told || fail "$tool: no source line: $(cat told)"
    grep -qF '^' told || fail "$tool: no caret: $(cat told)"
    NO_COLOR=1 on_terminal $tool wrong.mlir >told || true
    if grep -qF "$escape" told; then fail "$tool: colors in spite of NO_COLOR"; fi
    NO_COLOR= on_terminal $tool wrong.mlir >told || true
    grep -qF "$escape" told || fail "$tool: an empty NO_COLOR is none"
    $tool wrong.mlir >told 2>&1 || true
    if grep -qF "$escape" told; then fail "$tool: colors in a file"; fi
done
