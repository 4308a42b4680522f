// SPDX-License-Identifier: BSD-3-Clause
//
// The engine alone, for applications with a main() of their own: `Ensemble` and `execute`.
#pragma once

#include "jobs/ranks/ensemble.hpp"
