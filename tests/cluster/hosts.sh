#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# A pretended cluster on one machine: a login host, inside of which all others are. A host is a bundle
# of namespaces, with a name, an address, /dev/shm, a boot id and an origin of the monotonic clock of
# its own, and dies as a whole; all die with the login host. Nothing outside of it is touched or named.
# The files are those of the machine, and so a file system that all hosts share.
#
#   hosts.sh login CORES…     becomes the login host of n1, n2 …, which have so many cores
#   hosts.sh on HOST COMMAND…  there, and where the others are: runs a command on a host
#   hosts.sh crash HOST       ends all that is on a host, and its network
#   hosts.sh boot HOST        starts it again
#
# STATE is the directory in which everything is kept. SLURM: further lines of its configuration.
set -euo pipefail
day=86400

run_on() {  # HOST COMMAND…
  local pid; pid=$(<"$STATE/$1/pid")
  shift
  nsenter --target "$pid" --net --uts --ipc --mount --pid --time --wd="$PWD" "$@"
}

# What the first process of a host does: it collects whose parents are gone.
rest() { while :; do sleep 1000 & wait $! || :; done; }

share() {  # what a host sees under names that all hosts have
  mount -t tmpfs -o size=2g tmpfs /dev/shm
  mount --bind "$STATE/hosts" /etc/hosts
  cat /proc/sys/kernel/random/uuid >"$STATE/$1/boot_id"  # by which UCX and regroup tell hosts apart
  mount --bind "$STATE/$1/boot_id" /proc/sys/kernel/random/boot_id
  hostname "$1"
  ip link set lo up
}

be_host() {  # NAME: in namespaces of its own
  share "$1"
  touch "$STATE/$1/is_there"
  rest
}

boot() {  # NAME
  local name=$1 number=${1#n} pid= i
  rm -f "$STATE/$name/is_there"
  unshare --net --uts --ipc --mount --pid --fork --kill-child --mount-proc --propagation private \
    --time --monotonic $((number * day)) --boottime $((number * day)) \
    "$0" host "$name" </dev/null >"$STATE/$name/log" 2>&1 &
  local holder=$!
  for ((i = 0; i < 200; ++i)); do [[ -e $STATE/$name/is_there ]] && break; sleep 0.05; done
  pid=$(ps -o pid= --ppid "$holder" | tr -d ' ')
  printf '%s\n' "$pid" >"$STATE/$name/pid"
  ip link del "v$number" 2>/dev/null || :
  # As real ones do, a host comes back with the address that its network card had: others know it.
  ip link add "v$number" type veth peer name eth0 netns "$pid" address "02:00:0a:58:00:0$number"
  ip link set "v$number" master br0 up
  run_on "$name" ip addr add "10.88.0.$number/24" dev eth0
  run_on "$name" ip link set eth0 up
  run_on "$name" slurmd -N "$name"
}

slurm_configuration() {  # CORES…
  cat <<X
ClusterName=pretended
SlurmctldHost=login(10.88.0.100)
SlurmctldPort=17800
SlurmdPort=17801
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
StateSaveLocation=$STATE/slurm
SlurmdSpoolDir=$STATE/%n/spool
SlurmctldPidFile=$STATE/slurmctld.pid
SlurmdPidFile=$STATE/%n/slurmd.pid
SlurmctldLogFile=$STATE/slurmctld.log
SlurmdLogFile=$STATE/%n/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
TmpFS=/dev/shm
ReturnToService=2
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1,sched_min_interval=0,bf_interval=1
KillWait=5
PreemptMode=REQUEUE
PreemptType=preempt/partition_prio
PartitionName=low Nodes=ALL Default=YES State=UP PriorityTier=1 PreemptMode=REQUEUE GraceTime=3
PartitionName=high Nodes=ALL State=UP PriorityTier=10
${SLURM:-SlurmdTimeout=6}
X
  local i=0 cores
  for cores; do
    i=$((i + 1))
    echo "NodeName=n$i NodeAddr=10.88.0.$i CPUs=$cores State=UNKNOWN"
  done
}

login() {  # CORES…
  local i
  mkdir -p "$STATE"/{login,slurm}
  { echo "127.0.0.1 localhost"; echo "10.88.0.100 login"
    for ((i = 1; i <= $#; ++i)); do echo "10.88.0.$i n$i"; done; } >"$STATE/hosts"
  slurm_configuration "$@" >"$STATE/slurm.conf"
  share login
  ip link add br0 type bridge
  ip addr add 10.88.0.100/24 dev br0
  ip link set br0 up
  slurmctld -c
  for ((i = 1; i <= $#; ++i)); do mkdir -p "$STATE/n$i/spool"; boot "n$i"; done
  for ((i = 0; i < 200; ++i)); do
    [[ $(sinfo -h -p low -t idle -o %D) == "$#" ]] && touch "$STATE/ready" && break
    sleep 0.1
  done
  rest
}

export SLURM_CONF=$STATE/slurm.conf
case $1 in
  login) login "${@:2}" ;;
  host) be_host "$2" ;;
  on) run_on "${@:2}" ;;
  crash) kill -KILL "$(<"$STATE/$2/pid")" ;;
  boot) boot "$2" ;;
  *) sed -n 's/^# \{0,1\}//; 4,15p' "$0" >&2; exit 2 ;;
esac
