// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "jobs/trace/spans.hpp"

namespace regroup {

/// The group of a span, for people: "walker 12", "idle", "forming".
std::string word_of(const TracedRun& run, const Span& span);

/// A file in the JSON of the Trace Event Format (Google), which Perfetto (ui.perfetto.dev) and
/// chrome://tracing open: a thread for each rank, times in microseconds.
void write_chrome_trace(const TracedRun& run, const std::string& file);

/// Whether this program was built with the Open Trace Format 2, version 3.
bool has_otf2();

/// An archive of the Open Trace Format 2 in the new directory `directory`, which Vampir, Score-P's
/// tools and others open: a location for each rank, times in nanoseconds. Throws UserError where it
/// was built without, or the directory is there.
void write_otf2_trace(const TracedRun& run, const std::string& directory);

}  // namespace regroup
