// SPDX-License-Identifier: BSD-3-Clause
//
// Drives a fuzz target without libFuzzer: runs every file of the corpus, then seeded mutations of
// them, which are the same on every machine.
//
//   TARGET [-runs=NUMBER] [-seed=NUMBER] CORPUS_DIRECTORY…
//
// Accepts these options of libFuzzer and ignores others. A fault ends the program by a signal; the
// input is then the file written last in the first directory.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/files/files.hpp"
#include "kernel/text/shell_words.hpp"
#include "tests/fuzz/input.hpp"

namespace regroup::fuzz {
namespace {

/// Draws the same numbers on all platforms; the standard library's distributions do not.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : bits_(seed) {}

  /// Returns a number below `limit`, or 0 if `limit` is 0.
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : bits_() % limit; }

 private:
  std::mt19937_64 bits_;
};

constexpr std::string_view words[] = {",",
                                      "\"",
                                      "\"\"",
                                      "\n",
                                      "\r\n",
                                      "\r",
                                      " ",
                                      "\t",
                                      ":",
                                      ": ",
                                      "- ",
                                      "{",
                                      "}",
                                      "[",
                                      "]",
                                      "[[",
                                      "#",
                                      "&a ",
                                      "*a",
                                      "<<: *a",
                                      "!!int ",
                                      "!!map ",
                                      "!!null",
                                      "~",
                                      "null",
                                      "true",
                                      "|\n",
                                      ">-\n",
                                      "? ",
                                      "---\n",
                                      "...\n",
                                      "%YAML 9\n",
                                      "'",
                                      "\\",
                                      "\\u0000",
                                      "\\x41",
                                      std::string_view("\0", 1),
                                      "\x1b[",
                                      "\x7f",
                                      "\x80",
                                      "\xe4",
                                      "\xff\xfe",
                                      "\xc0\x80",
                                      "\xed\xa0\x80",
                                      "\xef\xbb\xbf",
                                      "\xe2\x80\xa8",
                                      "=1+1",
                                      ",,,,",
                                      "ok",
                                      "failed",
                                      "virtual",
                                      "mpi",
                                      "none",
                                      "\"kind\":",
                                      "\"name\":\"\""};

/// Numbers, including the limits of types, and texts that only look like numbers.
const std::vector<std::string> numbers = regroup::words(
    "0 -0 1 -1 0.5 1e-300 1e18 1e308 1e309 -1e308 nan inf -inf 0x10 1_000 1,5 007 +1 2147483647 "
    "2147483648 -2147483649 9223372036854775807 9223372036854775808 18446744073709551616 "
    "99999999999999999999999999999999 1e . ''");

/// A substring of a text, by offset and size; it may be empty.
struct Piece {
  std::size_t begin;
  std::size_t size;
};

Piece piece_of(const std::string& text, Dice& dice, std::size_t largest) {
  const std::size_t begin = dice.below(text.size() + 1);
  return {begin, dice.below(std::min(largest, text.size() - begin) + 1)};
}

/// Returns a random line or cell: the text between two of the delimiters `ends`.
Piece part_of(const std::string& text, Dice& dice, std::string_view ends) {
  const std::size_t place = dice.below(text.size() + 1);
  const std::size_t before = place == 0 ? std::string::npos : text.find_last_of(ends, place - 1);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  return {begin, std::min(text.find_first_of(ends, begin), text.size()) - begin};
}

void change_byte(std::string& text, const std::string&, Dice& dice) {
  if (text.empty()) return;
  char& byte = text[dice.below(text.size())];
  byte = dice.below(2) == 0 ? static_cast<char>(byte ^ (1 << dice.below(8)))
                            : static_cast<char>(dice.below(256));
}

void erase(std::string& text, const std::string&, Dice& dice) {
  const Piece piece = piece_of(text, dice, 16);
  text.erase(piece.begin, piece.size);
}

void truncate(std::string& text, const std::string&, Dice& dice) {
  text.resize(dice.below(text.size() + 1));
}

void repeat(std::string& text, const std::string&, Dice& dice) {
  const Piece piece = piece_of(text, dice, 64);
  const std::string copy = text.substr(piece.begin, piece.size);
  for (std::size_t i = dice.below(16); i-- > 0;) text.insert(piece.begin, copy);
}

void insert_word(std::string& text, const std::string&, Dice& dice) {
  text.insert(dice.below(text.size() + 1), words[dice.below(std::size(words))]);
}

void change_number(std::string& text, const std::string&, Dice& dice) {
  const std::size_t begin = text.find_first_of("0123456789", dice.below(text.size() + 1));
  if (begin == std::string::npos) return;
  const std::size_t end = std::min(text.find_first_not_of("0123456789.e+-", begin), text.size());
  text.replace(begin, end - begin, numbers[dice.below(std::size(numbers))]);
}

void change_cell(std::string& text, const std::string&, Dice& dice) {
  const Piece cell = part_of(text, dice, ",\n");
  const std::size_t choice = dice.below(std::size(words) + std::size(numbers));
  text.replace(cell.begin, cell.size,
               choice < std::size(words) ? words[choice]
                                         : std::string_view(numbers[choice - std::size(words)]));
}

void move_line(std::string& text, const std::string&, Dice& dice) {
  const Piece line = part_of(text, dice, "\n");
  const std::string copy = text.substr(line.begin, line.size) + "\n";
  if (dice.below(2) == 0) text.erase(line.begin, line.size + 1);
  if (dice.below(3) != 0) text.insert(part_of(text, dice, "\n").begin, copy);
}

void splice(std::string& text, const std::string& other, Dice& dice) {
  const Piece piece = piece_of(other, dice, other.size());
  text.insert(dice.below(text.size() + 1), other, piece.begin, piece.size);
}

constexpr std::array ways{change_byte, erase,       truncate,      repeat,
                          insert_word, insert_word, change_number, change_number,
                          change_cell, change_cell, move_line,     splice};

/// Damages `text` in one way: its bytes, numbers, lines or cells, or by tokens that are special in
/// YAML, CSV and JSON. `other` is a text from which pieces are copied.
void mutate(std::string& text, const std::string& other, Dice& dice) {
  ways[dice.below(ways.size())](text, other, dice);
}

constexpr unsigned hang_s = 60;  // an input that takes longer hangs: SIGALRM ends the program
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

/// Returns the contents of all files in `directories`, sorted by path.
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
