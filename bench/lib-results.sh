# Where scripts keep what they found. Sourced by other scripts, which have set
# `root` to the repository's folder.

# Sets `results` to the folder of results and `stem` to the start of names in it:
# the time and `$1`. The file `$stem.txt` is made, empty, which reserves the name:
# of two scripts started in the same second the later one gets another stem.
reserve_results() { # [suffix]
    local started number=1
    results=${SUBSUME_RESULTS:-$root/bench-results}
    mkdir -p "$results"
    started=$(date +%Y%m%d-%H%M%S)
    stem=$results/$started${1:-}
    # With noclobber, a file that is there is not opened.
    until (set -o noclobber && : >"$stem.txt") 2>/dev/null; do
        number=$((number + 1))
        if [ $number -gt 100 ]; then
            echo "cannot write to $results" >&2
            return 1
        fi
        stem=$results/$started-$number${1:-}
    done
}
