// SPDX-License-Identifier: BSD-3-Clause
//
// LAMMPS without LAMMPS_EXCEPTIONS, such as that of Debian 12, prints an error and then ends the
// process: by MPI_Finalize if all members found the error, else by MPI_Abort. MPI_Finalize would
// wait for the other groups, and these for this group. So both throw during calls of LAMMPS.
#define LAMMPS_LIB_MPI  // declares lammps_open
#include "lammps_instance.hpp"

#include <lammps/lammps.h>
#include <lammps/library.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <regroup/waiter.hpp>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace {

struct Call {
  MPI_Comm comm;
  const std::string* printed;
};
const Call* current = nullptr;  // during a call of LAMMPS

ssize_t append(void* to, const char* text, std::size_t size) {
  static_cast<std::string*>(to)->append(text, size);
  return static_cast<ssize_t>(size);
}

/// Throws std::runtime_error with the line of the error in `printed`.
[[noreturn]] void fail(std::string_view printed) {
  const std::size_t begin = printed.rfind("ERROR");
  const std::string_view line =
      begin == printed.npos ? "ERROR of unknown cause" : printed.substr(begin);
  throw std::runtime_error("LAMMPS: " + std::string(line.substr(0, line.find('\n'))));
}

}  // namespace

int MPI_Abort(MPI_Comm comm, int code) {
  if (const Call* const call = std::exchange(current, nullptr)) fail(*call->printed);
  return PMPI_Abort(comm, code);
}

int MPI_Finalize() {
  const Call* const call = std::exchange(current, nullptr);
  if (call == nullptr) return PMPI_Finalize();
  std::string text = *call->printed;  // of the first member; the others have printed nothing
  auto size = static_cast<int>(text.size());
  MPI_Bcast(&size, 1, MPI_INT, 0, call->comm);
  text.resize(static_cast<std::size_t>(size));
  MPI_Bcast(text.data(), size, MPI_CHAR, 0, call->comm);
  fail(text);
}

void LammpsInstance::check(const std::function<void()>& call) {
  printed_.clear();
  failed_ = true;
  const Call now{comm_, &printed_};
  current = &now;
  const regroup::AtEnd ended([] { current = nullptr; });
  call();
  if (handle_ == nullptr) fail(printed_);
  if (lammps_has_error(handle_) != 0) {  // in a LAMMPS with exceptions
    std::array<char, 1024> text{};
    lammps_get_last_error_message(handle_, text.data(), static_cast<int>(text.size()));
    fail(text.data());
  }
  failed_ = false;
}

LammpsInstance::LammpsInstance(MPI_Comm comm) : comm_(comm) {
  std::vector<std::string> words{"lammps", "-log", "none", "-screen", "none", "-nocite"};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  check([&] {
    handle_ = lammps_open(static_cast<int>(arguments.size()), arguments.data(), comm, nullptr);
  });
  std::FILE* const screen = fopencookie(&printed_, "w", {nullptr, append, nullptr, nullptr});
  if (screen == nullptr) throw std::runtime_error("there is no memory for the output of LAMMPS");
  std::setvbuf(screen, nullptr, _IONBF, 0);
  static_cast<LAMMPS_NS::LAMMPS*>(handle_)->screen = screen;  // LAMMPS closes it
}

LammpsInstance::~LammpsInstance() {
  if (!failed_) lammps_close(handle_);
}

void LammpsInstance::commands(const std::string& lines) {
  check([&] { lammps_commands_string(handle_, lines.c_str()); });
}

void LammpsInstance::create_atoms(std::span<const double> x, std::span<const double> v) {
  const auto atoms = static_cast<int>(x.size() / 3);
  std::vector<int> numbers(x.size() / 3);
  std::iota(numbers.begin(), numbers.end(), 1);
  const std::vector<int> types(numbers.size(), 1);
  double created = 0;
  check([&] {
    lammps_create_atoms(handle_, atoms, numbers.data(), types.data(), x.data(), v.data(), nullptr,
                        0);
    created = lammps_get_natoms(handle_);
  });
  if (created != atoms) throw std::runtime_error("LAMMPS: atoms are outside of the box");
}

void LammpsInstance::gather(std::string property, std::span<double> values) {
  constexpr int real = 1;
  check([&] { lammps_gather_atoms(handle_, property.data(), real, 3, values.data()); });
}

double LammpsInstance::thermo(const char* keyword) {
  double value = 0;
  check([&] { value = lammps_get_thermo(handle_, keyword); });
  return value;
}
