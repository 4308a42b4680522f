// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/measurement/message_count.hpp"

#include <dlfcn.h>

namespace regroup {
namespace {

/// What the counting function `name` of this program or of a preloaded library tells.
std::optional<MessageCount> ask(const char* name) {
  const auto count = reinterpret_cast<void (*)(long long*, long long*)>(dlsym(RTLD_DEFAULT, name));
  if (count == nullptr) return {};
  MessageCount sent;
  count(&sent.messages, &sent.bytes);
  return sent;
}

}  // namespace

std::optional<long long> profiled_constructors() {
  const auto count =
      reinterpret_cast<long long (*)()>(dlsym(RTLD_DEFAULT, "regroup_profiled_constructors"));
  return count == nullptr ? std::nullopt : std::optional(count());
}

std::optional<MessageCount> profiled_messages() { return ask("regroup_profiled_messages"); }
std::optional<MessageCount> transport_messages() { return ask("regroup_transport_messages"); }

}  // namespace regroup
