#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Tries the README's commands, installation and set-up without root in bare roots of Debian 12 and 13.
#
#   tests/systems.sh [--quick] [--compilers] [--keep] [bookworm] [trixie]
#
# Needs root on Debian or Ubuntu. For each system, by default both, the script creates a bare root with git
# and sudo only. In it, on a clone of HEAD, it runs jobs/local.sh configs/demo.yaml and cmake --install,
# builds and runs the programs of tests/outside with the whole package and with its component range alone,
# and runs tests/run.sh --all. In a second root, the Debian package is installed and used. In a third one,
# which has a compiler, CMake, MPICH and Python, an ordinary user sets up without root and runs
# configs/demo.yaml with fewer ranks. --quick runs tests/run.sh without --all; --keep keeps the roots.
# --compilers also compiles everything in Debug, Release and RelWithDebInfo, with warnings as errors:
# with GCC 12, clang 16 and clang 19 on Debian 12, with GCC 14 and clang 19 on Debian 13. This takes
# hours.
#
# The last lines are a table of all steps with their times, and the makespans of the demo. The exit code is
# 1 if a step failed. The roots and logs are below ${REGROUP_SYSTEMS:-/var/tmp/regroup-systems}.
set -uo pipefail
source_tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
place=$(realpath -m "${REGROUP_SYSTEMS:-/var/tmp/regroup-systems}")  # as in /proc/mounts

usage() { sed -n '4,/^set /{/^set /d; s/^# \{0,1\}//; p}' "${BASH_SOURCE[0]}"; }
quick=false keep=false compilers=false systems=()
for argument; do
  case $argument in
    --quick) quick=true ;;
    --compilers) compilers=true ;;
    --keep) keep=true ;;
    bookworm | trixie) systems+=("$argument") ;;
    -h | --help) usage; exit 0 ;;
    *) printf 'systems.sh: unknown argument: %s\n\n' "$argument" >&2; usage >&2; exit 2 ;;
  esac
done
((${#systems[@]} > 0)) || systems=(bookworm trixie)
((EUID == 0)) || { echo "systems.sh: only root can make the roots" >&2; exit 2; }
command -v mmdebstrap >/dev/null || apt-get -qq install -y mmdebstrap >/dev/null || exit 1
mkdir -p "$place" || exit 1

mounts() { awk -v below="$1/" 'index($2, below) == 1 { print $2 }' /proc/mounts | sort -r; }
# unmount ROOT: all that is mounted below it, also by a run that was killed.
unmount() {
  mounts "$1" | xargs -r umount -l
  [[ -z $(mounts "$1") ]]
}
# remove ROOT: never what is mounted in it, which is /dev of this machine among others.
remove() {
  unmount "$1" || { echo "systems.sh: cannot unmount what is mounted below $1" >&2; return 1; }
  rm -rf --one-file-system "$1"
}
leave() { if "$keep"; then unmount "$1"; else remove "$1"; fi; }
release() {
  local root
  for root in "$place"/*-root; do leave "$root"; done
}
trap release EXIT

rows=()
failed=0
# step SYSTEM NAME COMMAND…: runs it, with its output in a log; the last line of that is the result.
step() {
  local system=$1 name=$2 log=$place/$1-${2// /-}.log began=$SECONDS verdict=ok
  shift 2
  "$@" >"$log" 2>&1 </dev/null || verdict=FAILED
  [[ $verdict == ok ]] || ((++failed))
  local took=$((SECONDS - began))
  rows+=("$(printf '%-9s  %-24s  %-6s  %2d:%02d  %s' "$system" "$name" "$verdict" $((took / 60)) \
    $((took % 60)) "$(tail -n 1 "$log" | cut -c -70)")")
  printf '%s\n' "${rows[-1]}"
}

# make_root SYSTEM DIRECTORY PACKAGES: bare, with this machine's sources of packages and settings of apt.
make_root() {
  remove "$2" || return
  sed "s/$(. /etc/os-release && echo "$VERSION_CODENAME")/$1/g" /etc/apt/sources.list.d/debian.sources \
    >"$place/$1.sources"
  mmdebstrap --quiet --variant=minbase --include="$3" \
    --setup-hook='mkdir -p "$1/etc/apt/apt.conf.d"; cp /etc/apt/apt.conf.d/99* "$1/etc/apt/apt.conf.d/" || :' \
    "$1" "$2" "$place/$1.sources" || return
  cp /etc/hosts /etc/resolv.conf "$2/etc/"
  for folder in proc sys dev dev/shm; do mount --bind "/$folder" "$2/$folder" || return; done
}
inside() { chroot "$1" /usr/bin/env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  /bin/bash -c "set -euo pipefail; cd /srv/regroup; $2"; }
as_user() { chroot --userspec=1000:1000 "$1" /usr/bin/env -i HOME=/home/user USER=user PATH=/usr/local/bin:/usr/bin:/bin \
  /bin/bash -c "set -euo pipefail; cd ~/regroup; $2"; }

programs='cmake -S tests/outside -B /tmp/programs -D CMAKE_PREFIX_PATH=/opt/regroup && cmake --build /tmp/programs
cmake -S tests/outside -B /tmp/range -D CMAKE_PREFIX_PATH=/opt/range -D RANGE_ONLY=ON && cmake --build /tmp/range
/opt/regroup/bin/regroup --version
/tmp/programs/own_main; mpiexec.mpich -n 4 /tmp/programs/own_main; mpiexec.mpich -n 4 /tmp/range/range_only'
declare -A compilers_of=([bookworm]="g++ clang++-16 clang++-19" [trixie]="g++ clang++-19")
# compile COMPILER TYPE: the command that compiles everything, the tests included.
compile() {
  cat <<END
jobs/setup.sh --tests
command -v $1 || apt-get -qq install -y --no-install-recommends ${1/clang++/clang}
cmake -G Ninja -S . -B /tmp/compiled -D CMAKE_CXX_COMPILER=$1 -D CMAKE_BUILD_TYPE=$2 -D REGROUP_WERROR=ON
cmake --build /tmp/compiled --target all tests -- -k 0
$1 --version | head -n 1
rm -rf /tmp/compiled
END
}
packaged='apt-get -qq update; apt-get -qq install -y --no-install-recommends ./regroup_*.deb
regroup run demo.yaml --set ranks=8 --set repetitions=1; regroup table results/demo; regroup verify results/demo
regroup report results/demo; test -s results/demo/report.html; regroup --version'
small='jobs/local.sh configs/demo.yaml --set ranks=8 --set repetitions=1'

for system in "${systems[@]}"; do
  root=$place/$system-root
  step "$system" "bare root" make_root "$system" "$root" git,ca-certificates,sudo
  git clone -q "$source_tree" "$root/srv/regroup"
  step "$system" "first command" inside "$root" 'jobs/local.sh configs/demo.yaml'
  cp "$root/srv/regroup/results/demo/table.txt" "$place/$system-demo.txt"
  step "$system" "cmake --install" inside "$root" 'cmake --install build --prefix /opt/regroup
    cmake --install build --prefix /opt/range --component range'
  step "$system" "programs" inside "$root" "$programs"
  step "$system" "cpack" inside "$root" 'apt-get -qq install -y --no-install-recommends dpkg-dev file
    cd build; cpack -G DEB -B /tmp/packages'
  if "$quick"; then all=; else all=--all; fi
  step "$system" "second command" inside "$root" "tests/run.sh $all"
  "$compilers" && for compiler in ${compilers_of[$system]}; do
    for type in Debug Release RelWithDebInfo; do
      step "$system" "$compiler $type" inside "$root" "$(compile "$compiler" "$type")"
    done
  done

  package_root=$place/$system-package-root
  step "$system" "root without a compiler" make_root "$system" "$package_root" ca-certificates
  mkdir -p "$package_root/srv/regroup"
  cp "$root"/tmp/packages/regroup_*.deb "$root/srv/regroup/configs/demo.yaml" "$package_root/srv/regroup"
  step "$system" "Debian package" inside "$package_root" "$packaged"
  leave "$package_root"
  leave "$root"

  root=$place/$system-user-root
  step "$system" "root with a compiler" make_root "$system" "$root" \
    git,g++,cmake,mpich,libmpich-dev,python3,ca-certificates
  chroot "$root" useradd --create-home --uid 1000 user
  git clone -q "$source_tree" "$root/home/user/regroup"
  chown -R 1000:1000 "$root/home/user"
  step "$system" "set-up without root" as_user "$root" 'jobs/setup.sh --prefix ~/packages'
  step "$system" "run without root" as_user "$root" "source ~/packages/env.sh; $small"
  leave "$root"
done

printf '\n%-9s  %-24s  %-6s  %5s  %s\n' system step result time "last line"
printf '%s\n' "${rows[@]}"
for system in "${systems[@]}"; do
  printf '\n%s, makespans of the demo:\n' "$system"
  grep -v '^$' "$place/$system-demo.txt" | tail -n +3
done
exit $((failed > 0))
