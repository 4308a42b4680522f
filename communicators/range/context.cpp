// SPDX-License-Identifier: BSD-3-Clause
#include "communicators/range/context.hpp"

namespace regroup::range {
namespace {

// The finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): a bijection that mixes all bits.
constexpr std::uint64_t mix(std::uint64_t bits) {
  bits ^= bits >> 30;
  bits *= 0xbf58476d1ce4e5b9U;
  bits ^= bits >> 27;
  bits *= 0x94d049bb133111ebU;
  return bits ^ (bits >> 31);
}

constexpr std::uint64_t digest(std::uint64_t so_far, std::uint64_t next) {
  return mix(so_far + 0x9e3779b97f4a7c15U + mix(next));
}

constexpr std::uint64_t digest(std::uint64_t so_far, int high, int low) {
  return digest(so_far, std::uint64_t{static_cast<std::uint32_t>(high)} << 32 |
                            static_cast<std::uint32_t>(low));
}

constexpr std::uint64_t digest(const Context& context) {
  const std::uint64_t numbering = digest(context.c, context.a, context.b);
  return digest(digest(numbering, context.f, context.l), context.stride, 0);
}

}  // namespace

Context CreationLog::child_context(const Context& parent, int first, int last, int stride,
                                   int tag) {
  Context child = sub_range(parent, first, last, stride);
  // The parent's own range is part of it: creations from different parents need no common order.
  const std::uint64_t key = digest(digest(digest(parent), child.f, child.l), child.stride, tag);
  child.c = digest(key, ++count_[key]);
  return child;
}

std::uint32_t channel_of(const Context& context, std::uint32_t channels) {
  return channels == 0 ? 0 : 1 + static_cast<std::uint32_t>(digest(context) % channels);
}

}  // namespace regroup::range
