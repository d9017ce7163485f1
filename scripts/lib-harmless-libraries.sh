# Small programs on libraries that look closely at the JVM, run plain twice and in
# every mode. Sourced by scripts/harmless, whose functions `run`, `tell` and names
# it uses.

libraries=$root/tests/side-effects/suites/libraries
# All modes that there are; crates/instrument/src/options.rs tells of them.
all_modes="calls copies costs nulls loops growth results typestate calls+costs calls+nulls"
# JVM options of all runs. They silence what the JVM itself says of archives, which it
# does not use beside an agent: the program does not print it.
library_options="-XX:-UsePerfData -Xlog:disable -Xlog:all=error:stderr"

library_names() {
    awk -F '\t' '!/^#/ { print $1 }' "$libraries/libraries.tsv"
}

# Field `$2` of program `$1`; `-` stands for none.
library_field() {
    awk -F '\t' -v name="$1" -v field="$2" '$1 == name { print $field == "-" ? "" : $field }' "$libraries/libraries.tsv"
}

# Fetches what program `$1` needs.
fetch_library() {
    # The functions that fetch applications look for folders beside each other.
    local apps_sources=$libraries apps_cache=$library_cache
    fetch_app "$1"
}

# Compiles program `$1` into its folder of classes, by a JDK that can.
compile_library() {
    local name=$1 options classes=$library_cache/$1/classes home
    options=$(library_field "$name" 4)
    rm -rf "$classes"
    mkdir -p "$classes"
    case $options in
        kotlin)
            "$compiler/bin/java" -cp "$library_cache/$name/lib/*" org.jetbrains.kotlin.cli.jvm.K2JVMCompiler -nowarn \
                -no-stdlib -no-reflect -jvm-target 17 -cp "$(echo "$library_cache/$name/lib"/*.jar | tr ' ' :)" \
                -d "$classes" "$libraries/$name"/*.kt
            ;;
        scala)
            "$compiler/bin/java" -cp "$library_cache/$name/lib/*" dotty.tools.dotc.Main \
                -classpath "$(echo "$library_cache/$name/lib"/*.jar | tr ' ' :)" -d "$classes" "$libraries/$name"/*.scala
            ;;
        clojure) cp "$libraries/$name"/*.clj "$classes" ;;
        *)
            home=$compiler
            if [ "$(jdk_release "$home")" -lt "$(library_field "$name" 3 | cut -d - -f 1)" ]; then
                home=$(newest_compiler)
            fi
            # shellcheck disable=SC2086 # several options
            "$home/bin/javac" $options -proc:none -nowarn -Xlint:none -d "$classes" -cp "$library_cache/$name/lib/*" \
                "$libraries/$name"/*.java
            ;;
    esac
}

# The newest of the JDKs that has a compiler.
newest_compiler() {
    local home newest=$compiler
    for home in "${jdks[@]}"; do
        if [ -x "$home/bin/javac" ] && [ "$(jdk_release "$home")" -gt "$(jdk_release "$newest")" ]; then
            newest=$home
        fi
    done
    echo "$newest"
}

# Whether JDK `$2` can run program `$1`: it is neither too old nor too new, and has the
# modules.
runs_on() {
    local options releases
    releases=$(library_field "$1" 3)
    [ "$(jdk_release "$2")" -ge "${releases%-*}" ] || return 1
    case $releases in
        *-*) [ "$(jdk_release "$2")" -le "${releases#*-}" ] || return 1 ;;
    esac
    options=$(library_field "$1" 5)
    case $options in
        *"--add-modules "*)
            options=${options#*--add-modules }
            # No -q: it would end before java has written everything.
            "$2/bin/java" --list-modules | grep -F "${options%% *}@" >/dev/null || return 1
            ;;
    esac
}

# Runs program `$2` on a JDK under the name `$1`, with more JVM options.
run_library() { # run program jdk options...
    local as=$1 name=$2 home=$3 main options
    shift 3
    main=$(library_field "$name" 2)
    options=$(library_field "$name" 5)
    options=${options//LIB/$library_cache/$name/lib}
    options=${options//CWD/$work/cwd}
    case $main in
        *.clj) main="clojure.main $library_cache/$name/classes/$main" ;;
    esac
    # shellcheck disable=SC2086 # several options each
    run "$as" "$home" "$@" $library_options $options -cp "$library_cache/$name/classes:$library_cache/$name/lib/*" $main
    # JDK 17 says on standard error that the module is one of the incubator's.
    sed -i '/^WARNING: Using incubator modules/d' "$work/$as.err"
}

# Whether two runs printed the same and ended with the same code.
same_runs() {
    local kind
    for kind in status out err; do
        diff "$work/$1.$kind" "$work/$2.$kind" >"$work/library.diff" || return 1
    done
}

# Runs one program on one JDK in all modes that were asked for, and adds to
# `library_runs`, `library_differences` and `library_crashes`.
compare_library() { # program jdk
    local name=$1 home=$2 mode found=() same=0
    run_library plain "$name" "$home"
    run_library again "$name" "$home"
    if [ "$(cat "$work/plain.status")" != 0 ]; then
        fail "$name" "$home" "fails without the agent" "$work/plain.err"
        return
    fi
    if ! same_runs plain again; then
        fail "$name" "$home" "unsteady without the agent" "$work/library.diff"
        return
    fi
    for mode in $modes; do
        rm -f "$profile"
        run_library recorded "$name" "$home" "-agentpath:$agent=mode=$mode,control=off,out=$profile"
        library_runs=$((library_runs + 1))
        if same_runs plain recorded; then
            if [ -s "$profile" ]; then
                same=$((same + 1))
                continue
            fi
            echo "no profile was written" >"$work/library.diff"
        fi
        mkdir -p "$stem-differences"
        cp "$work/library.diff" "$stem-differences/$name-$(jdk_release "$home")-$mode.diff"
        # A signal, which the JVM makes an abort of, or one that it did not see.
        if [ "$(cat "$work/recorded.status")" = 137 ]; then
            library_crashes=$((library_crashes + 1))
            found+=("$mode hangs")
        elif [ "$(cat "$work/recorded.status")" -ge 128 ]; then
            library_crashes=$((library_crashes + 1))
            found+=("$mode crashes")
            cp "$work/cwd"/hs_err* "$stem-differences/" 2>/dev/null || true
        else
            library_differences=$((library_differences + 1))
            found+=("$mode differs")
        fi
    done
    if [ ${#found[@]} = 0 ]; then
        tell "$name" "$home" "$(tail -n 1 "$work/plain.out" | cut -c 1-58)" "same in $same modes"
    else
        failed=yes
        tell "$name" "$home" "$(IFS=, && echo "${found[*]}")" "DIFFERENT"
    fi
}

run_libraries() {
    local name home able names=${programs:-$(library_names)}
    # Also a busy machine runs each of them in a tenth of this.
    local limit=(timeout -s KILL 1200)
    # Also where the parts' own folders are kept; see fetch_app.
    library_cache=$apps_cache/libraries
    library_runs=0 library_differences=0 library_crashes=0
    for name in $names; do
        able=()
        for home in "${jdks[@]}"; do
            if runs_on "$name" "$home"; then
                able+=("$home")
            fi
        done
        [ ${#able[@]} -gt 0 ] || continue
        if ! fetch_library "$name" || ! compile_library "$name" >"$work/compiled" 2>&1; then
            fail "$name" "$compiler" "cannot be fetched or compiled" "$work/compiled"
            continue
        fi
        for home in "${able[@]}"; do
            compare_library "$name" "$home"
        done
    done
    echo "libraries: $library_runs runs, $library_differences differences, $library_crashes crashes" | tee -a "$stem.txt"
}
