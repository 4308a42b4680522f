// SPDX-License-Identifier: BSD-3-Clause
#include "communicators/range/context.hpp"

namespace regroup::range {
namespace {

std::uint64_t digest_of_pair(std::uint64_t so_far, int high, int low) {
  return digest(so_far, std::uint64_t{static_cast<std::uint32_t>(high)} << 32 |
                            static_cast<std::uint32_t>(low));
}

}  // namespace

// The finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
std::uint64_t mixed(std::uint64_t bits) {
  bits ^= bits >> 30;
  bits *= 0xbf58476d1ce4e5b9U;
  bits ^= bits >> 27;
  bits *= 0x94d049bb133111ebU;
  return bits ^ (bits >> 31);
}

std::uint64_t digest(std::uint64_t so_far, std::uint64_t number) {
  return mixed(so_far + 0x9e3779b97f4a7c15U + mixed(number));
}

std::uint64_t digest(const Context& context) {
  const std::uint64_t numbering = digest_of_pair(context.c, context.a, context.b);
  return digest_of_pair(digest_of_pair(numbering, context.f, context.l), context.stride, 0);
}

std::uint64_t CreationLog::numbering(const Context& context) {
  return digest_of_pair(context.c, context.a, context.b);
}

CreationLog::Child CreationLog::child(const Context& parent, int first, int last, int stride,
                                      int tag) {
  Context context = sub_range(parent, first, last, stride);
  // The parent's own range is part of it: creations from different parents need no common order.
  const std::uint64_t key =
      digest_of_pair(digest_of_pair(digest(parent), context.f, context.l), context.stride, tag);
  const std::uint32_t count = ++count_[numbering(parent)][key];
  context.c = digest(key, count);
  return {context, key + count};
}

}  // namespace regroup::range
