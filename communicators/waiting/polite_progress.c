// SPDX-License-Identifier: BSD-3-Clause
//
// Part of a program that uses MPICH with the ch4:ucx device, or a library to preload (LD_PRELOAD),
// for ranks that share cores. MPICH spins, without yielding, in every blocking call; each round of
// that loop calls ucp_worker_progress. This wrapper forwards the call and, after a number of
// consecutive rounds without progress, naps: briefly at first, then longer, so that a long wait
// takes little time from the ranks that share the core. A blocking barrier of 32 ranks on 2 cores
// takes 1 ms instead of 265 ms.
//
// In a blocking call, the kernel may also end naps late, by a timer slack of 6 µs for each rank
// that shares the core. It then wakes many ranks at once, instead of one after the other:
// MPI_Comm_split takes 8 ms instead of 22 ms on 64 ranks, and 15 ms instead of 90 ms on 128 ranks.
// A call that ends before its first nap makes no additional system call.
//
// REGROUP_LONGEST_NAP_US bounds the nap (default 1000 microseconds).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

typedef unsigned (*Progress)(void* worker);

enum { rounds_per_nap = 16, first_nap_ns = 20000, slack_per_rank_ns = 6000 };

static Progress library_progress;
static long longest_nap_ns = 1000000;
static int may_nap = 1;
static int idle_rounds;
static long nap_ns = first_nap_ns;
static unsigned long slack_ns;        // slack during naps; 0: unchanged
static unsigned long usual_slack_ns;  // slack before the first nap of a call; 0: not changed yet
static int may_raise_slack;           // only in blocking calls that the program has announced

static void start_over(void) {
  idle_rounds = 0;
  nap_ns = first_nap_ns;
}

// Returns whether there is a function to wrap, because MPI waits in UCX.
int regroup_wraps_progress(void) { return library_progress != NULL; }

// Enables or disables naps, which are enabled at first, and returns the previous value. Programs
// enable them only in blocking calls, so that they do not delay nonblocking sends and probes.
int regroup_polite_progress(int on) {
  const int before = may_nap;
  if (!on && usual_slack_ns != 0) {
    prctl(PR_SET_TIMERSLACK, usual_slack_ns, 0, 0, 0);
    usual_slack_ns = 0;
  }
  may_nap = on;
  may_raise_slack = on && slack_ns != 0;
  start_over();
  return before;
}

static void nap(void) {
  if (may_raise_slack && usual_slack_ns == 0) {
    usual_slack_ns = (unsigned long)prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);
    prctl(PR_SET_TIMERSLACK, slack_ns, 0, 0, 0);
  }
  const struct timespec time = {0, nap_ns};
  nanosleep(&time, NULL);
  idle_rounds = 0;
  nap_ns = nap_ns + nap_ns / 8 < longest_nap_ns ? nap_ns + nap_ns / 8 : longest_nap_ns;
}

__attribute__((constructor)) static void begin(void) {
  library_progress = (Progress)dlsym(RTLD_NEXT, "ucp_worker_progress");
  const char* longest = getenv("REGROUP_LONGEST_NAP_US");
  if (longest != NULL && atol(longest) > 0) longest_nap_ns = atol(longest) * 1000;
  const char* ranks = getenv("PMI_SIZE");  // MPICH's launcher sets it
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  if (ranks != NULL && atol(ranks) > cores) {
    slack_ns = (unsigned long)(slack_per_rank_ns * atol(ranks) / cores);
  }
}

unsigned ucp_worker_progress(void* worker) {
  const unsigned moved = library_progress(worker);
  if (moved != 0) {
    start_over();
  } else if (may_nap && ++idle_rounds >= rounds_per_nap) {
    nap();
  }
  return moved;
}
