# Prints what stands at the head of the script that sources this, at once if that is asked for.
print_help() {
    sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "$0"
}

case ${1:-} in
-h | --help)
    print_help
    exit
    ;;
esac
