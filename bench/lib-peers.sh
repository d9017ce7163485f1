# Other profilers that see each call, for bench/programs --peers. Sourced by it; lib-apps.sh
# comes first, `jdk`, `work`, `subsume` and `peer_options` are set when functions are called.

# JEP 520 is in JDK 25.
peers_release=25
# What async-profiler takes for a slow call.
slow_call=1ms

peer_names() {
    printf '%s\n' jep520 async-latency async-calls jacoco jp2
}

# What somebody learns from a variant, for the table.
peer_tells() { # variant
    case $1 in
        plain) echo "nothing" ;;
        recorded) echo "calls, bytecodes, allocations of each method in each calling context" ;;
        jep520) echo "calls, shortest, mean and longest time of each method; no contexts" ;;
        async-latency) echo "calls that take longer than $slow_call, each with its time and stack" ;;
        async-calls) echo "calls of each stack, until its storage for stacks is full" ;;
        jacoco) echo "which code was executed at all, in the application; the floor" ;;
        jp2) echo "calls and bytecodes of each calling context, by call site and thread" ;;
    esac
}

# What a variant is called in the table.
peer_title() { # variant
    case $1 in
        plain) echo "plain" ;;
        recorded) echo "subsume ${peer_options:-mode=calls}" ;;
        jep520) echo "JEP 520, jdk.MethodTiming" ;;
        async-latency) echo "async-profiler $(peer_version async-profiler), trace=*.*:$slow_call" ;;
        async-calls) echo "async-profiler $(peer_version async-profiler), event=*.*" ;;
        jacoco) echo "JaCoCo $(peer_version org.jacoco.agent)" ;;
        jp2) echo "JP2, taken literally" ;;
    esac
}

# Version of an artifact that was fetched.
peer_version() { # artifact
    basename "$apps_cache/peers/lib/$1-"[0-9]*.jar | sed "s/^$1-\([0-9.]*[0-9]\).*/\1/"
}

# A JDK that has them all: of those that are named in SUBSUME_JDKS or lie where JDKs
# usually lie the oldest one that is new enough; else the one that find_jdk finds.
find_jdk_for_peers() {
    local home release found=
    while read -r home; do
        release=$(jdk_release "$home")
        if [ -x "$home/bin/javac" ] && [ "${release:-0}" -ge $peers_release ] &&
            { [ -z "$found" ] || [ "$release" -lt "$(jdk_release "$found")" ]; }; then
            found=$home
        fi
    done < <(tr : '\n' <<<"${SUBSUME_JDKS:-}" && ls -d /usr/lib/jvm/* 2>/dev/null)
    find_jdk "$found"
}

# Fetches the profilers, and compiles the one that is ours.
prepare_peers() {
    local sources=$apps_sources/peers built=$apps_cache/peers/jp2 lib=$apps_cache/peers/lib
    fetch_app peers || return 1
    if [ ! -e "$lib/../native/libasyncProfiler.so" ] ||
        [ "$lib/fetched" -nt "$lib/../native/libasyncProfiler.so" ]; then
        rm -rf "$lib/../native" && mkdir -p "$lib/../native"
        (cd "$lib/../native" && "$jdk/bin/jar" xf "$lib"/async-profiler-*.jar linux-x64/libasyncProfiler.so &&
            mv linux-x64/libasyncProfiler.so . && touch libasyncProfiler.so) || return 1
    fi
    if [ -e "$built/agent.jar" ] && [ -z "$(find "$sources" "$lib" -newer "$built/agent.jar" -print)" ]; then
        return 0
    fi
    rm -rf "$built" && mkdir -p "$built/boot" "$built/agent"
    "$jdk/bin/javac" --release 17 -Xlint:all,-path,-options -d "$built/boot" \
        "$sources/jp2/Node.java" "$sources/jp2/Context.java" || return 1
    "$jdk/bin/javac" --release 17 -Xlint:all,-path,-options -d "$built/agent" -cp "$built/boot:$lib/*" \
        "$sources/jp2/Rewriter.java" "$sources/jp2/Agent.java" || return 1
    printf '%s\n' "Premain-Class: jp2.Agent" "Can-Retransform-Classes: true" \
        "Class-Path: $(cd "$lib" && ls asm*.jar | sed 's|^|../lib/|' | paste -sd ' ')" >"$built/manifest"
    "$jdk/bin/jar" cfm "$built/agent.jar" "$built/manifest" -C "$built/agent" .
}

# The settings of a flight recording that times the methods of classes. A filter names
# classes, or methods, without wildcards. With all of java.lang the JVM does not start, and
# what JFR itself uses it leaves out.
write_timing_settings() { # file-with-classes file
    {
        printf '%s' '<?xml version="1.0" encoding="UTF-8"?><configuration version="2.0">' \
            '<event name="jdk.MethodTiming"><setting name="enabled">true</setting>' \
            '<setting name="period">endChunk</setting><setting name="filter">'
        grep -v -e '^java\.lang\.' -e '\$\$' -e '[/<]' -e '^$' "$1" | paste -sd ';' | tr -d '\n'
        printf '%s\n' '</setting></event></configuration>'
    } >"$2"
}

# Keeps the names of the classes that a recording executed, for the filter of JEP 520.
note_classes() { # profile
    "$subsume" methods --all --json "$1" | grep -o '"class": *"[^"]*"' | cut -d '"' -f 4 | sort -u >"$work/classes"
}

# Sets `flags` to what the JVM gets, or says why there is nothing to start.
peer_flags() { # variant
    local peers=$apps_cache/peers
    case $1 in
        jep520)
            if [ "$(jdk_release "$jdk")" -lt $peers_release ]; then
                echo "needs JDK $peers_release" && return 1
            fi
            if [ ! -s "$work/classes" ]; then
                echo "no classes known, since nothing was recorded" && return 1
            fi
            write_timing_settings "$work/classes" "$work/timing.jfc"
            flags=("-XX:StartFlightRecording:settings=$work/timing.jfc,filename=$work/peer.jfr")
            ;;
        async-latency)
            flags=("-agentpath:$peers/native/libasyncProfiler.so=start,trace=*.*:$slow_call,file=$work/peer.jfr")
            ;;
        async-calls)
            flags=("-agentpath:$peers/native/libasyncProfiler.so=start,event=*.*,collapsed,file=$work/peer.txt")
            ;;
        jacoco)
            flags=("-javaagent:$(ls "$peers"/lib/org.jacoco.agent-*-runtime.jar)=destfile=$work/peer.exec")
            ;;
        jp2)
            flags=("-Xbootclasspath/a:$peers/jp2/boot" "-javaagent:$peers/jp2/agent.jar=$work/peer.txt")
            ;;
    esac
}

# What a run left behind, in a few words; removes it.
peer_outcome() { # variant
    local file=$work/peer.txt
    case $1 in
        jep520)
            printf '%s methods of %s classes timed\n' \
                "$("$jdk/bin/jfr" print --events jdk.MethodTiming "$work/peer.jfr" 2>/dev/null | grep -c '^jdk.MethodTiming')" \
                "$(tr ';' '\n' <"$work/timing.jfc" | grep -c .)"
            ;;
        async-latency)
            printf '%s slow calls\n' "$("$jdk/bin/jfr" summary "$work/peer.jfr" 2>/dev/null |
                awk '$1 == "jdk.MethodTrace" { print $2 }')"
            ;;
        async-calls)
            if [ -s "$file" ]; then
                awk '{ calls += $NF } END { printf "%d calls in %d stacks\n", calls, NR }' "$file"
            fi
            ;;
        jacoco)
            if [ -s "$work/peer.exec" ]; then
                printf '%s bytes of coverage\n' "$(stat -c %s "$work/peer.exec")"
            fi
            ;;
        jp2)
            if [ -s "$file" ]; then
                awk '{ of[$1] = $2 } END {
                    printf "%d methods, %d contexts, %.0f calls, %.0f bytecodes\n", of["methods"], of["contexts"], of["calls"], of["bytecodes"] }' "$file"
            fi
            ;;
    esac
    rm -f "$work"/peer.*
}
