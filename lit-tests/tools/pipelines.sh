# RUN: bash %s
# The passes of a backend can be edited, dumped, timed and printed, and run one phase at a
# time. `docs/backends.md` shows these commands.

script=$(realpath "$0")
. "$(dirname "$script")/Inputs/common.sh"

cat >v.mlir <<'END_OF_PROGRAM'
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  %1 = stablehlo.add %x, %x : tensor<4xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
END_OF_PROGRAM

# prints COUNT TEXT: the output has a text so often.
prints() {
    local count
    count=$(grep -c -- "$2" out)
    [ "$count" = "$1" ] || fail "'$2' is in $count lines, not $1: $(head -c 2000 out)"
}

# A phase without its passes, with others in their place, and with more.
expect 0 halo-run v.mlir --compile-to=hlo
prints 1 stablehlo.add
expect 0 halo-run v.mlir --compile-to=hlo --remove-pass=hlo
prints 2 stablehlo.add
expect 0 halo-run v.mlir --compile-to=hlo --remove-pass=hlo --insert-passes=hlo:cse
prints 1 stablehlo.add
expect 0 halo-compile v.mlir --emit=hlo --replace-pass=hlo:cse,inline
prints 1 stablehlo.add
expect 0 halo-run v.mlir --compile-to=hlo --remove-pass=hlo/halo-cse
prints 2 stablehlo.add
# Edits are made in their order, over all options.
expect 0 halo-run v.mlir --compile-to=hlo --insert-passes=hlo:cse --remove-pass=hlo
prints 2 stablehlo.add
# Every backend has places.
expect 0 halo-run v.mlir --compile-to=hlo --backend=interpreter --insert-passes=hlo:cse
prints 1 stablehlo.add
expect 0 halo-compile v.mlir --emit=hlo --backend=cuda --remove-pass=halo-cse#all
prints 2 stablehlo.add
# What is edited runs.
for backend in cpu interpreter; do
    expect 0 halo-run v.mlir --backend=$backend --input=3 --expect=36 \
        --insert-passes='hlo:canonicalize{max-iterations=2},cse'
done

# An inserted pass has its own dump and time.
expect 0 halo-run v.mlir --input=1 --dump-dir=dumps --timing \
    --insert-passes=halo-detensorize:sccp
[ -s dumps/03-fusion-sccp.mlir ] && [ -s dumps/04-fusion.mlir ] || fail "dumps: $(ls dumps)"
[ "$(grep -c ' ms  fusion/sccp$' err)" = 1 ] || fail "times: $(cat err)"
[ "$(grep -c ' ms  total$' err)" = 1 ] || fail "times: $(cat err)"

# Times for tools: one line of JSON, with the phases in their order.
expect 0 halo-run v.mlir --input=1 --timing=json
[ "$(grep -c '^{' err)" = 1 ] || fail "JSON: $(cat err)"
grep '^{' err | grep -q '^{"phases":\[{"name":"input","ms":.*{"name":"fusion","ms":.*"kernels":\[.*"cache":{"programs":{"hits":.*"total_ms":[0-9.]*}$' ||
    fail "JSON: $(cat err)"
expect 0 halo-compile v.mlir --emit=hlo -o hlo.mlir --timing=json
grep -q '^{"phases":\[{"name":"input"' err || fail "JSON: $(cat err)"
expect 1 halo-run v.mlir --timing=xml
grep -q "invalid value 'xml' for '--timing" err || fail "message: $(cat err)"

# The program as it is after a pass.
expect 0 halo-run v.mlir --compile-to=sccp --insert-passes=halo-detensorize:sccp
prints 1 linalg.generic
expect 0 halo-run v.mlir --compile-to=hlo/halo-cse
prints 1 stablehlo.add
expect 0 halo-compile v.mlir --backend=cpu --emit=halo-bufferize
prints 0 'tensor<'
expect 0 halo-compile v.mlir --backend=cpu --emit='kernels/halo-cse#1'
prints 1 scf.parallel
several="'halo-cse' is there 8 times: say hlo/halo-cse, linalg/halo-cse, fusion/halo-cse, bufferized/halo-cse#1, bufferized/halo-cse#2, kernels/halo-cse#1, kernels/halo-cse#2, llvm/halo-cse"
refuses "halo-run: error: $several" halo-run v.mlir --compile-to=halo-cse
refuses "halo-run: error: $several" halo-run v.mlir --compile-to='halo-cse#all'
refuses "halo-run: error: there is no phase 'hlos'; did you mean 'hlo'?; there are: hlo, linalg, fusion, bufferized, kernels, llvm" \
    halo-run v.mlir --compile-to=hlos/halo-cse
unknown="unknown phase 'sccp'; there are: input, hlo, linalg, fusion, bufferized, kernels, llvm, llvm-ir, asm, schedule"
refuses "halo-run: error: $unknown" halo-run v.mlir --compile-to=sccp
refuses "halo-compile: error: $unknown" halo-compile v.mlir --backend=cpu --emit=sccp

# The program is printed after passes.
expect 0 halo-run v.mlir --input=1 --print-ir-after=hlo/halo-cse --print-ir-after=halo-bufferize
[ "$(grep -c '^// -----// IR Dump After' err)" = 2 ] || fail "printed: $(cat err)"
grep -q '^// -----// IR Dump After halo-bufferize (phase bufferized) //----- //$' err ||
    fail "printed: $(cat err)"

# Faults are one line, which begins with the option, before the program is read.
phases="hlo, linalg, fusion, bufferized, kernels, llvm"
refuses "halo-run: error: --insert-passes=lingalg:cse: no phase or pass is named 'lingalg'; did you mean 'linalg'?; the phases are: $phases" \
    halo-run wrong.mlir --insert-passes=lingalg:cse
refuses "halo-run: error: --insert-passes=hlo:cse,inlne: there is no pass 'inlne'; did you mean 'inline'?" \
    halo-run wrong.mlir --insert-passes=hlo:cse,inlne
refuses "halo-compile: error: --replace-pass=hlo:cse,(: expected the name of a pass at character 5 of 'cse,('" \
    halo-compile wrong.mlir --emit=hlo '--replace-pass=hlo:cse,('
refuses "halo-run: error: --remove-pass=bufferized/halo-cse: 'halo-cse' is there 2 times: say bufferized/halo-cse#1, bufferized/halo-cse#2, or halo-cse#all" \
    halo-run wrong.mlir --remove-pass=bufferized/halo-cse
refuses "halo-run: error: --insert-passes=hlo:halo-lower-contractions{machine=x}: option 'machine' of pass 'halo-lower-contractions' is a machine such as 'znver4:cores=16', not 'x'" \
    halo-run wrong.mlir '--insert-passes=hlo:halo-lower-contractions{machine=x}'
refuses "halo-run: error: --insert-passes=hlo:canonicalize{max-iteration=1}: pass 'canonicalize' has no option 'max-iteration'" \
    halo-run wrong.mlir '--insert-passes=hlo:canonicalize{max-iteration=1}'
refuses "halo-run: error: --print-ir-after=halo-bufferise: no phase or pass is named 'halo-bufferise'; did you mean 'halo-bufferize'?; the phases are: $phases" \
    halo-run wrong.mlir --print-ir-after=halo-bufferise
refuses "halo-run: error: invalid value 'cse' for '--insert-passes <PLACE:PASSES>': passes are inserted by [before:|after:]PLACE:PASSES (see --help)" \
    halo-run wrong.mlir --insert-passes=cse

# A pass that fails where it was inserted is named.
expect 1 halo-run v.mlir --input=1 --insert-passes=hlo:halo-bufferize
grep -q "^v.mlir.*error: .*halo-bufferize" err || fail "said $(cat err)"
[ "$(wc -l <err)" = 1 ] || fail "said $(cat err)"

# So is what the phases do not bring about any more.
refuses "halo-run: error: the phases have left no function 'main__entry' that can be run" \
    halo-run v.mlir --input=1 --insert-passes=before:llvm:symbol-dce

# Phases and passes by shell: halo-opt, or a tool like it, in the middle of a pipeline.
halo-opt v.mlir --halo-cpu-phase-hlo --canonicalize | halo-run - --input=3 --expect=36 >out 2>err ||
    fail "a phase by shell: $(cat err)"
halo-opt v.mlir --halo-cpu-phase-hlo --halo-cpu-phase-linalg >linalg.mlir || fail "no linalg"
grep -q linalg.generic linalg.mlir || fail "no op of linalg: $(cat linalg.mlir)"
expect 0 halo-run linalg.mlir --input=3 --expect=36

# A program may have ops of HLO beside those of linalg, arith, scf and tensor.
cat >mixed.mlir <<'END_OF_PROGRAM'
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  %empty = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%0 : tensor<4xf32>) outs(%empty : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.mulf %a, %a : f32
    linalg.yield %c : f32
  } -> tensor<4xf32>
  %low = arith.constant 0 : index
  %high = arith.constant 2 : index
  %step = arith.constant 1 : index
  %2 = scf.for %i = %low to %high step %step iter_args(%t = %1) -> (tensor<4xf32>) {
    %u = stablehlo.add %t, %x : tensor<4xf32>
    scf.yield %u : tensor<4xf32>
  }
  return %2 : tensor<4xf32>
}
END_OF_PROGRAM
expect 0 halo-run mixed.mlir --input=3 --expect=42

cat >memory.mlir <<'END_OF_PROGRAM'
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  %m = bufferization.to_buffer %0 : tensor<4xf32> to memref<4xf32>
  %c = arith.constant 1 : index
  %v = memref.load %m[%c] : memref<4xf32>
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  %t = bufferization.to_tensor %a restrict : memref<4xf32> to tensor<4xf32>
  %r = stablehlo.multiply %t, %x : tensor<4xf32>
  return %r : tensor<4xf32>
}
END_OF_PROGRAM
expect 0 halo-run memory.mlir --input=3 --expect=18
