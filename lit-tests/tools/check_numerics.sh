# RUN: bash %s
# --check-numerics names the first op that makes NaN or an infinity, on every backend.

script=$(realpath "$0")
. "$(dirname "$script")/Inputs/common.sh"
cp "$(dirname "$script")/Inputs/faults.mlir" .

# The line with a mark in a function, or in the one before it.
line() {
    awk -v entry="@$1(" -v mark="// $2" \
        'index($0, "func.func " entry) { found = 1 } found && index($0, mark) { print NR; exit }' faults.mlir
}

run() {
    halo-run faults.mlir --backend="$backend" --check-numerics="$kinds" --entry="$@" 2>err >out
}

# expect ENTRY MESSAGE INPUTS...: the error is at the line with FAULT.
expect() {
    local entry=$1 message=$2
    shift 2
    if run "$entry" "$@"; then
        fail "$backend finds nothing in @$entry"
    fi
    grep -q "^faults.mlir:${at:-$(line "$entry" FAULT)}:[0-9]*: error: $message" err ||
        fail "$backend in @$entry: $(cat err)"
}

# clean ENTRY INPUTS...: there is no fault.
clean() {
    run "$@" || fail "$backend in @$1: $(cat err)"
}

kinds=nan,inf
for backend in cpu c cuda-emulator interpreter; do
    options=--threads=1
    [ "$backend" = cpu ] && options=--threads=2
    if [ "$backend" != cpu ] && [ "$backend" != interpreter ]; then
        # The passes are those of CPUs.
        expect seventh_iteration 'stablehlo.divide makes inf of 0.0013888889 and 0$' --input=1 --input=1 $options
        expect product 'stablehlo.dot_general makes -inf of 32 elements from -2e+\?38 to -2e+\?38 and 32 elements from 1 to 1 at \[0, 0\]$' --input=-2e38 --input=1 $options
        clean masked_softmax --random-inputs $options
        continue
    fi
    expect log_of_zero 'stablehlo.log makes -inf of 0 at \[0, 0\] (128 of 128 elements)$' --input=0 $options
    expect log_of_zero 'stablehlo.log makes NaN of -0.5 at \[0, 0\]' --input=-1 $options
    clean log_of_zero --input=2 $options
    expect zero_by_zero 'stablehlo.divide makes NaN of 0 and 0 at \[0, 0\]' --input=0 $options
    clean zero_by_zero --input=1 $options
    expect overflow_of_exp 'stablehlo.exponential makes inf of 100 at \[0\]' --input=100 $options
    clean overflow_of_exp --input=-200 $options
    expect root_of_negative 'stablehlo.sqrt makes NaN of -1 at \[3\]$' --input='[1, 2, 3, -1, 4, 5, 6, 7]' $options
    expect difference_of_infinities 'stablehlo.add makes NaN of inf and -inf at \[0\]' --input=0x7F80 $options
    clean difference_of_infinities --input=0x7FC0 $options
    expect seventh_iteration 'stablehlo.divide makes inf of 0.0013888889 and 0$' --input=1 --input=1 $options
    grep -q "^faults.mlir:$(line seventh_iteration LOOP):[0-9]*: note: in iteration 7 of this stablehlo.while$" err ||
        fail "$backend: the iteration is missing: $(cat err)"
    expect solver 'stablehlo.divide makes NaN of 0 and 0$' --input=1 $options
    expect softmax_without_maximum 'stablehlo.exponential makes inf of 90 at \[0, 0\]' --input=90 $options
    clean softmax_without_maximum --input=1 $options
    expect variance_of_constant 'stablehlo.rsqrt makes inf of 0 at \[0\]' --input=3 $options
    clean variance_of_constant --random-inputs $options
    expect masked_softmax 'stablehlo.subtract makes NaN of -inf and -inf at \[0, 0\]' --input=1 --input=1 --input=false $options
    clean masked_softmax --random-inputs $options
    expect sum_of_f16 'stablehlo.reduce makes inf of 4096 elements from 60 to 60 at \[0\]' --input=60 $options
    clean sum_of_f16 --input=1 $options
    expect product 'stablehlo.dot_general makes -inf of 32 elements from -2e+\?38 to -2e+\?38 and 32 elements from 1 to 1 at \[0, 0\]$' --input=-2e38 --input=1 $options
    at=$(grep -n '@root(%x: ' faults.mlir | cut -d: -f1)
    at=$((at + 1)) expect in_a_function 'stablehlo.sqrt makes NaN of -4 at \[0\]' --input=-4 $options
    unset at
    grep -q "^faults.mlir:$(line in_a_function CALL):[0-9]*: note: called here$" err ||
        fail "$backend: the call is missing: $(cat err)"
    clean guarded --input=0 $options
    clean infinite_constant --input=1 $options
    expect infinite_constant 'stablehlo.multiply makes NaN of 0 and inf at \[0\]' --input=0 $options

    kinds=inf clean zero_by_zero --input=0 $options
    kinds=nan clean overflow_of_exp --input=100 $options
    kinds=overflow clean log_of_zero --input=0 $options
    kinds=overflow expect overflow_of_exp 'stablehlo.exponential makes inf of 100 at \[0\]' --input=100 $options
    kinds=subnormal expect tiny 'stablehlo.multiply makes 1e-40 of 1e-20 and 1e-20 at \[0\]' --input=1e-20 $options
    kinds=subnormal clean tiny --input=1e-15 $options
done

# Errors of the option.
! halo-run faults.mlir --check-numerics=nan,large 2>err || fail "an unknown kind is accepted"
grep -q "unknown kind 'large', expected nan, inf, overflow or subnormal" err || fail "$(cat err)"
! halo-run faults.mlir --check-numerics --backend=none 2>err || fail "an unknown backend is accepted"
grep -q "none" err || fail "$(cat err)"
! HALO_CHECK_NUMERICS=large halo-run faults.mlir --entry=tiny --input=1 2>err || fail "an unknown kind is accepted"
grep -q "HALO_CHECK_NUMERICS: unknown kind 'large'" err || fail "$(cat err)"
! HALO_CHECK_NUMERICS=1 halo-run faults.mlir --entry=tiny --input=1e30 2>err || fail "the variable has no effect"
grep -q "stablehlo.multiply makes inf of 1e30 and 1e30" err || fail "$(cat err)"
