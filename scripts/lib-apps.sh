# The real applications in tests/apps: fetching, compiling, starting them.
# Sourced by other scripts, which have set `root` to the repository's folder and
# `jdk` to a JDK's home. A folder there holds the drivers of one or more
# applications; apps.tsv says which, and what they must compute.

apps_sources=$root/tests/apps
apps_cache=${SUBSUME_APPS:-$root/target/apps}

# Field `$2` (2 folder, 3 digest of small runs, 4 digest of normal runs) of app `$1`.
app_field() {
    awk -F '\t' -v app="$1" -v field="$2" '$1 == app { print $field }' "$apps_sources/apps.tsv"
}

# Names of all applications, in the order of the table.
app_names() {
    awk -F '\t' '!/^#/ && NF { print $1 }' "$apps_sources/apps.tsv"
}

# Fetches what the drivers in folder `$1` need, unless the very versions that
# its pom.xml names are there already. Says why it cannot.
fetch_app() {
    local folder=$1 pom=$apps_sources/$1/pom.xml lib=$apps_cache/$1/lib log stamp
    if [ ! -e "$pom" ]; then
        return 0 # needs nothing but the JDK
    fi
    stamp=$(cat "$pom" "$apps_sources/pom.xml" | cksum)
    if [ "$(cat "$lib/fetched" 2>/dev/null)" = "$stamp" ]; then
        return 0
    fi
    if ! command -v mvn >/dev/null; then
        echo "cannot fetch $folder: Maven is not installed (as in the package maven)" >&2
        return 1
    fi
    mkdir -p "$apps_cache/$folder"
    log=$apps_cache/$folder/maven.log
    echo "fetching $folder from the Maven repository" >&2
    rm -rf "$lib"
    if ! JAVA_HOME=$jdk mvn -B -q -Dstyle.color=never -f "$pom" -Dapps.cache="$apps_cache" \
        dependency:copy-dependencies >"$log" 2>&1; then
        echo "cannot fetch $folder: Maven failed, probably because its repository cannot be reached." >&2
        grep -m 1 '^\[ERROR\]' "$log" >&2 || true
        echo "All that it said is in $log" >&2
        return 1
    fi
    # Written last: a fetch that was interrupted is done again.
    echo "$stamp" >"$lib/fetched"
}

# Compiles the drivers in folder `$1`, unless they are older than their classes.
compile_app() {
    local classes=$apps_cache/$1/classes lib=$apps_cache/$1/lib
    if [ -e "$classes/compiled" ] && [ -z "$(find "$apps_sources/harness" "$apps_sources/$1" "$lib" \
        -newer "$classes/compiled" -print 2>/dev/null)" ]; then
        return 0
    fi
    rm -rf "$classes"
    mkdir -p "$classes"
    "$jdk/bin/javac" --release 17 -Xlint:all,-path,-options -d "$classes" -cp "$lib/*" \
        "$apps_sources"/harness/*.java "$apps_sources/$1"/*.java || return 1
    touch "$classes/compiled"
}

# Fetches and compiles application `$1`.
prepare_app() {
    local folder
    folder=$(app_field "$1" 2)
    if [ -z "$folder" ]; then
        echo "there is no application $1; there are: $(app_names | paste -sd ' ')" >&2
        return 1
    fi
    fetch_app "$folder" && compile_app "$folder"
}

# The class path that application `$1` runs with. Its inputs lie beside its drivers.
app_class_path() {
    local folder
    folder=$(app_field "$1" 2)
    echo "$apps_cache/$folder/classes:$apps_sources/$folder:$apps_cache/$folder/lib/*"
}
