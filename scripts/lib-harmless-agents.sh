# Other people's agents in the same JVM, before and behind ours, in every mode.
# Sourced by scripts/harmless, whose functions and variables it uses.

# Names of the other agents, each with the main class of its program.
other_agents='aspectj Weaves
blockhound-1.0.9 Blocks
blockhound-1.0.13 Blocks
jacoco UsesMuch
byte-buddy Advises
mockito Mocks
opentelemetry UsesMuch
async-profiler UsesMuch'

# The library of async-profiler for this machine, which its jar holds; empty if there is none.
async_profiler() {
    local folder
    case $(uname -m) in
        x86_64) folder=linux-x64 ;;
        aarch64) folder=linux-arm64 ;;
        *) return ;;
    esac
    (cd "$apps_cache/agents" && "$compiler/bin/jar" xf lib/async-profiler-*.jar $folder/libasyncProfiler.so) || return
    echo "$apps_cache/agents/$folder/libasyncProfiler.so"
}

# Sets `other` to the options that load another agent, and `settings` to those that go with it.
options_of() { # agent
    local lib=$apps_cache/agents/lib library
    # With another agent or ours the JVM may say that it shares fewer classes.
    settings=(-XX:+EnableDynamicAgentLoading -XX:-PrintWarnings)
    case $1 in
        aspectj) other=("-javaagent:$(ls "$lib"/aspectjweaver-*.jar)") ;;
        blockhound-*)
            # It is installed by the program; its jar is its agent, too.
            other=()
            settings+=(-XX:+AllowRedefinitionToAddDeleteMethods -Dsun.reflect.noInflation=true)
            ;;
        jacoco) other=("-javaagent:$(ls "$lib"/org.jacoco.agent-*-runtime.jar)=destfile=$work/jacoco.exec") ;;
        byte-buddy) other=("-javaagent:$(ls "$lib"/byte-buddy-agent-*.jar)") ;;
        mockito) other=("-javaagent:$(ls "$lib"/mockito-core-*.jar)") ;;
        opentelemetry)
            other=("-javaagent:$(ls "$lib"/opentelemetry-javaagent-*.jar)")
            settings+=(-Dotel.traces.exporter=none -Dotel.metrics.exporter=none -Dotel.logs.exporter=none
                -Dotel.javaagent.logging=none)
            ;;
        async-profiler)
            library=$(async_profiler)
            [ -n "$library" ] || return 1
            other=("-agentpath:$library=start,event=itimer,log=none,file=$work/async.jfr")
            ;;
    esac
}

run_agents() { # jdk
    local home=$1 name main class_path order mode kind different
    local other settings ours
    mkdir -p "$apps_cache/agents/classes/META-INF"
    cp "$apps_sources/agents/aop.xml" "$apps_cache/agents/classes/META-INF/"
    while read -r name main; do
        case " ${agents:-$name} " in
            *" $name "*) ;;
            *) continue ;;
        esac
        class_path=$apps_cache/agents/classes
        # Not the jars of agents that are not meant: some are found on the class path.
        case $name in
            blockhound-1.0.9) class_path+=:$apps_cache/blockhound-1.0.9/lib/* ;;
            blockhound-*) class_path+=:$(ls "$apps_cache"/agents/lib/blockhound-*.jar) ;;
            aspectj) class_path+=:$(ls "$apps_cache"/agents/lib/aspectjweaver-*.jar) ;;
            byte-buddy | mockito)
                class_path+=$(printf ':%s' "$apps_cache"/agents/lib/{byte-buddy,mockito,objenesis}*.jar)
                ;;
        esac
        if ! options_of "$name"; then
            tell agents "$home" "$name" "skipped: it has no library for $(uname -m)"
            continue
        fi
        run plain "$home" "${settings[@]}" "${other[@]}" -cp "$class_path" "$main"
        if [ "$(cat "$work/plain.status")" != 0 ]; then
            tell agents "$home" "$name" "skipped: fails without the agent"
            continue
        fi
        different=
        for mode in $modes; do
            for order in before behind; do
                # What the program installs has no place on the command line.
                [ ${#other[@]} -gt 0 ] || [ $order = behind ] || continue
                ours="-agentpath:$agent=mode=$mode,out=$profile"
                case $order in
                    before) run recorded "$home" "${settings[@]}" "${other[@]}" "$ours" -cp "$class_path" "$main" ;;
                    behind) run recorded "$home" "${settings[@]}" "$ours" "${other[@]}" -cp "$class_path" "$main" ;;
                esac
                for kind in status out err; do
                    if ! diff "$work/plain.$kind" "$work/recorded.$kind" >"$work/$name-$mode-$order-$kind.diff"; then
                        different=yes
                        fail agents "$home" "$name $order the agent, mode=$mode: $kind" "$work/$name-$mode-$order-$kind.diff"
                        break
                    fi
                done
            done
        done
        [ -n "$different" ] || tell agents "$home" "$name: $(tail -n 1 "$work/plain.out" | cut -c 1-30), $(wc -w <<<"$modes") modes" same
    done <<<"$other_agents"
}
