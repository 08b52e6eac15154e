# RUN: bash %s
# Whatever a tool writes to stays what it was: a device, a FIFO, a link, a file with
# its mode. What fails leaves it untouched.

script=$(realpath "$0")
. "$(dirname "$script")/Inputs/common.sh"

echo old >old

# Each tool writes the program $1, or what it computes, to $2.
writers() {
    echo "halo-opt $1 -o $2"
    echo "halo-translate --stablehlo-to-hlo-text $1 -o $2"
    echo "halo-compile --emit=hlo $1 -o $2"
    echo "halo-run $1 --input=1 --output=@$2"
}

# for_each_writer PROGRAM TARGET FUNCTION: calls the function for each command.
for_each_writer() {
    while read -r -u 3 -a command; do
        "$3" "${command[@]}"
    done 3< <(writers "$1" "$2")
}

writes_file() {
    echo old >target && chmod 640 target
    expect 0 "$@"
    ! cmp -s old target || fail "$* wrote nothing"
    [ "$(stat -c %a target)" = 640 ] || fail "$* changed the mode"
    [ "$(ls -A | grep -c '^\.halo')" = 0 ] || fail "$* left a file"
}
for_each_writer add.mlir target writes_file

writes_link() {
    mkdir -p d && echo old >d/target && ln -sf d/target link
    expect 0 "$@"
    [ "$(readlink link)" = d/target ] || fail "$* replaced the link"
    ! cmp -s old d/target || fail "$* did not follow the link"
}
for_each_writer add.mlir link writes_link

writes_all_names() {
    rm -f one two && echo old >one && ln one two
    expect 0 "$@"
    [ one -ef two ] || fail "$* separated the names"
    ! cmp -s old two || fail "$* wrote nothing"
}
for_each_writer add.mlir one writes_all_names

mkfifo fifo
writes_fifo() {
    cat fifo >got &
    expect 0 "$@"
    wait $!
    [ -p fifo ] || fail "$* replaced the FIFO"
    [ -s got ] || fail "$* wrote nothing"
}
for_each_writer add.mlir fifo writes_fifo

# Who is root could replace a device.
device=/dev/null
[ "$(id -u)" != 0 ] || { mknod null c 1 3 2>err && device=null; } || device=
writes_device() {
    expect 0 "$@"
    [ -c "$device" ] || fail "$* replaced the device"
}
[ -z "$device" ] || for_each_writer add.mlir "$device" writes_device

fails_and_leaves() {
    echo old >target
    expect 1 "$@"
    cmp -s old target || fail "$* touched the file"
}
for_each_writer wrong.mlir target fails_and_leaves

# What a shell has open is written behind what is there.
appends() {
    echo old >log
    "$@" >>log 2>err || fail "$* ended with $?: $(cat err)"
    [ "$(head -n 1 log | tr -d '\0')" = old ] || fail "$* replaced the file"
    [ "$(wc -c <log)" -gt 40 ] || fail "$* wrote nothing"
}
[ ! -e /dev/stdout ] || for_each_writer add.mlir /dev/stdout appends

not_there() {
    expect 1 "$@"
    grep -q 'error: there is no directory none' err || fail "$* said $(cat err)"
}
for_each_writer add.mlir none/target not_there

is_directory() {
    expect 1 "$@"
    grep -q 'd: error: is a directory' err || fail "$* said $(cat err)"
}
for_each_writer add.mlir d is_directory

full() {
    expect 1 "$@"
    grep -q '^/dev/full: error: No space left on device' err || fail "$* said $(cat err)"
}
[ ! -c /dev/full ] || for_each_writer add.mlir /dev/full full

# A user who may write a file, but not its folder, and one who may not write it.
if [ "$(id -u)" != 0 ]; then
    mkdir closed && echo old >closed/target && chmod 555 closed
    writes_in_closed() {
        expect 0 "$@"
        ! cmp -s old closed/target || fail "$* wrote nothing"
    }
    for_each_writer add.mlir closed/target writes_in_closed
    chmod 755 closed

    may_not() {
        echo old >fixed && chmod 444 fixed
        expect 1 "$@"
        grep -q '^fixed: error: Permission denied' err || fail "$* said $(cat err)"
        cmp -s old fixed || fail "$* wrote all the same"
        rm -f fixed
    }
    for_each_writer add.mlir fixed may_not
elif command -v setpriv >/dev/null; then
    # The same under a user who is not root.
    chmod 755 . && cp -r "$(dirname "$script")" scripts
    other() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
    for tool in halo-opt halo-translate halo-compile halo-run; do
        path=$(command -v $tool)
        other test -x "$path" || { mkdir -p tools && cp "$path" tools; }
    done
    PATH=$folder/tools:$PATH TMPDIR=/tmp other bash scripts/files.sh || fail "as nobody"
fi
