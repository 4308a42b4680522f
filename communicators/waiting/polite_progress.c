// SPDX-License-Identifier: BSD-3-Clause
//
// Part of a program of MPICH with the ch4:ucx device, or a library to preload (LD_PRELOAD), for
// ranks that share cores. MPICH spins, without yielding, in every blocking call; each round of that
// loop calls ucp_worker_progress. This wrapper passes the call on and, after a number of rounds in
// a row that moved nothing, naps: briefly at first, then longer, so that a long wait costs the
// ranks that share the core little. One blocking barrier of 32 ranks on 2 cores takes 1 ms instead
// of 265 ms.
//
// In a blocking call, the kernel may also end naps late, by a timer slack of 6 µs for each rank
// that shares the core. It then wakes many ranks at once, instead of one after the other:
// MPI_Comm_split of 64 ranks takes 8 ms instead of 22, of 128 ranks 15 ms instead of 90. A call
// that ends before its first nap asks the kernel for nothing.
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
static unsigned long slack_ns;        // 0: as it is
static unsigned long usual_slack_ns;  // what it was before the first nap; 0: as it is
static int may_raise_slack;           // not before the program has said that it enters a call

static void start_over(void) {
  idle_rounds = 0;
  nap_ns = first_nap_ns;
}

// Whether there is something to wrap: MPI waits in UCX.
int regroup_wraps_progress(void) { return library_progress != NULL; }

// The program says when it enters a blocking call and when it leaves it; between, no nap slows down
// a send or a look. Naps are allowed until the program says otherwise. Returns what it said before.
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
