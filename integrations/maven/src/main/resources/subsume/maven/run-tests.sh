#!/bin/sh
# The program that `subsume diagnose` runs: has Maven run the tests of the module, and waits.
# subsume:diagnose has put it here and answers as long as the file `maven` is there.
cd "$(dirname "$0")" || exit 1
maven=$(cat maven 2>/dev/null)
if [ -z "$maven" ] || ! kill -0 "$maven" 2>/dev/null; then
    echo "Maven runs these tests: use 'mvn subsume:diagnose -Dsubsume.continue' in place of --continue"
    exit 1
fi
rm -f reply output
printf '%s' "$JAVA_TOOL_OPTIONS" >request.new && mv request.new request || exit 1
while [ ! -e reply ]; do
    { [ -e maven ] && kill -0 "$maven" 2>/dev/null; } || exit 1
    sleep 0.1
done
code=$(cat reply)
cat output
rm -f reply output
exit "$code"
