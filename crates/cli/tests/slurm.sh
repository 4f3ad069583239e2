#!/usr/bin/env bash
# slurm.sh PROGRAM: the batch scripts that PROGRAM prints, run by a Slurm of one machine.
# As root it installs Debian's slurm-wlm, munge and nats-server where they are missing, starts them with keys, ports and folders of
# their own, submits the scripts, and compares what comes of them with a run on one machine. At its end, however it
# ends, it stops what it has started by its process id and removes its folder. It takes about half a minute.
set -euo pipefail

fail() { printf 'slurm.sh: %s\n' "$*" >&2; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }

[ $# = 1 ] || fail "one word is accepted, the program: slurm.sh target/debug/monteverde"
[ -x "$1" ] || fail "'$1' is no program; build it with: cargo build -p monteverde-cli"
program=$(readlink -f "$1")
[ "$(id -u)" = 0 ] || fail "only root may start Slurm; run it as root"

# install PACKAGES...: those of Debian. In a runlevel of a single user they start no services: ours are started below.
install() {
  has apt-get || fail "install $* and run it again"
  for _ in 1 2; do
    RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y -qq --no-install-recommends "$@" \
      >/dev/null 2>&1 && return
    apt-get -o DPkg::Lock::Timeout=600 update -qq || true
  done
  fail "could not install; run: apt-get update && apt-get install $*"
}
has slurmctld && has slurmd && has munged || install slurm-wlm munge
has nats-server || install nats-server
has python3 || install python3

folder=$(mktemp -d /tmp/monteverde-slurm.XXXXXX)
started=()

# Stops what was started, the last first, and waits for it.
finish() {
  local code=$? pid
  trap - EXIT
  set +e
  # Jobs first: their processes outlive slurmd.
  if [ -n "${slurmd:-}" ]; then
    scancel --quiet --user=root >/dev/null 2>&1
    for _ in $(seq 100); do [ -z "$(squeue --noheader 2>/dev/null)" ] && break; sleep 0.1; done
  fi
  if [ "$code" != 0 ]; then
    for log in "$folder"/*.log "$folder"/work/*.log; do
      [ -s "$log" ] && printf '== %s\n' "$log" >&2 && tail -n 20 "$log" >&2
    done
  fi
  for ((i = ${#started[@]} - 1; i >= 0; i--)); do
    pid=${started[i]}
    kill "$pid" 2>/dev/null
    for _ in $(seq 50); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
    kill -9 "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
  done
  rm -rf "$folder"
  exit "$code"
}
trap finish EXIT
trap 'exit 1' INT TERM

# until_true SECONDS WHAT COMMAND...: waits until the command succeeds.
until_true() {
  local seconds=$1 what=$2
  shift 2
  for _ in $(seq $((seconds * 5))); do "$@" >/dev/null 2>&1 && return; sleep 0.2; done
  fail "$what did not happen within $seconds s"
}

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

host=$(uname -n)
host=${host%%.*}
chmod 755 "$folder"
mkdir -m 711 "$folder/munge"
mkdir -m 700 "$folder/state" "$folder/spool" "$folder/work"
(umask 077 && head -c 1024 /dev/urandom >"$folder/munge/key")
cat >"$folder/slurm.conf" <<END
ClusterName=monteverde
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$folder/munge/socket
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
MpiDefault=none
ReturnToService=2
KillWait=2
SlurmdParameters=config_overrides
NodeName=node NodeHostname=$host NodeAddr=127.0.0.1 CPUs=4 RealMemory=4000
PartitionName=all Nodes=node Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF=$folder/slurm.conf

munged --force --foreground --key-file="$folder/munge/key" --socket="$folder/munge/socket" --pid-file="$folder/munge/pid" \
  --seed-file="$folder/munge/seed" --log-file="$folder/munge/log" >"$folder/munged.log" 2>&1 &
started+=($!)
until_true 10 "the start of munged" munge --socket="$folder/munge/socket" --no-input
slurmctld -D -i >"$folder/slurmctld.out.log" 2>&1 &
started+=($!)
until_true 20 "the start of slurmctld" scontrol ping

is_idle() { sinfo --noheader --format=%t | grep -q '^idle$'; }
start_slurmd() {
  slurmd -D >"$folder/slurmd.out.log" 2>&1 &
  slurmd=$!
  for _ in $(seq 50); do
    is_idle && break
    kill -0 "$slurmd" 2>/dev/null || return 1
    sleep 0.2
  done
  is_idle
}
if ! start_slurmd; then
  # Containers that show it no cgroups of the newer kind, or none at all: those of the older are not used by proctrack/linuxproc.
  kill "$slurmd" 2>/dev/null && wait "$slurmd" 2>/dev/null || true
  echo "CgroupPlugin=cgroup/v1" >"$folder/cgroup.conf"
  start_slurmd || { started+=("$slurmd"); fail "slurmd does not start"; }
fi
started+=("$slurmd")
echo "Slurm $(sinfo --version | cut -d' ' -f2) runs"

cd "$folder/work"
digest() { python3 -c 'import json, sys; print(json.load(sys.stdin)["digest"])'; }
is_gone() { [ -z "$(squeue --noheader --jobs="$1" 2>/dev/null)" ]; }

# A match as three shards.
match=(match uct uct:c=0.5 --game tic-tac-toe --games 50 --iterations 300 --random-plies 2)
"$program" "${match[@]}" --json >whole.json 2>/dev/null
whole=$(digest <whole.json)
"$program" slurm --shards 3 --cores 1 --mem 200M --time 5 -- "${match[@]}" >job.sh
job=$(sbatch --parsable job.sh)
until_true 40 "the end of the three shards" is_gone "$job"
"$program" import shards/shard-{3,1,2}.mvs --store a.db >import.log 2>&1 || fail "the shards cannot be imported: $(cat import.log)"
grep -q missing import.log && fail "a shard is not complete: $(cat import.log)"
"$program" "${match[@]}" --json --store a.db >found.json 2>said.log
grep -q 'played 0 games' said.log || fail "games are missing after the import: $(cat said.log)"
[ "$(digest <found.json)" = "$whole" ] || fail "the shards gave $(digest <found.json), one machine $whole"
echo "three shards by Slurm: digest $whole, as on one machine"

# A shard whose time is up is queued again and goes on where it was.
match=(match uct uct:c=0.5 --game tic-tac-toe --games 400 --iterations 3000 --random-plies 2)
"$program" slurm --shards 1 --cores 1 --mem 200M --time 5 --out again -- "${match[@]}" >again.sh
job=$(sbatch --parsable again.sh)
stored() { "$program" export --store again/shard-1.mvs --format jsonl 2>/dev/null | wc -l; }
some_stored() { [ "$(stored)" -ge 10 ]; }
until_true 30 "the start of a long shard" some_stored
scancel --batch --signal=TERM "${job}_1"
is_pending() { [ "$(squeue --noheader --jobs="$job" --format=%T)" = PENDING ]; }
until_true 20 "the requeue of a shard whose time is up" is_pending
before=$(stored)
[ "$before" -lt 400 ] || fail "the long shard was done before its time was up"
# Slurm lets a job that is queued again wait for two minutes.
scontrol update JobId="${job}_1" StartTime=now
until_true 50 "the end of the long shard" is_gone "$job"
grep -q "; $before were in the store" monteverde-"${job}"_1.log || fail "it did not go on with its $before games"
grep -q 'all of its 400 pieces are there' monteverde-"${job}"_1.log || fail "the long shard is not complete"
echo "a shard whose time was up went on with its $before games"

# Workers behind a NATS server.
port=$(free_port)
nats-server -js -a 127.0.0.1 -p "$port" -sd "$folder/nats" >"$folder/nats.log" 2>&1 &
started+=($!)
until_true 10 "the start of nats-server" bash -c "exec 3<>/dev/tcp/127.0.0.1/$port"
match=(match uct uct:c=0.5 --game tic-tac-toe --games 50 --iterations 300 --random-plies 2)
"$program" worker --slurm --nats "nats://127.0.0.1:$port" --array 2 --cores 1 --mem 300M --time 5 >workers.sh
job=$(sbatch --parsable workers.sh)
timeout 60 "$program" "${match[@]}" --json --nats "nats://127.0.0.1:$port" >workers.json 2>said.log ||
  fail "the run with workers did not end well: $(cat said.log)"
[ "$(digest <workers.json)" = "$whole" ] || fail "the workers gave $(digest <workers.json), one machine $whole"
scancel "$job"
until_true 20 "the end of the workers" is_gone "$job"
grep -i 'error: [^*]' monteverde-"${job}"_*.log | grep -v 'CANCELLED' && fail "a worker did not end well"
echo "two workers by Slurm: digest $whole, as on one machine"
