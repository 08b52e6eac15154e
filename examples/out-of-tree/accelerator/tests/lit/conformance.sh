# The programs of StableHLO's test data in ../conformance.txt run with the results that they
# expect, where the data is: in the folder that HALO_CONFORMANCE names, by default the one
# beside the repository.
#
# RUN: sh %s

set -e
crate=$(dirname "$(dirname "$(dirname "$(realpath "$0")")")")
folder=${HALO_CONFORMANCE:-$crate/../../../../shared/conformance}/testdata
[ -d "$folder" ] || exit 0
while read -r name; do
    tile-run "$folder/$name.mlir" --backend=tiles --no-constant-folding >/dev/null 2>out || {
        echo "$name:" && cat out
        exit 1
    }
done <"$crate/tests/conformance.txt"
