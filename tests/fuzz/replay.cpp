// SPDX-License-Identifier: BSD-3-Clause
//
// Drives a fuzz target without libFuzzer: every file of the corpus, then seeded mutations of them,
// which are the same on every machine.
//
//   TARGET [-runs=NUMBER] [-seed=NUMBER] CORPUS_DIRECTORY…
//
// takes the options of libFuzzer that the tests give, and passes over others. A fault ends it by a
// signal; the input is then the file that was written last in the directory that it names first.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "kernel/files/files.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/fuzz/mutate.hpp"

namespace regroup::fuzz {
namespace {

constexpr unsigned hang_s = 60;           // an input that takes longer hangs: SIGALRM ends us
constexpr std::size_t largest = 1 << 16;  // bytes of a mutated input

struct Request {
  std::size_t runs = 1000;
  std::uint64_t seed = 1;
  std::vector<std::string> corpus;
};

Request request_in(int argc, char** argv) {
  Request request;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.starts_with("-runs=")) {
      request.runs = std::stoull(argument.substr(6));
    } else if (argument.starts_with("-seed=")) {
      request.seed = std::stoull(argument.substr(6));
    } else if (!argument.starts_with("-")) {
      request.corpus.push_back(argument);
    }
  }
  return request;
}

/// The contents of all files in `directories`, in the order of their names.
std::vector<std::string> contents(const std::vector<std::string>& directories) {
  std::vector<std::string> paths;
  for (const std::string& directory : directories) {
    if (!std::filesystem::is_directory(directory)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
      if (entry.is_regular_file()) paths.push_back(entry.path().string());
    }
  }
  std::ranges::sort(paths);
  std::vector<std::string> texts;
  for (const std::string& path : paths) texts.push_back(read_file(path).value());
  return texts;
}

void try_out(const std::string& text) {
  alarm(hang_s);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
}

std::string mutated(const std::vector<std::string>& corpus, Dice& dice) {
  std::string text = corpus[dice.below(corpus.size())];
  for (std::size_t i = 1 + dice.below(4); i-- > 0;) {
    mutate(text, corpus[dice.below(corpus.size())], dice);
  }
  text.resize(std::min(text.size(), largest));
  return text;
}

int replay(const Request& request) {
  const std::vector<std::string> corpus = contents(request.corpus);
  fmt::print(stderr, "{} seeds; inputs go to {}\n", corpus.size(), directory());
  for (const std::string& text : corpus) try_out(text);
  expect(taken() > 0, "not one seed is taken: the corpus is out of date");
  const std::size_t seeds_taken = taken();
  Dice dice(request.seed);
  for (std::size_t i = 0; i < request.runs; ++i) try_out(mutated(corpus, dice));
  fmt::print(stderr, "{} seeds taken, {} mutations, {} of them taken: no fault\n", seeds_taken,
             request.runs, taken() - seeds_taken);
  return 0;
}

}  // namespace
}  // namespace regroup::fuzz

int main(int argc, char** argv) {
  return regroup::fuzz::replay(regroup::fuzz::request_in(argc, argv));
}
