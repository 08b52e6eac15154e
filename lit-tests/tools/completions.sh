# RUN: bash %s
# Completions of shells, and man pages.

script=$(realpath "$0")
. "$(dirname "$script")/Inputs/common.sh"

for tool in halo-opt halo-translate halo-run halo-compile halo-lsp-server halo-reduce halo-fuzz halo-new; do
    for shell in bash zsh fish elvish powershell; do
        $tool --completions=$shell >"$tool.$shell"
        grep -q -- "load-plugin\|seconds\|git" "$tool.$shell" || fail "$tool has no options for $shell"
    done
    bash -n "$tool.bash"
    $tool --man-page >"$tool.1"
    grep -q "^.TH $tool 1" "$tool.1" || fail "$tool has no man page"
done

# What bash proposes behind the beginning of an option.
proposals() {
    (
        . "./$1.bash"
        COMP_WORDS=("$1" "$2") COMP_CWORD=1
        "_$1" "$1" "$2" "$1" 2>/dev/null
        printf '%s\n' "${COMPREPLY[@]}"
    )
}
proposals halo-opt --stablehlo-refine-s | grep -qx -- --stablehlo-refine-shapes
proposals halo-run --rand | grep -qx -- --random-inputs

refuses "halo-opt: error: no completions for shell 'tcsh'; there are: bash, elvish, fish, powershell, zsh" \
    halo-opt --completions=tcsh
refuses "halo-run: error: invalid value 'tcsh' for '--completions <SHELL>'; did you mean 'zsh'? (see --help)" \
    halo-run --completions=tcsh
