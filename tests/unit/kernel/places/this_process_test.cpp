// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <sched.h>

#include <array>
#include <thread>

#include "kernel/places/host.hpp"

namespace regroup {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(OwnCpus, AreThoseThatTheProcessIsBoundTo) {
  const RankSet before = own_cpus();
  ASSERT_FALSE(before.empty());
  std::thread([&] {  // the mask is the thread's
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(before.hi()), &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_EQ(own_cpus(), RankSet(before.hi(), before.hi()));
    EXPECT_EQ(own_cores(), 1);
  })
      .join();
  EXPECT_EQ(own_cpus(), before);
  EXPECT_LE(own_cores(), before.size());
}

TEST(PlacingVariables, AreThoseOfMpiLibrariesAndSchedulersAndNoOthers) {
  const std::array environment{"UCX_TLS=tcp",
                               "PATH=/bin",
                               "SLURM_JOB_ID=7",
                               "FI_PROVIDER=a=b",
                               "MY_UCX_TLS=secret",
                               "SECRET_TOKEN=x",
                               "PBS_NODEFILE=/\x1b[2J",
                               "OMPI_MCA_btl=",
                               "MPIR_CVAR_NOLOCAL=1",
                               "SLURM_",
                               static_cast<const char*>(nullptr)};
  EXPECT_THAT(placing_variables(environment.data()),
              ElementsAre(Pair("FI_PROVIDER", "a=b"), Pair("MPIR_CVAR_NOLOCAL", "1"),
                          Pair("OMPI_MCA_btl", ""), Pair("PBS_NODEFILE", "/\xEF\xBF\xBD[2J"),
                          Pair("SLURM_JOB_ID", "7"), Pair("UCX_TLS", "tcp")));
}

TEST(JobId, IsThatOfWhicheverSchedulerThereIs) {
  for (const char* name : {"SLURM_JOB_ID", "PBS_JOBID", "FLUX_JOB_ID", "LSB_JOBID"}) {
    ASSERT_EQ(unsetenv(name), 0);
  }
  EXPECT_EQ(job_id(), "");
  for (const char* name : {"SLURM_JOB_ID", "PBS_JOBID", "FLUX_JOB_ID", "LSB_JOBID"}) {
    ASSERT_EQ(setenv(name, "12.server", 1), 0);
    EXPECT_EQ(job_id(), "12.server") << name;
    ASSERT_EQ(unsetenv(name), 0);
  }
}

}  // namespace
}  // namespace regroup
