// SPDX-License-Identifier: BSD-3-Clause
#include "python/python_walker.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "kernel/chains/live_chain.hpp"
#include "kernel/files/failures.hpp"
#include "regroup/waiter.hpp"

namespace regroup {
namespace {

bool prints_tracebacks = false;

/// Never destroyed: the interpreter may end before this library.
py::object& kept_error() {
  static py::object* const error = new py::object(py::none());
  return *error;
}

/// Calls `call` with the interpreter's lock.
template <class Call>
decltype(auto) in_python(Call call) {
  const py::gil_scoped_acquire acquired;
  try {
    return call();
  } catch (py::error_already_set& error) {
    const bool interrupts = !error.matches(PyExc_Exception);  // KeyboardInterrupt, SystemExit
    const std::runtime_error why = failure(error);
    if (interrupts) throw RunInterrupted(why.what());
    throw why;
  }
}

/// Returns the method if the class of `object` redefines that of regroup.Walker, else empty.
py::object own_method(const py::object& object, const char* name) {
  const py::module_ walkers = py::module_::import("regroup.walker");
  const bool own = walkers.attr("redefines")(py::type::of(object), name).cast<bool>();
  return own ? py::object(object.attr(name)) : py::object();
}

bool is_true(const py::object& value) {
  const int is = PyObject_IsTrue(value.ptr());
  if (is < 0) throw py::error_already_set();
  return is != 0;
}

double number_of(const py::handle& value) {
  const double number = PyFloat_AsDouble(value.ptr());
  if (number == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
  return number;
}

}  // namespace

void print_tracebacks(bool print) { prints_tracebacks = print; }

py::object last_error() { return std::exchange(kept_error(), py::none()); }

std::runtime_error failure(py::error_already_set& error) {
  const py::object value = error.value();
  if (error.trace()) PyException_SetTraceback(value.ptr(), error.trace().ptr());
  const std::string text =
      py::module_::import("regroup.description").attr("failure")(value).cast<std::string>();
  if (prints_tracebacks) {
    const py::object lines =
        py::module_::import("traceback")
            .attr("format_exception")(py::type::of(value), value, value.attr("__traceback__"));
    report_details(py::str("").attr("join")(lines).cast<std::string>());
  } else {
    kept_error() = value;
  }
  return std::runtime_error(text);
}

PythonWalker::PythonWalker(const py::object& make, ChainName chain) {
  in_python([&] {
    object_ = make(chain);
    const py::object base = py::module_::import("regroup.walker").attr("Walker");
    if (!py::isinstance(object_, base)) {
      throw std::runtime_error(
          fmt::format("a walker is made that is {}; allowed: an object of a "
                      "class derived from regroup.Walker",
                      std::string(py::repr(object_))));
    }
    execute_ = object_.attr("execute");
    done_ = own_method(object_, "done");
    warming_up_ = own_method(object_, "warming_up");
    digest_ = own_method(object_, "digest");
    joined_ = own_method(object_, "joined");
    leaving_ = own_method(object_, "leaving");
    auto handle = std::make_unique<TeamHandle>();
    handle->lend(nullptr);
    handle_ = handle.get();
    handle_object_ = py::cast(std::move(handle));
  });
}

PythonWalker::~PythonWalker() {
  const py::gil_scoped_acquire acquired;
  for (py::object* object : {&object_, &execute_, &handle_object_, &done_, &warming_up_, &digest_,
                             &joined_, &leaving_}) {
    *object = py::object();
  }
}

template <class Call>
void PythonWalker::with_team(Team& team, Call call) {
  in_python([&] {
    handle_->lend(&team);
    const AtEnd taken_back([this] { handle_->lend(nullptr); });
    call();
  });
}

void PythonWalker::execute(const Item& item, Team& team) {
  with_team(team, [&] { execute_(item, handle_object_); });
}

void PythonWalker::joined(Team& team) {
  if (joined_) with_team(team, [&] { joined_(handle_object_); });
}

void PythonWalker::leaving(Team& team) {
  if (leaving_) with_team(team, [&] { leaving_(handle_object_); });
}

void PythonWalker::pack(Packer& state) const {
  in_python([&] {
    const py::bytes bytes =
        py::module_::import("regroup.state").attr("packed")(object_.attr("pack")());
    const std::string_view text = bytes;
    state.put_all(std::as_bytes(std::span(text)));
  });
}

void PythonWalker::unpack(Unpacker& state) {
  const auto text = state.take_all<char>();
  in_python([&] {
    object_.attr("unpack")(
        py::module_::import("regroup.state").attr("unpacked")(py::bytes(text.data(), text.size())));
  });
}

bool PythonWalker::done() const {
  return done_ && in_python([&] { return is_true(done_()); });
}

bool PythonWalker::warming_up() const {
  return warming_up_ && in_python([&] { return is_true(warming_up_()); });
}

std::uint64_t PythonWalker::digest() const {
  if (!digest_) return 0;
  return in_python([&] {
    const py::object number = py::module_::import("operator").attr("index")(digest_());
    return static_cast<std::uint64_t>(PyLong_AsUnsignedLongLongMask(number.ptr()));
  });
}

void PythonWalker::observe(std::span<double> draw) const {
  in_python([&] {
    const py::object observed = object_.attr("observe")();
    if (draw.size() == 1 && !py::hasattr(observed, "__len__")) {
      draw[0] = number_of(observed);
      return;
    }
    const auto number = py::len(observed);
    if (number != draw.size()) {
      throw std::runtime_error(fmt::format(
          "observe() returns {} numbers, and 'observed' has {} names", number, draw.size()));
    }
    std::size_t next = 0;
    for (const py::handle& one : observed) draw[next++] = number_of(one);
  });
}

}  // namespace regroup
