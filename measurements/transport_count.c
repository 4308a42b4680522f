// SPDX-License-Identifier: BSD-3-Clause
//
// Goes with polite_progress.c: counts the messages that MPI hands to UCX, including those of MPI's
// own constructors and collectives.
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

#define _GNU_SOURCE

typedef void* (*Send)(void* endpoint, const void* data, size_t count, uint64_t tag,
                      const void* param);

static long long messages;
static long long bytes;

void regroup_transport_messages(long long* sent, long long* in_bytes) {
  *sent = messages;
  *in_bytes = bytes;
}

static void* pass_on(Send* function, const char* name, void* endpoint, const void* data,
                     size_t count, uint64_t tag, const void* param) {
  if (*function == NULL) *function = (Send)dlsym(RTLD_NEXT, name);
  ++messages;
  bytes += (long long)count;  // MPICH counts contiguous data in bytes
  return (*function)(endpoint, data, count, tag, param);
}

void* ucp_tag_send_nbx(void* endpoint, const void* data, size_t count, uint64_t tag,
                       const void* param) {
  static Send function;
  return pass_on(&function, "ucp_tag_send_nbx", endpoint, data, count, tag, param);
}

void* ucp_tag_send_sync_nbx(void* endpoint, const void* data, size_t count, uint64_t tag,
                            const void* param) {
  static Send function;
  return pass_on(&function, "ucp_tag_send_sync_nbx", endpoint, data, count, tag, param);
}
