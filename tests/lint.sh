#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Runs clang-tidy with the checks of .clang-tidy:
#
#   tests/lint.sh [FILE…]    by default all sources in C++ but the tests
#
# Takes about 15 minutes on 2 cores. CLANG_TIDY names another version than that of Debian 12, such as
# clang-tidy-19. The exit code is 1 if it found something.
set -uo pipefail
if [[ ${1-} == -h || ${1-} == --help ]]; then
  sed -n '4,/^set /{/^set /d; s/^# \{0,1\}//; p}' "${BASH_SOURCE[0]}"
  exit 0
fi
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

tidy=${CLANG_TIDY:-clang-tidy}
command -v "$tidy" >/dev/null || { echo "lint.sh: there is no $tidy (Debian: clang-tidy)" >&2; exit 2; }
# A tree of its own: clang cannot read the precompiled headers of GCC.
cmake -S . -B build-lint -G Ninja -D CMAKE_DISABLE_PRECOMPILE_HEADERS=ON -D REGROUP_TESTS=OFF >/dev/null &&
  cmake --build build-lint --target write_version >/dev/null || exit 1
if (($# > 0)); then files=("$@"); else mapfile -t files < <(git ls-files '*.cpp' ':!tests' ':!examples'); fi
printf '%s\n' "${files[@]}" | xargs -P "$(nproc)" -n 1 \
  "$tidy" -p build-lint --quiet --extra-arg=-Wno-unknown-warning-option 2>/dev/null | tee build-lint/lint.log
found=$(grep -cE ': (warning|error): ' build-lint/lint.log)
printf '%d files, %d findings\n' "${#files[@]}" "$found"
((found == 0))
