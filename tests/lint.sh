#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Runs clang-tidy with the checks of .clang-tidy:
#
#   tests/lint.sh [FILE…]    by default all sources in C++ but the tests
#
# Takes about 8 minutes on 2 cores. It runs clang-tidy-19 where there is one (Debian: clang-tidy-19), else
# clang-tidy; CLANG_TIDY names another. The exit code is 1 if it found something, and 2 if it could not
# read a source: clang-tidy 14, that of Debian 12, lacks C++20's std::source_location.
set -uo pipefail
if [[ ${1-} == -h || ${1-} == --help ]]; then
  sed -n '4,/^set /{/^set /d; s/^# \{0,1\}//; p}' "${BASH_SOURCE[0]}"
  exit 0
fi
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

if [[ -z ${CLANG_TIDY-} ]]; then
  CLANG_TIDY=clang-tidy-19
  command -v "$CLANG_TIDY" >/dev/null || CLANG_TIDY=clang-tidy
fi
command -v "$CLANG_TIDY" >/dev/null ||
  { echo "lint.sh: there is no $CLANG_TIDY (Debian: clang-tidy-19)" >&2; exit 2; }
# A tree of its own: clang cannot read the precompiled headers of GCC.
cmake -S . -B build-lint -G Ninja -D CMAKE_DISABLE_PRECOMPILE_HEADERS=ON -D CMAKE_UNITY_BUILD=OFF \
  -D REGROUP_TESTS=OFF >/dev/null &&
  cmake --build build-lint --target write_version >/dev/null || exit 2
if (($# > 0)); then files=("$@"); else mapfile -t files < <(git ls-files '*.cpp' ':!tests' ':!examples'); fi
printf '%s\0' "${files[@]}" | xargs -0 -P "$(nproc)" -n 1 \
  "$CLANG_TIDY" -p build-lint --quiet --extra-arg=-Wno-unknown-warning-option 2>/dev/null |
  tee build-lint/lint.log
failed=$((PIPESTATUS[1] != 0))
# What is wrong in a header is reported for each source that includes it.
count() { grep -E '(^|: )(warning|error): ' build-lint/lint.log | grep "$@" 'clang-diagnostic-error' | sort -u | wc -l; }
errors=$(count -e) found=$(count -v -e)
printf '%d files, %d findings\n' "${#files[@]}" "$found"
if ((errors > 0 || (failed && found == 0))); then
  printf 'lint.sh: %s could not read all sources (clang-diagnostic-error above)\n' "$CLANG_TIDY" >&2
  exit 2
fi
((found == 0))
