// SPDX-License-Identifier: BSD-3-Clause
#include "tests/fuzz/mutate.hpp"

#include <array>
#include <string_view>

namespace regroup::fuzz {
namespace {

using namespace std::string_view_literals;

constexpr std::array words{
    ","sv,
    "\""sv,
    "\"\""sv,
    "\n"sv,
    "\r\n"sv,
    "\r"sv,
    " "sv,
    "\t"sv,
    ":"sv,
    ": "sv,
    "- "sv,
    "{"sv,
    "}"sv,
    "["sv,
    "]"sv,
    "[["sv,
    "#"sv,
    "&a "sv,
    "*a"sv,
    "<<: *a"sv,
    "!!int "sv,
    "!!map "sv,
    "!!null"sv,
    "~"sv,
    "null"sv,
    "true"sv,
    "|\n"sv,
    ">-\n"sv,
    "? "sv,
    "---\n"sv,
    "...\n"sv,
    "%YAML 9\n"sv,
    "'"sv,
    "\\"sv,
    "\\u0000"sv,
    "\\x41"sv,
    "\0"sv,
    "\x1b["sv,
    "\x7f"sv,
    "\x80"sv,
    "\xe4"sv,
    "\xff\xfe"sv,
    "\xc0\x80"sv,
    "\xed\xa0\x80"sv,
    "\xef\xbb\xbf"sv,
    "\xe2\x80\xa8"sv,
    "=1+1"sv,
    ",,,,"sv,
    "ok"sv,
    "failed"sv,
    "virtual"sv,
    "mpi"sv,
    "none"sv,
    "\"kind\":"sv,
    "\"name\":\"\""sv,
};

constexpr std::array numbers{
    "0"sv,
    "-0"sv,
    "1"sv,
    "-1"sv,
    "0.5"sv,
    "1e-300"sv,
    "1e18"sv,
    "1e308"sv,
    "1e309"sv,
    "-1e308"sv,
    "nan"sv,
    "inf"sv,
    "-inf"sv,
    "0x10"sv,
    "1_000"sv,
    "1,5"sv,
    "007"sv,
    "+1"sv,
    "2147483647"sv,
    "2147483648"sv,
    "-2147483649"sv,
    "9223372036854775807"sv,
    "9223372036854775808"sv,
    "18446744073709551616"sv,
    "99999999999999999999999999999999"sv,
    "1e"sv,
    "."sv,
    ""sv,
};

/// A piece of `text` between places that `dice` chooses, or nothing.
struct Piece {
  std::size_t begin;
  std::size_t size;
};

Piece piece_of(const std::string& text, Dice& dice, std::size_t largest) {
  const std::size_t begin = dice.below(text.size() + 1);
  return {begin, dice.below(std::min(largest, text.size() - begin) + 1)};
}

/// What stands between two of `ends` at a place that `dice` chooses: a line, or a cell.
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
  text.insert(dice.below(text.size() + 1), words[dice.below(words.size())]);
}

void change_number(std::string& text, const std::string&, Dice& dice) {
  const std::size_t begin = text.find_first_of("0123456789", dice.below(text.size() + 1));
  if (begin == std::string::npos) return;
  const std::size_t end = std::min(text.find_first_not_of("0123456789.e+-", begin), text.size());
  text.replace(begin, end - begin, numbers[dice.below(numbers.size())]);
}

void change_cell(std::string& text, const std::string&, Dice& dice) {
  const Piece cell = part_of(text, dice, ",\n");
  const std::size_t choice = dice.below(words.size() + numbers.size());
  text.replace(cell.begin, cell.size,
               choice < words.size() ? words[choice] : numbers[choice - words.size()]);
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

}  // namespace

void mutate(std::string& text, const std::string& other, Dice& dice) {
  ways[dice.below(ways.size())](text, other, dice);
}

}  // namespace regroup::fuzz
