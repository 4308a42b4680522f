// SPDX-License-Identifier: BSD-3-Clause
//
// A silent instance of LAMMPS on a communicator, which reports errors by exceptions.
#pragma once

#include <mpi.h>

#include <functional>
#include <span>
#include <string>

class LammpsInstance {
 public:
  /// Collective over `comm`, as all calls. The communicator must outlive the instance.
  ///
  /// Each call throws std::runtime_error with the message of LAMMPS if it fails. No other call may
  /// follow, and the processes of the other groups must be ended.
  explicit LammpsInstance(MPI_Comm comm);
  ~LammpsInstance();
  LammpsInstance(const LammpsInstance&) = delete;
  LammpsInstance& operator=(const LammpsInstance&) = delete;

  /// Executes lines of an input script.
  void commands(const std::string& lines);

  /// Adds atoms of type 1, numbered from 1, each with three numbers in `x` and in `v`. Every member
  /// passes all atoms.
  void create_atoms(std::span<const double> x, std::span<const double> v);

  /// Fills `values` with the three numbers of each atom, by atom, on all members.
  void gather(std::string property, std::span<double> values);

  /// Returns the value of a keyword of thermo_style at the last step.
  double thermo(const char* keyword);

 private:
  void check(const std::function<void()>& call);

  MPI_Comm comm_;
  void* handle_ = nullptr;
  std::string printed_;  // output of LAMMPS since the call began
  bool failed_ = false;
};
