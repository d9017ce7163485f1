# Prints what stands at the head of the script that sources this, if that is asked for.
case ${1:-} in
-h | --help)
    sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "$0"
    exit
    ;;
esac
