# RUN: bash %s
# The planner writes its decisions, and takes others. `docs/schedules.md` shows these
# commands.

script=$(realpath "$0")
. "$(dirname "$script")/Inputs/common.sh"
inputs=$(dirname "$script")/Inputs
cp "$inputs/softmax.mlir" .

# has TEXT: the output has a text.
has() {
    grep -qF -- "$1" out || fail "no '$1' in: $(head -c 2000 out)"
}

expect 0 halo-run softmax.mlir --compile-to=schedule
cp out schedule.mlir
diff schedule.mlir "$inputs/schedule.mlir" || fail "another schedule"
expect 0 halo-compile softmax.mlir --emit=schedule -o written.mlir
diff schedule.mlir written.mlir || fail "two schedules"

# What the planner decides and what its schedule says are the same.
expect 0 halo-run softmax.mlir --compile-to=kernels
planned=$(grep -c 'attributes {halo.kernel}' out)
expect 0 halo-run softmax.mlir --schedule=schedule.mlir --remove-pass=halo-form-fusion-groups --compile-to=kernels
[ "$(grep -c 'attributes {halo.kernel}' out)" = "$planned" ] || fail "other kernels"

# Four rows at a time, on every backend that forms groups, with the same results.
sed -i 's/tile_sizes \[1, 0\]/tile_sizes [4, 0]/' schedule.mlir
expect 0 halo-run softmax.mlir --schedule=schedule.mlir --compile-to=fusion
has 'scf.forall (%arg1) = (0) to (64) step (4)'
expect 0 halo-run softmax.mlir --random-inputs --backend=interpreter --output=@expected.npy
expect 0 halo-run softmax.mlir --random-inputs --schedule=schedule.mlir --bench=100 --expect=@expected.npy --rtol=1e-5 --atol=1e-7
expect 0 halo-run softmax.mlir --compile-to=halo-fuse-elementwise
has 'linalg.generic'
expect 0 halo-run softmax.mlir --random-inputs --schedule=schedule.mlir --backend=cuda-emulator --expect=@expected.npy --rtol=1e-5 --atol=1e-7
cp schedule.mlir 'four rows.mlir'
expect 0 halo-run softmax.mlir --random-inputs '--schedule=four rows.mlir' --expect=@expected.npy --rtol=1e-5 --atol=1e-7

# Ops that no line names are counted in their function.
expect 0 halo-opt softmax.mlir --strip-debuginfo --emit-bytecode -o softmax.mlirbc
expect 0 halo-run softmax.mlirbc --compile-to=schedule
has 'halo.applies_to = "@main"'
cp out counted.mlir
expect 0 halo-run softmax.mlirbc --schedule=counted.mlir --remove-pass=halo-form-fusion-groups --compile-to=kernels
[ "$(grep -c 'attributes {halo.kernel}' out)" = "$planned" ] || fail "other kernels"

# What the passes say of their decisions goes to standard error.
expect 0 halo-run softmax.mlir --compile-to=kernels --explain
grep -q 'softmax.mlir:1:1: remark: has an arena of 0 bytes for 0 buffers' err || fail "$(cat err)"
refuses "halo-run: error: --explain: the backend has no pass that explains its decisions" \
    halo-run softmax.mlir --backend=interpreter --explain --random-inputs

# What is wrong is said where it is.
refuses "softmax.mlir: error: cannot read the schedule 'none.mlir': No such file or directory (os error 2)" \
    halo-run softmax.mlir --schedule=none.mlir --random-inputs
sed 's/:10:13/:99/' schedule.mlir >wrong.mlir
refuses "wrong.mlir:2:3: error: no structured op comes from line 'softmax.mlir:99'" \
    halo-run softmax.mlir --schedule=wrong.mlir --random-inputs
sed 's/softmax.mlir:10:13/@man/' schedule.mlir >wrong.mlir
refuses "wrong.mlir:2:3: error: there is no function '@man'" \
    halo-compile softmax.mlir --schedule=wrong.mlir -o out.o
sed 's/transform.yield/transform.yeld/' schedule.mlir >wrong.mlir
refuses "wrong.mlir:7:5: error: custom op 'transform.yeld' is unknown" \
    halo-run softmax.mlir --schedule=wrong.mlir --random-inputs
sed 's/{halo.applies_to = "[^"]*"}/{}/' schedule.mlir >wrong.mlir
refuses "wrong.mlir:1:1: error: no sequence of the schedule says 'halo.applies_to'" \
    halo-run softmax.mlir --schedule=wrong.mlir --random-inputs
echo 'module {}' >wrong.mlir
refuses "wrong.mlir:1:1: error: a schedule is a module with the attribute 'transform.with_named_sequence'" \
    halo-run softmax.mlir --schedule=wrong.mlir --random-inputs
refuses "halo-run: error: --schedule=schedule.mlir: the backend forms no fusion groups" \
    halo-run softmax.mlir --backend=interpreter --schedule=schedule.mlir --random-inputs
