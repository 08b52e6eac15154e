# RUN: bash %s
# A fatal signal ends a tool at once: no handler waits for anything.

script=$(realpath "$0")
. "$(dirname "$script")/Inputs/common.sh"

mkfifo input
exec 4<>input
while read -r -u 3 -a command; do
    for signal in SEGV ABRT BUS ILL; do
        "${command[@]}" <input 2>err &
        child=$!
        { sleep 20 && kill -9 $child; } 2>err &
        watchdog=$!
        sleep 0.3
        kill -$signal $child
        # Rust's runtime looks at the first one: a fault would come again.
        sleep 0.1
        kill -$signal $child 2>err
        status=0
        wait $child 2>err || status=$?
        kill $watchdog
        [ $status = $((128 + $(kill -l $signal))) ] ||
            fail "${command[*]} ended with $status on SIG$signal"
    done
done 3<<'END'
halo-opt
halo-translate --serialize
halo-compile --emit=hlo
halo-run
END
