# RUN: bash %s
# Crates that halo-new writes. `make test-sdk` and `make test-git` build them.

script=$(realpath "$0")
. "$(dirname "$script")/Inputs/common.sh"
set -e

halo-new my-pass --git=https://example.com/halo | grep -qx "wrote my-pass; test it by: cd my-pass && cargo test"
for line in 'name = "my-pass"' 'name = "my-opt"' \
    'halo = { package = "halo-shared", git = "https://example.com/halo" }' \
    'halo-lit = { git = "https://example.com/halo" }'; do
    grep -qxF "$line" my-pass/Cargo.toml || fail "Cargo.toml lacks: $line"
done
grep -q 'halo::opt::main("my-opt", my_pass::plugin())' my-pass/src/main.rs
grep -q '^MLIR_SYS_220_PREFIX = ' my-pass/.cargo/config.toml
! grep -r first my-pass || fail "a name of the template is left"

# By default, the tree with this program.
halo-new fuse >/dev/null
shared=$(sed -n 's/^halo = .*path = "\(.*\)" }/\1/p' fuse/Cargo.toml)
test -f "$shared/Cargo.toml"
test ! -e fuse/rust-toolchain.toml

refuses "my-pass: error: exists already" halo-new my-pass
refuses "halo-new: error: expected a crate's name of letters, digits, '-' and '_', found '2.pass'" halo-new 2.pass
refuses "/: error: expected an SDK or a source tree of Halo" halo-new other --halo=/
refuses "nowhere: error: No such file or directory (os error 2)" halo-new other --halo=nowhere
