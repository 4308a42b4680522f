// SPDX-License-Identifier: BSD-3-Clause
#include <sys/mman.h>

#include "regroup/sorting.hpp"

namespace regroup::sorting {

/// Allocators return freed long buffers to the system, so that every sort begins with a page fault
/// for each page. In a virtual machine, where a page fault takes up to 15 µs, the faults of 4 KiB
/// pages take as long as the rest of a sort.
ElementBuffer::ElementBuffer(const ElementOperations& type, std::size_t count)
    : count_(count), element_size_(type.size) {
  if (count == 0) return;
  constexpr std::size_t huge_page = std::size_t{1} << 21;
  std::size_t bytes = count * type.size;
  std::align_val_t alignment{type.alignment};
  const bool in_huge_pages = bytes >= huge_page;
  if (in_huge_pages) {
    bytes = (bytes + huge_page - 1) / huge_page * huge_page;
    alignment = std::align_val_t{huge_page};
  }
  bytes_ = {static_cast<std::byte*>(::operator new(bytes, alignment)), AlignedDelete{alignment}};
  if (in_huge_pages) madvise(bytes_.get(), bytes, MADV_HUGEPAGE);  // a hint: errors do not matter
}

}  // namespace regroup::sorting
