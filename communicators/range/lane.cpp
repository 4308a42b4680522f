// SPDX-License-Identifier: BSD-3-Clause
#include "communicators/range/lane.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

namespace regroup::range {

Layout ask_for_layout(MPI_Datatype type) {
  Layout layout{size_of(type), 0, 0, 0};
  MPI_Aint lower_bound = 0;
  throw_on_error(MPI_Type_get_extent(type, &lower_bound, &layout.extent));
  throw_on_error(MPI_Type_get_true_extent(type, &layout.lowest, &layout.span));
  return layout;
}

Buffer::Buffer(Lane& lane, int times, int count, MPI_Datatype type) : lane_(lane) {
  if (times == 0 || count == 0) return;
  const Layout layout = layout_of(type);
  constexpr std::ptrdiff_t alignment = alignof(std::max_align_t);
  // The extent may be negative.
  const std::ptrdiff_t others = (count - 1) * layout.extent;
  lowest_ = layout.lowest + std::min<std::ptrdiff_t>(others, 0);
  const std::ptrdiff_t span = layout.span + std::abs(others);
  pitch_ = (span + alignment - 1) / alignment * alignment;
  bytes_ = static_cast<std::size_t>(times * pitch_);
  start_ = static_cast<std::byte*>(lane_.memory().allocate(bytes_));
}

Buffer::~Buffer() {
  // After an error, MPI may still read this memory, which is leaked rather than overwritten.
  if (start_ != nullptr && lane_.give_up()) lane_.memory().deallocate(start_, bytes_);
}

void copy_elements(const void* from, int from_count, MPI_Datatype from_type, void* to, int to_count,
                   MPI_Datatype to_type) {
  if (from_count == 0 || (from == to && from_type == to_type)) return;
  if (from_type == to_type && from_count == to_count && layout_of(from_type).is_plain()) {
    std::memcpy(to, from, static_cast<std::size_t>(message_bytes(from_count, from_type)));
    return;
  }
  if (message_bytes(from_count, from_type) > message_bytes(to_count, to_type)) {
    throw_mpi_error(MPI_ERR_TRUNCATE);
  }
  // A message to the process itself could match a receive of the user.
  const long long from_size = size_of(from_type);
  const long long to_size = size_of(to_type);
  if (from_size == 0) return;
  // Each step consists of whole elements of both types.
  constexpr long long step_bytes = 65536;
  const long long common = std::lcm(from_size, to_size);
  const long long bytes = common * std::max(1LL, step_bytes / common);
  const int from_step = static_cast<int>(std::min<long long>(bytes / from_size, from_count));
  int size = 0;
  throw_on_error(MPI_Pack_size(from_step, from_type, MPI_COMM_SELF, &size));
  std::vector<std::byte> packed(static_cast<std::size_t>(size));
  for (long long done = 0; done < from_count; done += from_step) {
    const int count = static_cast<int>(std::min<long long>(from_step, from_count - done));
    int end = 0;
    throw_on_error(MPI_Pack(element(const_cast<void*>(from), done, from_type), count, from_type,
                            packed.data(), size, &end, MPI_COMM_SELF));
    int begin = 0;
    throw_on_error(
        MPI_Unpack(packed.data(), end, &begin, element(to, done * from_size / to_size, to_type),
                   static_cast<int>(count * from_size / to_size), to_type, MPI_COMM_SELF));
  }
}

bool commutes(MPI_Op op) {
  if (op == MPI_SUM || op == MPI_MAX || op == MPI_MIN) return true;  // the MPI call takes 10 ns
  int answer = 0;
  throw_on_error(MPI_Op_commutative(op, &answer));
  return answer != 0;
}

void combine(const void* left, void* right, int count, MPI_Datatype type, MPI_Op op) {
  throw_on_error(MPI_Reduce_local(left, right, count, type, op));
}

namespace {

std::string error_text(int code) {
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  return {text, static_cast<std::size_t>(length)};
}

}  // namespace

MpiError::MpiError(int code)
    : std::runtime_error(error_text(code)), code_(code), class_(MPI_ERR_UNKNOWN) {
  MPI_Error_class(code, &class_);
}

std::exception_ptr mpi_error(int code) { return std::make_exception_ptr(MpiError(code)); }

void throw_mpi_error(int code) { throw MpiError(code); }

void throw_out_of_bounds(const char* what, int number, int lowest, int highest) {
  throw std::invalid_argument(std::string("range communicator: ") + what + " is " +
                              std::to_string(number) + ", allowed are " + std::to_string(lowest) +
                              " to " + std::to_string(highest));
}

}  // namespace regroup::range
