#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `explain step`: where a step goes, against arithmetic by hand; sizes that are not possible; files.
. "$(dirname "$0")/support.sh"
W=$WS_PROGRAM
cp "$WS_SOURCE/tests/end_to_end/steps.yaml" .
COLUMNS=200
export COLUMNS

# value GPUS KEY: of a size in the document in ./out.
value()
{
    awk -v gpus="\"gpus\": $1," -v key="\"$2\":" \
        'index($0, gpus) { on = 1 } on && $1 == key { sub(/,$/, "", $2); print $2; exit }' out
}

# near WANTED GPUS KEY: equal to ten digits.
near()
{
    got=$(value "$2" "$3")
    awk -v a="$got" -v b="$1" 'BEGIN { d = a - b; if (d < 0) d = -d; m = b < 0 ? -b : b
                                       exit !(a != "" && a != "null" && d <= 1e-10 * m + 1e-15) }' ||
        fault "$3 at $2 GPUs is $got, not $1"
}

# A sample takes 1 ms. A ring on one node of 8: 2 (7 x 1 us + 7/8 x 1 GB / 100 GB/s) = 17.514 ms. On
# 4 nodes it leaves each by 8 NICs of 10 GB/s: 2 (28 x 1 us + 3 x 10 us + 31/32 x 1 GB / 80 GB/s) =
# 24.33475 ms. Of 800 samples 12 GPUs get 66 2/3 each, and 67 at most. 6 s of each 10 min are a
# checkpoint: 1 %. At 32 GPUs 0.032 dollars a second: 49.33475 ms x 1.01 for 800 samples.
status 0 "a profile over rings" "$W" explain step steps.yaml --job ring --gpus 8,32,1,12,8 --json
says out '"schema": "worldsize.explain-step/v1"'
says out '"stage": "all"'
near 0.8 1 step_s
near 0.1 8 compute
near 0.017514 8 data
near 0.117514 8 step_s
near 0.00117514 8 pauses_s
near 0.02433475 32 data
near 0.04933475 32 step_s
near 0.0003333333333333333 12 straggle
near 100 8 micro_batch
near 1 8 accumulation
near 0.506742205038031 32 efficiency
near 115.2 32 price_per_h
near 1.9931239 32 cost
near 4 32 nodes
[ "$(grep -c '"gpus": 8,' out)" -eq 1 ] || fault "8 GPUs are not there once"
[ "$(value 32 knee)" = true ] || fault "the knee is not at 32"

# W^2 / n in steps of 800 samples: 1/0.8^2 = 1.56 at 1, 9.05 at 8 (1/0.117514^2/8), 12.84 at 32
# (1/0.04933475^2/32), 10.90 at 64: 13 ms and 2 (56 + 70 us + 63/64 GB / 80 GB/s) = 24.861375 ms.
status 0 "as a table" "$W" explain step steps.yaml --gpus 64,8,1,32,100
says out "ring, stage all (the longest of 2), by the step model \`profile\`"
says out "* 32    49.33"
says out "* The knee is at 32 GPUs"
lacks out "may lie beyond"
says out "100 GPUs: not a legal size of stage \`all\`: the nearest is 64 GPUs; the pools"
says out "0 at every size: input."
says out "A profile has one time for a sample"
[ "$(wc -L <out)" -le 130 ] || fault "too wide"
COLUMNS=60 "$W" explain step steps.yaml --gpus 1,8 >out
says out "columns hidden ("
COLUMNS=60 "$W" explain step steps.yaml --gpus 1,8 --wide >out
lacks out "hidden"
status 0 "several overrides, and a stage by name" "$W" explain step steps.yaml --stage warm-up --gpus 8 --json \
    --set 'workload.jobs[ring].stages[warm-up].global_batch=400' --set 'network.intra_node.latency=2us'
near 0.05 8 compute
near 0.017528 8 data

# Two of 8 layers on each of 4 stages, tensor ranks of 2: a message of 1024 x 1024 x 2 bytes is gathered in
# 1 us + half of it / 100 GB/s = 11.48576 us, and scattered alike; 4 such pairs in a layer, 8 micro-batches of one
# sample on the fuller of 2 replicas: 8 x 2 x 4 x 2 x 11.48576 us. The bubble is (4 - 1) / 8 of what computes.
status 0 "a transformer" "$W" explain step steps.yaml --job small --gpus 16,32 --json
near 0.00147017728 16 tensor
near 0.00073508864 32 tensor
near 16 16 batch
near 8 16 accumulation
near 4 32 accumulation
near 85899345920 16 memory_limit_bytes
near "$(echo "$(value 16 compute) $(value 16 tensor)" | awk '{ printf "%.17g", 3 / 8 * ($1 + $2) }')" 16 bubble
near "$(value 16 step_s | awk '{ printf "%.17g", 16 * 1024 / $1 }')" 16 work_per_s
near "$(value 16 work_per_s | awk '{ printf "%.17g", 57.6 / 3600 * 1e9 / $1 }')" 16 cost

# Terms of a document sum to the step.
awk '/"step_s"/ { sub(/,$/, "", $2); step = $2 }
     /"terms_s"/ { on = 1; sum = 0; next }
     on && /}/ { on = 0; d = sum - step; if (d < 0) d = -d; if (d > 1e-12) exit 1; seen++ }
     on { sub(/,$/, "", $2); sum += $2 }
     END { if (seen != 2) exit 1 }' out || fault "terms do not sum to the step"

echo "all legal sizes"
"$W" explain step steps.yaml --job small --gpus legal >legal
"$W" explain step steps.yaml --job small >out
same legal out
says out "GPUS  BATCH  MICRO  ACCUM  GB/GPU  STEP ms"
says out '$/10^9 tokens'
[ "$(grep -cE '^[* ]+(16|24|32)  ' out)" -eq 3 ] || fault "not the sizes 16, 24 and 32"

# A stage has 2 x 12 x 1024^2 weights of layers, 4 x 1024 of norms, 1000 x 1024 of the embedding and 1024 of the last
# norm; a tensor rank half of them, 2 bytes each: 26,194,944 bytes, one bucket of 25 MiB less.
status 0 "buckets" "$W" explain step steps.yaml --job small --gpus 16,20 --buckets buckets.csv
[ "$(sed -n 1p buckets.csv)" = gpus,bucket,bytes,ready_s ] || fault "the head of buckets.csv"
[ "$(cut -d, -f1-3 buckets.csv | sed -n 2p)" = 16,0,26194944 ] || fault "$(cat buckets.csv)"
[ "$(wc -l <buckets.csv)" -eq 2 ] || fault "more than a bucket"
says out "20 GPUs: not a whole number of replicas of 8 GPUs each"
status 0 "smaller buckets" "$W" explain step steps.yaml --job small --gpus 16 --buckets buckets.csv --force \
    --set 'workload.jobs[small].step.transformer.software.bucket=10MiB'
[ "$(cut -d, -f3 buckets.csv | tr '\n' ' ')" = "bytes 10485760 10485760 5223424 " ] || fault "$(cat buckets.csv)"
status 3 "a file that is there is kept" "$W" explain step steps.yaml --job small --gpus 16 --buckets buckets.csv
says err "cannot create"
mkdir folder
ln -s buckets.csv link.csv
status 3 "a folder is kept" "$W" explain step steps.yaml --job small --gpus 16 --buckets folder --force
status 3 "a link is kept" "$W" explain step steps.yaml --job small --gpus 16 --buckets link.csv --force
[ -L link.csv ] || fault "link.csv is gone"
status 2 "no buckets" "$W" explain step steps.yaml --job line --buckets none.csv
says err "\`transformer\` does"
[ ! -e none.csv ] || fault "none.csv is there"

# 300 of 4 x 100 samples a second.
status 0 "a curve has no step" "$W" explain step steps.yaml --job line --gpus 1,4 --json
[ "$(value 4 step_s)" = null ] || fault "a step of $(value 4 step_s)"
near 0.25 4 communication
near 0.75 4 efficiency
status 0 "and says so" "$W" explain step steps.yaml --job line
says out "A curve has rates alone"
says out "a step is not known"
says out "may lie beyond"

status 0 "a chart" "$W" explain step steps.yaml --job small --gpus 16,20,32 --chart step.svg
says step.svg "3 tensor"
says step.svg "16 GPUs (knee)"
says step.svg "not a whole number of replicas"
status 0 "as PNG" "$W" explain step steps.yaml --job small --gpus 16 --chart step.png
[ "$(head -c 4 step.png | tail -c 3)" = PNG ] || fault "step.png is no PNG"
status 2 "a chart of another kind" "$W" explain step steps.yaml --chart step.gif

# One replica has all of the optimizer's 12 bytes for each of the 13,097,472 parameters of a GPU, two halve them: 79 MB
# less, which fit.
status 0 "too little memory" "$W" explain step steps.yaml --job small --gpus 8,16 --json \
    --set 'workload.jobs[small].step.transformer.parallel.sharding=zero-1' \
    --set 'workload.jobs[small].step.transformer.reserve=85600MB'
says out "needs 85.94 GB on each GPU, which has 85.90 GB"
status 1 "no size is possible" "$W" explain step steps.yaml --job small --gpus 4,8,400
says out "4 GPUs: not a whole number of replicas of 8 GPUs each"
says out "400 GPUs: not a legal size"
status 1 "for machines, too" "$W" explain step steps.yaml --job small --gpus 4 --json
says out '"possible": false'

status 2 "an unknown job" "$W" explain step steps.yaml --job lime
says err 'did you mean `line`?'
is_empty out
status 2 "an unknown stage" "$W" explain step steps.yaml --stage al
says err 'did you mean `all`?'
status 2 "an unknown pool" "$W" explain step steps.yaml --pool 'x'
for gpus in '' x 0 -8 8, 8,,16 8.5 99999999999999999999; do
    status 2 "--gpus '$gpus'" "$W" explain step steps.yaml --gpus "$gpus"
    says err "is no number of GPUs"
done
status 0 "a million GPUs" "$W" explain step steps.yaml --gpus 1,1000000000000
says out "more than 1000000 replicas"
status 2 "no scenario" "$W" explain step
status 2 "an invalid one" "$W" explain step steps.yaml --set horizon=7
is_empty out
status 0 "its help" "$W" explain step --help
says out "Terms of a step:"
status 0 "of the first job of another scenario" "$W" explain step "$WS_SOURCE/scenarios/quickstart.yaml"
# 100 samples/s of 100 MB need 10 GB/s; a node that reads 8 is at 80 % and waits a fifth of the time.
cp "$WS_SOURCE/tests/end_to_end/data.yaml" .
set -- --job long --set storage.checkpoint.read.per_node=8GB/s
status 0 "steps that wait for data" "$W" explain step data.yaml "$@" --json
near 80 8 work_per_s
near 0.8 8 compute
near 0.2 8 input
near 8e9 8 data_bytes_per_s
near 1e10 8 data_needed_bytes_per_s
status 0 "as a sentence" "$W" explain step data.yaml "$@"
says out "8 GPUs would read 10 GB/s of training data and get 8: they wait 20.0 % of the time."

finish
