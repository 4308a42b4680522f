// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

#include "regroup/memory.hpp"

namespace regroup {

/// Entries in ascending order of their unique keys `KeyOf(entry)`. Like std::set and std::map, but
/// entries are contiguous in blocks: hundreds of thousands of entries take a fraction of the time
/// and memory. Changes invalidate references and iterators.
template <class Entry, class KeyOf = std::identity>
class SortedBlocks {
 public:
  using Key = std::remove_cvref_t<std::invoke_result_t<KeyOf, const Entry&>>;

  SortedBlocks() = default;
  /// `sorted` is in ascending order.
  explicit SortedBlocks(const std::vector<Entry>& sorted) {
    for (const Entry& entry : sorted) insert(entry);
  }

  bool empty() const { return blocks_.empty(); }
  std::size_t size() const { return size_; }
  const Entry& front() const { return blocks_.front().front(); }
  const Entry& back() const { return blocks_.back().back(); }

  /// Returns all entries in ascending order.
  auto entries() const { return std::views::join(blocks_); }
  /// The caller may change entries, but not their keys.
  auto entries() { return std::views::join(blocks_); }

  /// Returns nullptr if there is none.
  const Entry* find(const Key& key) const {
    if (empty()) return nullptr;
    const Block& block = blocks_[block_of(key)];
    const auto found = std::ranges::lower_bound(block, key, {}, KeyOf());
    return found != block.end() && KeyOf()(*found) == key ? &*found : nullptr;
  }
  Entry* find(const Key& key) { return const_cast<Entry*>(std::as_const(*this).find(key)); }

  /// Inserts `entry`, or replaces the entry with the same key.
  void insert(const Entry& entry) {
    const Key key = KeyOf()(entry);
    if (empty()) add_block(0, key);
    const std::size_t index = block_of(key);
    Block& block = blocks_[index];
    const auto at = std::ranges::lower_bound(block, key, {}, KeyOf());
    if (at != block.end() && KeyOf()(*at) == key) {
      *at = entry;
      return;
    }
    ++size_;
    if (block.size() < most) {
      block.insert(at, entry);
    } else if (at == block.end()) {  // ascending insertions fill each block
      add_block(index + 1, key).push_back(entry);
    } else {
      split(index);
      Block& half = blocks_[key < firsts_[index + 1] ? index : index + 1];
      half.insert(std::ranges::lower_bound(half, key, {}, KeyOf()), entry);
    }
  }

  /// Returns whether there was an entry with this key.
  bool erase(const Key& key) {
    if (empty()) return false;
    const std::size_t index = block_of(key);
    Block& block = blocks_[index];
    const auto at = std::ranges::lower_bound(block, key, {}, KeyOf());
    if (at == block.end() || KeyOf()(*at) != key) return false;
    --size_;
    block.erase(at);
    if (block.empty()) {
      blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(index));
      firsts_.erase(firsts_.begin() + static_cast<std::ptrdiff_t>(index));
    }
    return true;
  }

 private:
  using Block = std::vector<Entry>;
  static constexpr std::size_t most = 128;  // entries per block

  /// Returns the index of the block that contains `key` or should contain it.
  std::size_t block_of(const Key& key) const {
    const auto after = std::upper_bound(firsts_.begin() + 1, firsts_.end(), key);
    return static_cast<std::size_t>(after - firsts_.begin()) - 1;
  }

  Block& add_block(std::size_t index, const Key& first) {
    firsts_.insert(firsts_.begin() + static_cast<std::ptrdiff_t>(index), first);
    return *blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(index), Block());
  }

  void split(std::size_t index) {
    constexpr auto half = most / 2;
    Block& upper = add_block(index + 1, KeyOf()(blocks_[index][half]));
    Block& lower = blocks_[index];
    upper.assign(lower.begin() + half, lower.end());
    lower.erase(lower.begin() + half, lower.end());
  }

  std::vector<Block> blocks_;  // none is empty
  std::vector<Key> firsts_;    // lower bounds of the keys in each block; the first is unused
  std::size_t size_ = 0;
};

template <class Entry, class KeyOf>
void append(Memory& memory, const SortedBlocks<Entry, KeyOf>& all) {
  append(memory, all.size());
  for (const Entry& entry : all.entries()) append(memory, entry);
}

}  // namespace regroup
