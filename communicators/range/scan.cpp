// SPDX-License-Identifier: BSD-3-Clause
#include "communicators/range/lane.hpp"
#include "communicators/range/operation.hpp"
#include "regroup/range.hpp"

namespace regroup::range {
namespace {

enum class Scan { inclusive, exclusive };

/// Up the tree with root 0, every rank sends the sum of its subtree unless that has the last rank.
/// Down the tree, every rank receives the sum of all lower ranks (its prefix). It adds its own data
/// for its first child, and then the part of each child for the next child.
class ScanMachine {
 public:
  ScanMachine(const Comm& comm, const Label& label, const void* data, void* result, int count,
              MPI_Datatype type, MPI_Op op, Scan what)
      : lane_(comm, label),
        tree_(comm.rank(), comm.size(), 0, tree_width(Way::up, message_bytes(count, type))),
        data_(data),
        result_(result),
        count_(count_with_bytes(count, type)),
        type_(type),
        op_(op),
        what_(what),
        over_prefix_(what == Scan::inclusive && data != result && commutes(op)),
        parts_(lane_, tree_.children(), count_, type),
        other_(lane_, needs_other(), count_, type),
        own_(lane_, comes_in_over_data(), count_, type) {
    if (count_ == 0) {
      stage_ = Stage::done;
      return;
    }
    if (comes_in_over_data()) {
      copy_elements(data_, count_, type_, own_.at(0), count_, type_);
      data_ = own_.at(0);
    }
    for (int i = 0; i < tree_.children() && tree_.child_end(i) < lane_.size(); ++i) {
      lane_.receive(parts_.at(i), count_, type_, tree_.child(i));
    }
    if (tree_.children() == 0) send_up();
  }

  void add_pending(std::vector<PendingMessage>& pending) { lane_.add_pending(pending); }

  bool advance() {
    if (!lane_.settled()) return false;
    if (stage_ == Stage::up) {
      send_up();
      if (!lane_.settled()) return false;
    }
    if (stage_ == Stage::down) {
      send_down();
      return lane_.settled();
    }
    return true;
  }

 private:
  enum class Stage { up, down, done };

  // The prefix is received in result_, unless an inclusive sum cannot be formed over it.
  void* prefix() const {
    return what_ == Scan::inclusive && !over_prefix_ ? other_.at(0) : result_;
  }
  bool needs_other() const {
    if (tree_.is_root() || over_prefix_) return false;
    return what_ == Scan::inclusive || tree_.children() > 0;
  }
  bool comes_in_over_data() const {
    return what_ == Scan::exclusive && data_ == result_ && !tree_.is_root();
  }
  void* inclusive() const { return what_ == Scan::inclusive ? result_ : other_.at(0); }

  void send_up() {
    stage_ = Stage::down;
    if (tree_.is_root()) return;
    if (tree_.end() < lane_.size()) {
      const void* sum = data_;
      if (tree_.children() > 0) {
        // No child follows the last one, so its part is not needed on the way down.
        void* right = parts_.at(tree_.children() - 1);
        for (int i = tree_.children() - 2; i >= 0; --i) {
          combine(parts_.at(i), right, count_, type_, op_);
        }
        combine(data_, right, count_, type_, op_);
        sum = right;
      }
      lane_.send(sum, count_, type_, tree_.parent());
    }
    lane_.receive(prefix(), count_, type_, tree_.parent());
  }

  void send_down() {
    stage_ = Stage::done;
    const void* sum = data_;
    if (over_prefix_ && !tree_.is_root()) {
      combine(data_, result_, count_, type_, op_);
      sum = result_;
    } else if (what_ == Scan::inclusive || (tree_.children() > 0 && !tree_.is_root())) {
      copy_elements(data_, count_, type_, inclusive(), count_, type_);
      if (!tree_.is_root()) combine(prefix(), inclusive(), count_, type_, op_);
      sum = inclusive();
    }
    for (int i = 0; i < tree_.children(); ++i) {
      lane_.send(sum, count_, type_, tree_.child(i));
      if (i + 1 == tree_.children()) break;
      combine(sum, parts_.at(i), count_, type_, op_);
      sum = parts_.at(i);
    }
  }

  Lane lane_;
  Tree tree_;
  const void* data_;
  void* result_;
  int count_;
  MPI_Datatype type_;
  MPI_Op op_;
  Scan what_;
  bool over_prefix_;
  Buffer parts_;
  Buffer other_;
  Buffer own_;
  Stage stage_ = Stage::up;
};

}  // namespace

void scan(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op, const Comm& comm,
          int tag) {
  data = reduced_data(data, result, count, type, op);
  run<ScanMachine>(comm, Kind::scan, tag, data, result, count, type, op, Scan::inclusive);
}

Request iscan(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
              const Comm& comm, int tag) {
  data = reduced_data(data, result, count, type, op);
  return start<ScanMachine>(comm, Kind::scan, tag, data, result, count, type, op, Scan::inclusive);
}

void exscan(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
            const Comm& comm, int tag) {
  data = reduced_data(data, result, count, type, op);
  run<ScanMachine>(comm, Kind::exscan, tag, data, result, count, type, op, Scan::exclusive);
}

Request iexscan(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
                const Comm& comm, int tag) {
  data = reduced_data(data, result, count, type, op);
  return start<ScanMachine>(comm, Kind::exscan, tag, data, result, count, type, op,
                            Scan::exclusive);
}

}  // namespace regroup::range
