#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `trace fetch` against a small server on this machine that answers as servers and their proxies do.
. "$(dirname "$0")/support.sh"
W=$WS_PROGRAM
unset http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY WORLDSIZE_BEARER_TOKEN

status 2 "an address is needed" "$W" trace fetch prometheus
says err "missing \`--url URL\`"
status 2 "from Prometheus alone" "$W" trace fetch graphite --url http://127.0.0.1:1
says err "fetches from \`prometheus\`, not from \`graphite\`"
ask()
{
    wanted=$1
    what=$2
    url=$3
    shift 3
    rm -f got.json
    status "$wanted" "$what" "$W" trace fetch prometheus --url "$url" --query up --start 5000 --end 5060 --step 15s \
        --out got.json "$@"
    [ "$wanted" -eq 0 ] || [ ! -e got.json ] || fault "a file in spite of the error"
    [ -z "$(find . -name '*.answer' -o -name '*.part')" ] || fault "an answer stayed behind"
}
ask 2 "a password in the address is refused, and not shown" http://ann:secret@127.0.0.1:1
says err "error[WS6408]: the address of \`--url\` has a user or a password in it"
lacks err secret
ask 2 "another scheme" file:///etc/passwd
says err "begins with neither http:// nor https://"
ask 2 "a query in the address" 'http://127.0.0.1:1/api/v1/query_range?query=up'
says err "has a query or a fragment"
ask 2 "no time" http://127.0.0.1:1 --start yesterday
says err "\`--start\` is a date, as 2026-01-05T00:00:00Z, Unix time in seconds, \`now\`, or \`now-6h\`, not \`yesterday\`"
ask 2 "a step without a unit" http://127.0.0.1:1 --step 15
says err "\`--step\` is a time, as 15s or 6h, not \`15\`"
ask 2 "the end before the start" http://127.0.0.1:1 --end 4000
says err "nothing would be fetched"
if "$W" trace fetch prometheus --url http://127.0.0.1:1 --query up --start 1 --end 2 --step 1s -o x 2>&1 |
    grep -q 'WS6400'; then
    echo "SKIPPED: built without libcurl"
    finish
fi
ask 3 "nobody listens" http://127.0.0.1:1
says err "error[WS6401]: cannot ask \`http://127.0.0.1:1\`: "
if ! command -v python3 >/dev/null 2>&1; then
    echo "SKIPPED: no python3 for a server"
    finish
fi

# start NAME ARG...: a server whose port is in NAME.port and whose life ends with this script's file descriptor 9.
start()
{
    name=$1
    shift
    python3 "$WS_SOURCE/tests/end_to_end/fetch_server.py" "$name.port" "$name.log" "$@" <life 9>&- >server.out 2>&1 &
    tries=0
    while [ ! -s "$name.port" ]; do
        tries=$((tries + 1))
        [ "$tries" -le 200 ] || { cat server.out; fault "the server does not start"; finish; }
        sleep 0.05
    done
}
mkfifo life
trap 'exec 9>&-; wait' EXIT
exec 9<>life
start plain
U=http://127.0.0.1:$(cat plain.port)

ask 0 "a series" "$U/ok"
is_empty err
says out "series         1"
says out "samples        5"
says out "fetched        in 1 answer from $U/ok"
status 0 "trace info reads what was written" "$W" trace info --json got.json
cp out info.json
status 0 "  labels with quotes, slashes and line ends, times and values stay" python3 - <<'PYTHON'
import json
got = json.load(open("got.json"))
assert got["status"] == "success" and got["data"]["resultType"] == "matrix"
first, = [s for s in got["data"]["result"] if s["metric"] == {"__name__": "up", "pod": "a\"\\\n"}]
assert first["values"] == [[5000, "0"], [5015, "15"], [5030, "30"], [5045, "45"], [5060, "60"]], first
info = json.load(open("info.json"))
assert info["samples"] == 5 and info["format"] == "prometheus-json" and info["holes"] == 0
PYTHON
ask 2 "a file that exists stays" "$U/ok" --out plain.log
says err "error[WS8104]: \`plain.log\` exists"

: >plain.log
status 0 "25,001 points come in three answers, none twice" "$W" trace fetch prometheus --url "$U/many/" --query up \
    --start 5000 --end 30000.0004 --step 1s --json -o many.json
cp out fetched.json
status 0 "  and all of them" python3 - <<'PYTHON'
import json
log = [line.split() for line in open("plain.log")]
assert [(method, int(points)) for method, _, points, _ in log] == [("GET", 10000), ("GET", 10000), ("GET", 5001)], log
series = json.load(open("many.json"))["data"]["result"]
assert [t for t, _ in series[0]["values"]] == list(range(5000, 30001))
assert all(float(v) == t % 100 for t, v in series[0]["values"])
assert [t for t, _ in series[1]["values"]] == list(range(6000, 30001))
assert all(v == ("NaN" if t % 7 == 0 else "1000000") for t, v in series[1]["values"])
fetched = json.load(open("fetched.json"))
assert fetched["schema"] == "worldsize.trace-fetch/v1"
assert fetched["answers"] == 3 and fetched["series"] == 2 and fetched["samples"] == 25001 + 24001
blank, = fetched["found"]  # multiples of 7 from 6000 to 30000
assert blank["name"] == "blank" and blank["samples"] == 30000 // 7 - 5999 // 7, blank
PYTHON
: >plain.log
query=$(printf 'up%2000d' 0 | tr ' ' '+')
ask 0 "a long query goes by POST" "$U/ok" --query "$query$query$query"
says plain.log "POST /ok/api/v1/query_range 5 -"
ask 0 "a packed answer" "$U/gzip"
says out "samples        5"
ask 0 "points before what was asked for do not come twice" "$U/overlap" --end 5075
says out "samples        7"
ask 0 "what the server warns of is passed on" "$U/warn"
says err "warning[WS6182]: Prometheus says: partial data: store 3 is away"

ask 3 "a page of a login" "$U/html"
says err "error[WS6403]: \`$U/html\` answers with a web page, not with JSON"
says err "often the page of a login"
ask 3 "words" "$U/words"
says err "answers with something else than JSON"
ask 3 "nothing" "$U/empty"
says err "error[WS6403]"
ask 3 "no token" "$U/401"
says err "error[WS6402]: \`$U/401\` answers with status 401: Unauthorized"
says err "--bearer-token-file FILE holds the token"
ask 3 "Prometheus says why it cannot answer" "$U/422"
says err "error[WS6180]: Prometheus could not answer the query: execution: query processing would load too many samples"
ask 3 "a proxy that cannot reach the server" "$U/502"
says err "error[WS6402]: \`$U/502\` answers with status 502"
ask 3 "a wrong path" "$U/404"
says err "answers with status 404: 404 page not found"
says err "--url is what stands before /api/v1"
ask 3 "a redirect is told, not followed" "$U/redirect"
says err "error[WS6404]: \`$U/redirect\` answers with status 302 and points to \`https://login.example.org/oauth\`"
ask 3 "an answer that breaks off" "$U/cut"
says err "error[WS6405]: the answer of \`$U/cut\` broke off: "
ask 3 "an answer whose JSON is cut" "$U/half"
says err "error[WS1602]"
says err "$U/half, answer 1:1:"
ask 3 "an answer that is too large" "$U/ok" --max-bytes 100B
says err "error[WS6406]: the answers of \`$U/ok\` hold more than 100 bytes"
ask 3 "an answer that does not come" "$U/slow" --timeout 1s
says err "error[WS6401]: cannot ask \`$U/slow\`: "

: >plain.log
printf 'T0k3n.of-file\n' >token
ask 0 "a token of a file" "$U/ok" --bearer-token-file token
says plain.log "Bearer T0k3n.of-file"
lacks got.json T0k3n
WORLDSIZE_BEARER_TOKEN=T0k3n.of-variable ask 0 "a token of the environment" "$U/ok"
says plain.log "Bearer T0k3n.of-variable"
unset WORLDSIZE_BEARER_TOKEN
printf 'two words\r\nX-Evil: 1\n' >bad
ask 2 "a file that is no token" "$U/ok" --bearer-token-file bad
says err "error[WS6409]: \`bad\` holds no token"
lacks err Evil
ask 2 "a token is never an argument" "$U/ok" --bearer-token abc
says err "unknown flag"

echo "an interrupt ends it, and leaves nothing"
"$W" trace fetch prometheus --url "$U/slow" --query up --start 5000 --end 5060 --step 15s -o slow.json 2>err &
fetcher=$!
tries=0
until grep -q /slow/ plain.log || [ "$tries" -ge 100 ]; do
    tries=$((tries + 1))
    sleep 0.05
done
kill -TERM "$fetcher"
got=0
wait "$fetcher" || got=$?
[ "$got" -eq 143 ] || fault "status $got, not 143"
[ -z "$(find . -name 'slow.json*')" ] || fault "a file stayed behind"

if command -v openssl >/dev/null 2>&1 && openssl req -x509 -newkey rsa:2048 -nodes -days 2 -keyout key.pem -out cert.pem \
    -subj /CN=localhost -addext subjectAltName=DNS:localhost >server.out 2>&1; then
    start secure cert.pem key.pem
    S=https://localhost:$(cat secure.port)
    ask 3 "a certificate that nobody vouches for" "$S/ok"
    says err "error[WS6401]: cannot ask \`$S/ok\`: "
    says err "certificate"
    ask 0 "one that is trusted" "$S/ok" --ca-file cert.pem
    ask 3 "one of another name" "https://127.0.0.1:$(cat secure.port)/ok" --ca-file cert.pem
    says err "error[WS6401]"
else
    echo "SKIPPED: no openssl to make a certificate with"
fi
finish
