// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/places/host_list.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <stdexcept>

namespace regroup::host_list_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

/// Returns the hosts of a list, with their slots if there are several: "n1=2 n2".
std::string read(std::string_view text) {
  std::string all;
  for (const auto& [name, slots] : host_list(text)) {
    if (!all.empty()) all += ' ';
    all += slots == 1 ? name : fmt::format("{}={}", name, slots);
  }
  return all;
}

struct Row {
  const char* text;
  const char* hosts;
};

// Examples from the manuals.
constexpr std::array rows{
    // Slurm: scontrol(1), sbatch(1), slurm.conf(5); Flux uses the same syntax
    Row{"snowflake0", "snowflake0"},
    Row{"tux2,tux1,tux2", "tux2 tux1 tux2"},
    Row{"tux[1-3]", "tux1 tux2 tux3"},
    Row{"lx[10-12,15]", "lx10 lx11 lx12 lx15"},
    Row{"linux[00-03]", "linux00 linux01 linux02 linux03"},
    Row{"node[001-003,007]", "node001 node002 node003 node007"},
    Row{"n[8-11]", "n8 n9 n10 n11"},
    Row{"n[098-101]", "n098 n099 n100 n101"},
    Row{"n[1]", "n1"},
    Row{"rack[0-1]_blade[0-2]",
        "rack0_blade0 rack0_blade1 rack0_blade2 rack1_blade0 rack1_blade1 rack1_blade2"},
    Row{"n[1-2]-ib", "n1-ib n2-ib"},
    Row{"cn[1,3],gpu[01-02],login", "cn1 cn3 gpu01 gpu02 login"},
    Row{"nid[000008-000009]", "nid000008 nid000009"},
    Row{"ip-10-0-0-[7,12]", "ip-10-0-0-7 ip-10-0-0-12"},
    // PBS Professional: exec_host, exec_vnode, $PBS_NODEFILE
    Row{"node01/0", "node01"},
    Row{"node01/0*2+node02/1", "node01=2 node02"},
    Row{"a.east.example/0*4+a.west.example/0*4", "a.east.example=4 a.west.example=4"},
    Row{"(node01:ncpus=2:mem=4gb)+(node02:ncpus=1)", "node01=2 node02"},
    Row{"(n1:ncpus=2:mem=1gb+n2:ncpus=2:ngpus=1)+(n3:ncpus=4)", "n1=2 n2=2 n3=4"},
    Row{"n1.cluster.example\nn1.cluster.example\nn2.cluster.example\n",
        "n1.cluster.example n1.cluster.example n2.cluster.example"},
    // Torque: -l nodes=, exec_host
    Row{"n1:ppn=4+n2:ppn=2", "n1=4 n2=2"},
    Row{"n1/0+n1/1+n2/0", "n1 n1 n2"},
    Row{"n1/0-3", "n1=4"},
    Row{"n1/0,2,4-5+n2/7", "n1=4 n2"},
    // LSF: $LSB_HOSTS, $LSB_MCPU_HOSTS, bjobs, $LSB_DJOB_HOSTFILE, condensed host names
    Row{"hostA hostA hostB", "hostA hostA hostB"},
    Row{"hostA 2 hostB 4", "hostA=2 hostB=4"},
    Row{"4*hostA:2*hostB", "hostA=4 hostB=2"},
    Row{"4*hostA:hostB:hostC", "hostA=4 hostB hostC"},
    Row{"host[01-03].example.com", "host01.example.com host02.example.com host03.example.com"},
    Row{"host[5:7].example.com", "host5.example.com host6.example.com host7.example.com"},
    Row{"host[1:2,20,30:31]", "host1 host2 host20 host30 host31"},
    Row{"hostA[1,3]B[1-3]", "hostA1B1 hostA1B2 hostA1B3 hostA3B1 hostA3B2 hostA3B3"},
    Row{"hostA\nhostA\nhostB\n", "hostA hostA hostB"},
    // Hydra: -hosts, -f
    Row{"host1:2,host2", "host1=2 host2"},
    Row{"donner\nfoo:4\nshakti\n", "donner foo=4 shakti"},
    Row{"host1:1 binding=rr\nhost2:1\n", "host1 host2"},
    Row{"host1:2 ifhn=host1-ib # fast\n", "host1=2"},
    // Open MPI: hostfiles, --host
    Row{"aa slots=2\nbb slots=2 max_slots=4\ncc\n", "aa=2 bb=2 cc"},
    Row{"# mine\n\n  node[1-2] slots=8 max-slots=8  # new\n", "node1=8 node2=8"},
    Row{"aa,aa,bb", "aa aa bb"},
    // addresses
    Row{"10.0.0.1:2,10.0.0.2", "10.0.0.1=2 10.0.0.2"},
    Row{"192.168.1.[9-11]:4", "192.168.1.9=4 192.168.1.10=4 192.168.1.11=4"},
    Row{"10.0.0.1/0*2+10.1.0.1/0*2", "10.0.0.1=2 10.1.0.1=2"},
    Row{"fe80::1", "fe80::1"},
    Row{"::1,2001:db8::2", "::1 2001:db8::2"},
    Row{"[2001:db8::1]:2,[2001:db8::2]", "2001:db8::1=2 2001:db8::2"},
    Row{"fe80::1%eth0 slots=3", "fe80::1%eth0=3"},
    Row{"2001:db8:0:0:0:0:0:17 4 n1 2", "2001:db8:0:0:0:0:0:17=4 n1=2"},
    // Regroup's own syntax
    Row{"node[001-003]:2", "node001=2 node002=2 node003=2"},
    Row{"node[1-2].example:2, login", "node1.example=2 node2.example=2 login"},
    Row{"h1\tslots=2\r\nh2:3\r\n", "h1=2 h2=3"},
    Row{"", ""},
    Row{" # nobody\n", ""},
};

TEST(HostList, IsReadAsTheManualsHaveIt) {
  static_assert(rows.size() >= 40);
  for (const auto& [text, hosts] : rows) {
    EXPECT_EQ(read(text), hosts) << text;
  }
}

TEST(HostList, RefusesWhatIsNoHost) {
  for (const char* text : {"h1:x",
                           "h1:",
                           ":2",
                           "h1:0",
                           "h1:-1",
                           "h1:2:3",
                           "h1:99999999999",
                           "h1 slots=x",

                           "slots=2",
                           "h1 what=2",
                           "2",
                           "h1,2",
                           "h1 2 3",
                           "h1\n2",
                           "h1:2 slots=3",
                           "n[1-",
                           "n[]",
                           "n[3-1]",
                           "n[a-c]",
                           "n1]",
                           "n[1-2",
                           "n[1,]",
                           "n[1-9999999]",
                           "n[1-1000][1-1000][1-1000]",
                           "n*",
                           "a|b",
                           "h1/",
                           "h1/x",
                           "h1/0*0",
                           "0*h1",
                           "3*",
                           "-h",
                           ".example",
                           "[fe80::1",
                           "[fe80::1]:x",
                           "a@b",
                           "n[99999999999999999999]"}) {
    EXPECT_THROW(host_list(text), std::invalid_argument) << text;
  }
  EXPECT_THROW(host_names(std::string(1000, 'a')), std::invalid_argument);
  EXPECT_THROW(host_names("n[" + std::string(1000, '0') + "]"), std::invalid_argument);
}

TEST(HostList, MayBeLong) {
  EXPECT_THAT(host_list("n[1-100000]"), SizeIs(100'000));
  EXPECT_EQ(host_list("n[2147483646-2147483647]").back().name, "n2147483647");
}

TEST(SameHost, HasOneDomainAtMost) {
  for (const auto& [a, b] : {std::pair("n1", "n1"), std::pair("n1", "n1.a.example"),
                             std::pair("n1.a.example", "n1"), std::pair("10.0.0.1", "10.0.0.1")}) {
    EXPECT_TRUE(same_host(a, b)) << a << ' ' << b;
  }
  for (const auto& [a, b] : {std::pair("n1", "n10"), std::pair("n1.a.example", "n1.b.example"),
                             std::pair("10", "10.0.0.1"), std::pair("10.0.0.1", "10.0.0.2"),
                             std::pair("", ".a"), std::pair("n1.a", "n1.a.example")}) {
    EXPECT_FALSE(same_host(a, b)) << a << ' ' << b;
  }
}

TEST(NumbersOfHosts, AreRepeated) {
  EXPECT_THAT(numbers_of_hosts("2(x3),4"), ElementsAre(2, 2, 2, 4));
  EXPECT_THAT(numbers_of_hosts("72"), ElementsAre(72));
  EXPECT_THAT(numbers_of_hosts(""), IsEmpty());
  for (const char* text : {"x", "2(x)", "2(x0)", "2(x99999999)", "2,,3", "2(3)", "-1"}) {
    EXPECT_THROW(numbers_of_hosts(text), std::invalid_argument) << text;
  }
}

}  // namespace
}  // namespace regroup::host_list_test
