#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `trace import`, `convert`, `slice` and `merge`, and the flags with which all of `trace` reads.
. "$(dirname "$0")/support.sh"
W=$WS_PROGRAM

# Four rows, the third of which cannot be used. b waits 10 s, c 50 s.
cat >four.csv <<'CSV'
id,arrival_s,gpus,duration_s,outcome,user,queue,start_s,zone
a,0,1,100,completed,ann,q1,0,UTC
b,50,2,100,completed,bob,q1,60,UTC
x,50,two,100,completed,bob,q1,60,UTC
c,50,4,60,failed,ann,q2,100,UTC
CSV

status 0 "import" "$W" trace import four.csv -o jobs.csv
says err "WS6115"
says out "jobs           3 of 4 rows"
says out "  rejected     1 has no usable number of GPUs (line 4)"
says out "clock          UTC; time 0 is 1970-01-01T00:00:00Z"
says out "rejects        jobs.csv.rejects"
says out "read from      four.csv, worldsize"
says out "$(sha256sum <four.csv | cut -d' ' -f1)"
says out "$(sha256sum <jobs.csv | cut -d' ' -f1)"
[ "$(wc -L <out)" -le 80 ] || fault "wider than 80 columns"
cat >wanted.csv <<'CSV'
id,arrival_s,gpus,nodes,duration_s,outcome,user,queue,start_s,gpu_type,kind,gpus_frac,attempts,origin_s,zone
a,0,1,,100,completed,ann,q1,0,,,,,0,UTC
b,50,2,,100,completed,bob,q1,60,,,,,0,UTC
c,50,4,,60,failed,ann,q2,100,,,,,0,UTC
CSV
same jobs.csv wanted.csv
says jobs.csv.rejects 'four.csv,4,WS6115,bad_gpus,`two` is no number of GPUs,"x,50,two,100'

status 2 "nothing is replaced" "$W" trace import four.csv -o jobs.csv
says err "WS8104"
says err "--force replaces it"
is_empty out
status 0 "  unless it is said" "$W" trace import four.csv -o jobs.csv --force
same jobs.csv wanted.csv
status 0 "no rejected rows: an old list goes" "$W" trace import wanted.csv -o jobs.csv --force
same jobs.csv wanted.csv
[ ! -e jobs.csv.rejects ] || fault "jobs.csv.rejects is still there"
status 2 "a folder is never replaced" "$W" trace import wanted.csv -o . --force
says err "WS8104"
status 2 "--strict" "$W" trace import four.csv -o strict.csv --strict
[ ! -e strict.csv ] && [ ! -e strict.csv.rejects ] || fault "files of a failed import"
status 3 "a folder that does not exist" "$W" trace import wanted.csv -o none/jobs.csv
says err "WS8001"
status 2 "--out is needed" "$W" trace import wanted.csv
says err 'missing `--out FILE`'
if [ -w /dev/full ]; then
    status 3 "standard output is full" sh -c '"$0" trace import wanted.csv -o full.csv >/dev/full' "$W"
fi
[ -z "$(find . -name '*.part')" ] || fault "files that were written aside"

status 0 "the list of rejected rows by name" "$W" trace info four.csv --rejects list.csv
says list.csv "four.csv,4,WS6115"
status 2 "  is not replaced either" "$W" trace info four.csv --rejects list.csv
says err "WS8104"

status 0 "import --json" "$W" trace import four.csv -o json.csv --json
is_empty err
says out '"schema": "worldsize.trace-file/v1"'
says out '"rejects": "json.csv.rejects"'
if command -v python3 >/dev/null 2>&1; then
    cp out made.json
    status 0 "  its numbers" python3 - <<'PYTHON'
import hashlib, json, os
made = json.load(open("made.json"))
assert made["file"] == "json.csv" and made["format"] == "worldsize" and made["bytes"] == os.path.getsize("json.csv")
assert made["sha256"] == hashlib.sha256(open("json.csv", "rb").read()).hexdigest()
source, = made["sources"]
assert source["sha256"] == hashlib.sha256(open("four.csv", "rb").read()).hexdigest()
assert source["bytes"] == os.path.getsize("four.csv") and source["format"] == "worldsize"
assert made["rows_read"] == 4 and made["jobs"] == 3 and made["renamed"] == 0 and made["not_held"] is None
assert [(found["name"], found["rows"], found["first_line"]) for found in made["found"]] == [("bad_gpus", 1, 4)]
assert (made["clock"], made["zone"], made["origin"]) == ("utc", "UTC", "1970-01-01T00:00:00Z")
PYTHON
fi

status 0 "convert to SWF" "$W" trace convert jobs.csv --to swf -o jobs.swf
says out "not held"
says jobs.swf "2 50 10 100 2 -1 -1 2 -1 -1 1 2 -1 -1 1 -1 -1 -1"
says jobs.swf "; Note: user 2 bob"
status 0 "  and back" "$W" trace import jobs.swf -o back.csv
says back.csv "2,50,2,,100,completed,2,1,60,"
status 0 "  with two processors a GPU" "$W" trace import jobs.swf --cores-per-gpu 2 --ceil-gpus -o half.csv
says half.csv "3,50,2,,60,failed,1,2,100,"
status 2 "  not with none" "$W" trace import jobs.swf --cores-per-gpu 0 -o none.csv
says err '`--cores-per-gpu` is a number of processors, 1 or more, not `0`'
status 0 "convert to Batsim" "$W" trace convert jobs.csv --to batsim -o jobs.json
says jobs.json '{"id":"b","subtime":50,"res":2,"profile":"delay_100"}'
says jobs.json '"delay_60": {"type":"delay","delay":60}'
status 2 "to what" "$W" trace convert jobs.csv -o x
says err 'missing `--to FORM`'
status 2 "to none" "$W" trace convert jobs.csv --to sfw -o x
says err 'did you mean `swf`?'

# At 100 s a has ended, b has 60 s left of its run, and c begins.
status 0 "slice" "$W" trace slice jobs.csv --from 40s --to 1970-01-01T00:01:00Z -o slice.csv
says slice.csv "b,10,2,,100,completed,bob,q1,20,,,,,40,UTC"
says out "  left out     1 arrived before the window, had not ended when it began"
lacks slice.csv "a,"
status 0 "  with remainders" "$W" trace slice jobs.csv --from 100s --keep-remainders -o rest.csv
says rest.csv "b,0,2,,60,completed,bob,q1,,,,,,100,UTC"
says rest.csv "c,0,4,,60,failed,ann,q2,,,,,,100,UTC"
says out "  kept         2 arrived before the window and are kept with the remaining work"
status 2 "  of nothing" "$W" trace slice jobs.csv --from 2d --to 1d -o x
says err "WS4201"
status 2 "  at no time" "$W" trace slice jobs.csv --from soon -o x
says err "WS3106"
sed 's/,UTC$/,/' wanted.csv >own.csv
status 2 "  at a date, of a clock without one" "$W" trace slice own.csv --from 2026-01-01 -o x
says err "WS4201"
[ ! -e x ] || fault "x exists"

status 0 "merge" "$W" trace merge jobs.csv slice.csv -o merged.csv
says out "ids            2 jobs got \`#2\`, \`#3\`, ... behind theirs"
says merged.csv "b,50,2,,100,completed,bob,q1,60,,,,,0,UTC"
says merged.csv "b#2,50,2,,100,completed,bob,q1,60,,,,,0,UTC"
[ "$(wc -l <merged.csv)" -eq 6 ] || fault "merged.csv has not five jobs"
status 2 "  of clocks that differ" "$W" trace merge jobs.csv own.csv -o x
says err "WS6148"
status 2 "  of one" "$W" trace merge jobs.csv -o x
says err "missing FILE FILE..."

# 30 steps at 3 and at 0.5 steps a second: 10 s and 60 s.
printf 'ResNet-18 (batch size 32)\tcmd\t.\t-n\t1\t30\t1\t1\t-1.0\t0\n' >gavel.trace
cat >speeds.json <<'JSON'
{"v100": {"('ResNet-18 (batch size 32)', 1)": {"null": 3}}, "k80": {"('ResNet-18 (batch size 32)', 1)": {"null": 0.5}}}
JSON
status 2 "a format that needs a further file" "$W" trace info --format gavel gavel.trace
says err "WS6145"
for type in v100:10 k80:60; do
    rm -f g.csv
    status 0 "  with it, ${type%:*}" "$W" trace import --format gavel gavel.trace \
        --with throughputs=speeds.json --gpu-type "${type%:*}" -o g.csv
    says g.csv ",1,,${type#*:},"
done
status 2 "  which is none" "$W" trace info gavel.trace --with speeds.json
says err '`--with` is NAME=FILE, where NAME is tasks, instances or throughputs, not `speeds.json`'
status 0 "help" "$W" help trace convert
says out "  batsim "
finish
