// SPDX-License-Identifier: BSD-3-Clause
//
// Nothing: the headers that all tests include are compiled with it, once.
