// SPDX-License-Identifier: BSD-3-Clause
//
// The one file that includes RE2.
#include "kernel/definitions/pattern.hpp"

#include <re2/re2.h>

namespace regroup {
namespace {

RE2::Options options() {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(1 << 20);
  return options;
}

}  // namespace

Pattern::Pattern(const std::string& expression)
    : expression_(std::make_unique<RE2>(expression, options())) {}
Pattern::Pattern(Pattern&&) noexcept = default;
Pattern::~Pattern() = default;

std::string Pattern::complaint() const {
  return expression_->ok() ? std::string() : expression_->error();
}

bool Pattern::matches(const std::string& name) const { return RE2::FullMatch(name, *expression_); }

}  // namespace regroup
