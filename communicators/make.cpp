// SPDX-License-Identifier: BSD-3-Clause
#include "communicators/make.hpp"

#include <array>

#include "communicators/constructors.hpp"

namespace regroup {
namespace {

constexpr std::array entries = constructor::all;

}  // namespace

std::span<const Constructor> constructors() { return entries; }

}  // namespace regroup
