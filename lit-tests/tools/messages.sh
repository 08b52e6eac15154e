# RUN: bash %s
# What tools say of a wrong command line, and what they take for granted.

script=$(realpath "$0")
. "$(dirname "$script")/Inputs/common.sh"

# A misspelt option is taken for one of Halo's.
refuses "halo-opt: error: unknown option '--stablehlo-refine-shape'; did you mean '--stablehlo-refine-shapes'? (see --help)" \
    halo-opt --stablehlo-refine-shape add.mlir
refuses "halo-opt: error: unknown option '--canonicalise'; did you mean '--canonicalize'? (see --help)" \
    halo-opt --canonicalise add.mlir
refuses "halo-opt: error: unknown option '--frobnicate' (see --help)" halo-opt --frobnicate add.mlir
refuses "halo-opt: error: unknown option '--cs'; did you mean '--cse'? (see --help)" halo-opt --cs add.mlir
# No option begins with that of one letter, which LLVM takes it for.
refuses "halo-opt: error: unknown option '--pas-pipeline'; did you mean '--pass-pipeline'? (see --help)" \
    halo-opt '--pas-pipeline=builtin.module(cse)' add.mlir
refuses "halo-opt: error: unknown option '--hel'; did you mean '--help'? (see --help)" halo-opt --hel add.mlir
refuses "halo-opt: error: unknown option '-oadd.mlir' (see --help)" halo-opt -oadd.mlir add.mlir
refuses "halo-translate: error: unknown option '--outpt' (see --help)" halo-translate --outpt add.mlir
refuses "halo-translate: error: unknown option '--serialise'; did you mean '--serialize'? (see --help)" \
    halo-translate --serialise add.mlir
refuses "halo-run: error: unexpected argument '--bakend' found; did you mean '--backend'? (see --help)" \
    halo-run --bakend=cpu add.mlir
refuses "halo-compile: error: unexpected argument '--emti' found; did you mean '--emit'? (see --help)" \
    halo-compile --emti=hlo add.mlir

# Values that cannot be.
refuses "halo-opt: error: for the --mlir-elide-elementsattrs-if-larger option: 'x' value invalid for uint argument (see --help)" \
    halo-opt --mlir-elide-elementsattrs-if-larger=x add.mlir
refuses "halo-run: error: invalid value 'x' for '--bench[=<N>]': not a whole number (see --help)" \
    halo-run --bench=x add.mlir
refuses "halo-run: error: invalid literal 'true': not a value of f32" halo-run add.mlir --input=true
refuses "halo-run: error: invalid literal '1e400': out of the range of f32" \
    halo-run add.mlir --input=1e400
refuses "$folder: error: is a directory" halo-run add.mlir "--input=@$folder"

# Pipelines that are none, before the program is read.
pipeline() {
    refuses "halo-opt: error: $2" halo-opt "--pass-pipeline=$1" none.mlir
}
pipeline 'builtin.module(canonicalize{foo=1})' "pass 'canonicalize' has no option 'foo'"
pipeline 'builtin.module(func.func(cse{foo=1}))' "pass 'cse' has no option 'foo'"
pipeline 'builtin.module(canonicalize{max-iterations=x})' \
    "option 'max-iterations' of pass 'canonicalize': 'x' value invalid for long argument"
pipeline 'builtin.module(halo-expand-math{foo=1})' "pass 'halo-expand-math' has no option 'foo'"
pipeline 'builtin.module(cse,canonicalise)' \
    "'canonicalise' does not refer to a registered pass or pass pipeline; did you mean 'canonicalize'?"
pipeline 'builtin.module(halo-detensorize)' \
    "can't add pass 'halo-detensorize' restricted to 'func.func' on a PassManager intended to run on 'builtin.module', did you intend to nest?"
pipeline 'builtin.module(cse' \
    "expected pass pipeline to be wrapped with the anchor operation type, e.g. 'builtin.module(...)'"
refuses "halo-opt: error: pass 'canonicalize' has no option 'foo'" halo-opt --canonicalize=foo=1 none.mlir
refuses "halo-opt: error: option 'max-iterations' of pass 'canonicalize': 'x' value invalid for long argument" \
    halo-opt --canonicalize=max-iterations=x none.mlir
refuses "halo-opt: error: pass 'halo-expand-math' has no option 'foo'" halo-opt --halo-expand-math=foo=1 none.mlir
refuses "halo-opt: error: pass 'canonicalize' has no option 'max-iteration'; did you mean 'max-iterations'?" \
    halo-opt --canonicalize=max-iteration=1 none.mlir
refuses "halo-opt: error: pass 'halo-destination-passing' has no option 'explian'; did you mean 'explain'?" \
    halo-opt --halo-destination-passing=explian none.mlir
pipeline 'builtin.module(func.func(halo-buffer-assignment{all-function=1}))' \
    "pass 'halo-buffer-assignment' has no option 'all-function'; did you mean 'all-functions'?"
expect 1 halo-opt '--pass-pipeline=builtin.module(cs)' --verify-diagnostics add.mlir

# Files that are not there.
for tool in halo-opt "halo-translate --serialize" "halo-compile --emit=hlo" halo-run; do
    refuses "none.mlir: error: No such file or directory (os error 2)" $tool none.mlir
done

# What to do is said once.
expect 1 halo-translate add.mlir
grep -q '^halo-translate: error: no translation is asked for; there are: --deserialize, ' err ||
    fail "halo-translate said $(cat err)"
expect 0 halo-translate --serialize --deserialize add.mlir
grep -q 'stablehlo.add' out || fail "the second translation did not follow the first"

# The default backend makes what is asked for; another one is told from those that do.
expect 0 halo-compile add.mlir -o add.plan
[ -s add.plan ] || fail "no plan"
refuses "halo-compile: error: backend 'interpreter' makes no plans; these do: cuda" \
    halo-compile add.mlir -o add.plan --backend=interpreter

# The file at hand is named before its producer's.
sed '2s/$/ loc("model.py":3:4)/; 2s/add/remainder/' add.mlir |
    sed 's/stablehlo.remainder %a, %a/stablehlo.custom_call @nobody(%a)/; 2s/: tensor<2xf32>/: (tensor<2xf32>) -> tensor<2xf32>/' >call.mlir
expect 0 halo-translate --serialize call.mlir -o call.mlirbc
refuses "call.mlirbc: error: no custom call @nobody is registered
model.py:3:4: note: the operation comes from here" halo-run call.mlirbc --input=1
sed 's/stablehlo.custom_call @nobody/call @main/' call.mlir >endless.mlir
expect 0 halo-translate --serialize endless.mlir -o endless.mlirbc
refuses "endless.mlirbc: error: 'func.func' op 'main' calls itself, which HLO cannot
endless.mlir:1:1: note: the operation comes from here" halo-translate --stablehlo-to-hlo-text endless.mlirbc

# Standard input is the default, and a value may come from it.
for tool in halo-opt "halo-translate --serialize" "halo-compile --emit=hlo" "halo-run --input=1"; do
    expect 0 $tool <add.mlir
    [ -s out ] || fail "$tool printed nothing"
done
expect 0 halo-run add.mlir --input=21 --output=@x.npy
expect 0 halo-run add.mlir --input=@- <x.npy
[ "$(cat out)" = "dense<8.400000e+01> : tensor<2xf32>" ] || fail "@- gave $(cat out)"
refuses "halo-run: error: standard input cannot be both the program and a value" halo-run --input=@-

# Help has Halo's passes first, and nothing that is not there.
expect 0 halo-opt --help
mv out help
[ "$(wc -l <help)" -lt 480 ] || fail "help has $(wc -l <help) lines"
grep -qF 'optimize-float=<bool>  (default true)  Compute floats at compile time, too' help ||
    fail "help does not say what the options of a pass are"
expect 0 halo-opt --help-hidden
for name in $(grep -o '^ *--[a-z0-9-]*' help); do
    case $name in --help | --help-hidden | --version | --load-plugin | --completions | --man-page | --check-passes | --bisect) continue ;; esac
    grep -q -- "$name\b" out || fail "halo-opt has no $name"
done
expect 0 halo-run --help
for word in "StableHLO" "HLO as text" "portable artifact" "default: cpu"; do
    tr -s '\n ' ' ' <out | grep -q "$word" || fail "halo-run's help has no '$word'"
done
for tool in halo-opt halo-translate halo-compile halo-run; do
    expect 0 $tool --version
    grep -q "^$tool [0-9]" out || fail "$tool has no version"
done

# Upstream's inliner takes for granted that it knows all symbol tables.
printf '"a.b"() ({ "a.c"() : () -> () }) : () -> ()\n' > unknown.mlir
expect 1 halo-opt unknown.mlir --allow-unregistered-dialect --canonicalize --inline
case $(head -n 1 err) in
    "unknown.mlir:1:1: error: 'a.b' op is not registered and may define a symbol table,"*) ;;
    *) fail "inline said $(cat err)" ;;
esac
