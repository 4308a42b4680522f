// SPDX-License-Identifier: BSD-3-Clause
#include "walkers/xyz.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "kernel/files/files.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/text/plain_text.hpp"

namespace regroup {
namespace {

constexpr std::size_t first_atom = 3;  // line of the first atom

/// Reads one file, line by line.
class XyzReader {
 public:
  explicit XyzReader(const std::string& file) : file_(file), stream_(file) {}

  std::vector<Point> read(const ClusterModel& model) {
    const auto number = next() ? parse<std::size_t>(field(0)) : std::nullopt;
    if (!number || fields_.size() != 1) fail("no number of atoms");
    if (*number != model.atoms) {
      fail(fmt::format("{} atoms, and the walker has {}", *number, model.atoms));
    }
    next();  // the comment
    std::vector<Point> atoms;
    while (atoms.size() < *number) {
      if (!next()) fail(fmt::format("the file ends after {} of {} atoms", atoms.size(), *number));
      atoms.push_back(atom());
      const double distance = std::sqrt(distance2(atoms.back(), {}));
      if (distance > model.radius) {
        fail(
            fmt::format("the atom is {:.4g} σ away from the middle of the sphere, whose radius is "
                        "{:.4g}",
                        distance, model.radius));
      }
    }
    while (next()) {
      if (!fields_.empty()) fail(fmt::format("there is more than {} atoms", *number));
    }
    return atoms;
  }

  [[noreturn]] void fail(const std::string& wrong) const {
    throw std::invalid_argument(fmt::format("{}:{}: {}", file_, line_, wrong));
  }

 private:
  bool next() {
    std::string line;
    ++line_;
    fields_.clear();
    if (!std::getline(stream_, line)) return false;
    std::istringstream words(line);
    for (std::string word; words >> word;) fields_.push_back(std::move(word));
    return true;
  }

  std::string_view field(std::size_t i) const {
    return i < fields_.size() ? std::string_view(fields_[i]) : std::string_view();
  }

  double coordinate(std::size_t i) const {
    std::string_view text = field(i);
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto number = parse<double>(text);
    if (!number || !std::isfinite(*number)) {
      fail(fmt::format("'{}' is not a coordinate", one_line(std::string(text))));
    }
    return *number;
  }

  Point atom() {
    if (fields_.size() != 4) fail("no atom; allowed: its element, x, y and z");
    if (element_.empty()) element_ = fields_[0];
    if (fields_[0] != element_) {
      fail(fmt::format("'{}' is another element than '{}'; allowed: one for all atoms",
                       one_line(fields_[0]), one_line(element_)));
    }
    return {coordinate(1), coordinate(2), coordinate(3)};
  }

  std::string file_;
  std::ifstream stream_;
  std::size_t line_ = 0;
  std::vector<std::string> fields_;
  std::string element_;
};

void check_distances(const std::string& file, const std::vector<Point>& atoms) {
  for (std::size_t b = 0; b < atoms.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      if (distance2(atoms[a], atoms[b]) >= core_radius * core_radius) continue;
      throw std::invalid_argument(
          fmt::format("{}:{}: the atom is nearer than {} σ to that of line {}", file,
                      b + first_atom, core_radius, a + first_atom));
    }
  }
}

/// Identifies the contents of a file, and the model against which they were checked.
struct Version {
  std::filesystem::file_time_type written;
  std::uintmax_t bytes = 0;
  std::size_t atoms = 0;
  double radius = 0;
  friend bool operator==(const Version&, const Version&) = default;
};

}  // namespace

std::vector<Point> atoms_in_xyz(const std::string& file, const ClusterModel& model) {
  static std::mutex mutex;
  static std::map<std::string, std::pair<Version, std::vector<Point>>> known;
  if (const std::string wrong = input_complaint(file); !wrong.empty()) {
    throw std::invalid_argument(fmt::format("{}: {}", file, wrong));
  }
  const Version now{std::filesystem::last_write_time(file), std::filesystem::file_size(file),
                    model.atoms, model.radius};
  const std::scoped_lock lock(mutex);
  const auto found = known.find(file);
  if (found != known.end() && found->second.first == now) return found->second.second;
  std::vector<Point> atoms = XyzReader(file).read(model);
  check_distances(file, atoms);
  known.insert_or_assign(file, std::pair(now, atoms));
  return atoms;
}

}  // namespace regroup
