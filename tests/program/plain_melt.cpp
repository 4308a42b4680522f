// SPDX-License-Identifier: BSD-3-Clause
//
// Runs LAMMPS without Regroup from the initial state of a chain of examples/lammps:
//
//   plain_melt CHAIN STREAM ATOMS DATA_FILE SCRIPT
//
// Writes the initial state to DATA_FILE, in LAMMPS' format, and executes SCRIPT, which reads it.
#define LAMMPS_LIB_MPI
#include <lammps/library.h>
#include <mpi.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <regroup/program.hpp>
#include <string>
#include <vector>

using namespace regroup;

namespace {

using Three = std::array<double, 3>;

State start_of(ChainName chain, const std::string& atoms) {
  const Catalog catalog = make_catalog(add_rows);
  const WalkerEntry& row = *find_entry(catalog.walkers, "melt");
  Options options = with_fallbacks(row).options;
  options.set("atoms", atoms);
  State state;
  Packer packer(state);
  row.make(options, chain)->pack(packer);
  return state;
}

void write_data(const State& state, const char* file) {
  Unpacker unpacker(state);
  unpacker.take<std::int64_t>();  // steps
  const std::size_t atoms = unpacker.bytes_left() / (2 * sizeof(Three));
  std::vector<Three> x(atoms);
  std::vector<Three> v(atoms);
  unpacker.take(std::span(x));
  unpacker.take(std::span(v));
  const double edge = std::cbrt(static_cast<double>(atoms) / 0.8442);
  std::FILE* const data = std::fopen(file, "w");
  std::fprintf(data, "start\n\n%zu atoms\n1 atom types\n\n", atoms);
  for (const char* const axis : {"x", "y", "z"}) {
    std::fprintf(data, "0 %.17g %slo %shi\n", edge, axis, axis);
  }
  std::fprintf(data, "\nMasses\n\n1 1\n\nAtoms\n\n");
  for (std::size_t i = 0; i < atoms; ++i) {
    std::fprintf(data, "%zu 1 %.17g %.17g %.17g\n", i + 1, x[i][0], x[i][1], x[i][2]);
  }
  std::fprintf(data, "\nVelocities\n\n");
  for (std::size_t i = 0; i < atoms; ++i) {
    std::fprintf(data, "%zu %.17g %.17g %.17g\n", i + 1, v[i][0], v[i][1], v[i][2]);
  }
  std::fclose(data);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  MPI_Init(&argc, &argv);
  write_data(start_of({std::stoi(argv[1]), std::stoull(argv[2])}, argv[3]), argv[4]);
  std::vector<std::string> words{"lammps", "-screen", "none", "-nocite"};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  void* const lammps =
      lammps_open(static_cast<int>(arguments.size()), arguments.data(), MPI_COMM_WORLD, nullptr);
  lammps_file(lammps, argv[5]);
  lammps_close(lammps);
  MPI_Finalize();
  return 0;
}
