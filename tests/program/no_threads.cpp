// SPDX-License-Identifier: BSD-3-Clause
// A preloaded library that lets a process create only REGROUP_MOST_THREADS threads, as `ulimit -u`
// and control groups do.
#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                              void* (*work)(void*), void* argument) {
  static std::atomic<int> left = std::atoi(std::getenv("REGROUP_MOST_THREADS"));
  if (left-- <= 0) return EAGAIN;
  static const auto create =
      reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  return create(thread, attributes, work, argument);
}
