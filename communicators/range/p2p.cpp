// SPDX-License-Identifier: BSD-3-Clause
#include "communicators/range/lane.hpp"
#include "communicators/range/matching.hpp"
#include "communicators/range/operation.hpp"
#include "regroup/range.hpp"

namespace regroup::range {
namespace {

void require_source(int from, int tag, const Comm& comm) {
  require_member(comm);
  if (from != MPI_ANY_SOURCE && from != MPI_PROC_NULL) require_rank("the source", from, comm);
  if (tag != MPI_ANY_TAG) require_message_tag(tag, comm);
}

void require_receive(const void* data, int count, MPI_Datatype type, int from, int tag,
                     const Comm& comm) {
  require_source(from, tag, comm);
  require_buffer(data);
  require_elements(count, type);
}

void require_send(const void* data, int count, MPI_Datatype type, int to, int tag,
                  const Comm& comm) {
  require_member(comm);
  if (to != MPI_PROC_NULL) require_rank("the destination", to, comm);
  require_message_tag(tag, comm);
  require_buffer(data);
  require_elements(count, type);
}

int wire(const Comm& comm, int tag) { return wire_tag(comm, Kind::point_to_point, tag); }

Label label(const Comm& comm, int tag) { return {wire(comm, tag)}; }

void translate(const Comm& comm, MPI_Status& status) {
  status.MPI_SOURCE = comm.rank_of(status.MPI_SOURCE);
  status.MPI_TAG = status.MPI_TAG % tags_of_channel - first_message_tag;
}

/// Sets the status of a receive from MPI_PROC_NULL.
void set_no_process(MPI_Status* status) {
  if (status == MPI_STATUS_IGNORE) return;
  set_empty(*status);
  status->MPI_SOURCE = MPI_PROC_NULL;
}

/// A send to or a receive from MPI_PROC_NULL.
class Nothing final : public Operation {
 public:
  Nothing(const Comm& comm, bool receives) : Operation(comm, label(comm, 0)), receives_(receives) {}

  void tell(MPI_Status& status) const override {
    receives_ ? set_no_process(&status) : set_empty(status);
  }

 private:
  bool step() override { return true; }
  bool add_pending(std::vector<PendingMessage>&) override { return true; }

  bool receives_;
};

using SendCall = decltype(&MPI_Isend);

class Send final : public Operation {
 public:
  Send(const Comm& comm, SendCall call, const void* data, int count, MPI_Datatype type, int to,
       int tag)
      : Operation(comm, label(comm, tag)) {
    throw_on_error(
        call(data, count, type, comm.parent_rank(to), wire(comm, tag), parent().comm(), &request_));
  }
  ~Send() override {
    if (request_ != MPI_REQUEST_NULL) MPI_Request_free(&request_);
  }

 private:
  bool step() override { return request_is_through(request_); }
  bool add_pending(std::vector<PendingMessage>& pending) override {
    pending.push_back({&request_});
    return true;
  }

  MPI_Request request_ = MPI_REQUEST_NULL;
};

class Receive final : public Operation, private WaitingReceive {
 public:
  Receive(const Comm& comm, void* data, int count, MPI_Datatype type, int from, int tag)
      : Operation(comm, label(comm, tag == MPI_ANY_TAG ? 0 : tag)),
        WaitingReceive(Wanted(comm, from, tag)),
        data_(data),
        count_(count),
        type_(type) {
    parent().matching().add(*this);
    rethrow_error();
  }
  ~Receive() override {
    if (!posted_) parent().matching().remove(*this);
    give_up_receive(request_);
  }

  void tell(MPI_Status& status) const override { status = status_; }

 private:
  void take(Arrival arrival) override {
    start([&] { parent().matching().receive(data_, count_, type_, arrival, &request_); });
  }
  void post() override {
    start([&] {
      throw_on_error(MPI_Irecv(data_, count_, type_, wanted().source(), wanted().tag(),
                               parent().comm(), &request_));
    });
  }
  // Stores an error in this operation, because the caller may be waiting for another one.
  template <class Post>
  void start(Post post) {
    posted_ = true;
    try {
      post();
    } catch (...) {
      fail(std::current_exception());
    }
  }

  bool step() override {
    // Parent::wait_for_a_message completes the request, sets it to null, and stores the status.
    if (!posted_ || !request_is_through(request_, &status_)) return false;
    translate(comm(), status_);
    return true;
  }
  bool add_pending(std::vector<PendingMessage>& pending) override {
    if (posted_) pending.push_back({&request_, &status_});
    return posted_;
  }

  void* data_;
  int count_;
  MPI_Datatype type_;
  bool posted_ = false;
  MPI_Request request_ = MPI_REQUEST_NULL;
  MPI_Status status_{};
};

Request start_send(SendCall call, const void* data, int count, MPI_Datatype type, int to, int tag,
                   const Comm& comm) {
  require_send(data, count, type, to, tag, comm);
  if (to == MPI_PROC_NULL) return start_operation<Nothing>(comm, false);
  return start_operation<Send>(comm, call, data, count, type, to, tag);
}

/// Runs a blocking send as an operation on the stack.
void run_send(SendCall call, const void* data, int count, MPI_Datatype type, int to, int tag,
              const Comm& comm) {
  require_send(data, count, type, to, tag, comm);
  if (to == MPI_PROC_NULL) return;
  Send operation(comm, call, data, count, type, to, tag);
  comm.parent().wait_until([&] { return operation.done(); });
  operation.rethrow_error();
}

}  // namespace

void send(const void* data, int count, MPI_Datatype type, int to, int tag, const Comm& comm) {
  run_send(&MPI_Isend, data, count, type, to, tag, comm);
}

void ssend(const void* data, int count, MPI_Datatype type, int to, int tag, const Comm& comm) {
  run_send(&MPI_Issend, data, count, type, to, tag, comm);
}

void recv(void* data, int count, MPI_Datatype type, int from, int tag, const Comm& comm,
          MPI_Status* status) {
  require_receive(data, count, type, from, tag, comm);
  if (from == MPI_PROC_NULL) {
    set_no_process(status);
    return;
  }
  Receive operation(comm, data, count, type, from, tag);
  comm.parent().wait_until([&] { return operation.done(); });
  operation.rethrow_error();
  if (status != MPI_STATUS_IGNORE) operation.tell(*status);
}

void sendrecv(const void* data, int count, MPI_Datatype type, int to, int tag, void* result,
              int result_count, MPI_Datatype result_type, int from, int result_tag,
              const Comm& comm, MPI_Status* status) {
  require_send(data, count, type, to, tag, comm);
  require_receive(result, result_count, result_type, from, result_tag, comm);
  if (from == MPI_PROC_NULL) {
    send(data, count, type, to, tag, comm);
    set_no_process(status);
    return;
  }
  // Not a Request, whose destructor would wait for the message if the send failed.
  Receive receiving(comm, result, result_count, result_type, from, result_tag);
  send(data, count, type, to, tag, comm);
  comm.parent().wait_until([&] { return receiving.done(); });
  receiving.rethrow_error();
  if (status != MPI_STATUS_IGNORE) receiving.tell(*status);
}

Request isend(const void* data, int count, MPI_Datatype type, int to, int tag, const Comm& comm) {
  return start_send(&MPI_Isend, data, count, type, to, tag, comm);
}

Request issend(const void* data, int count, MPI_Datatype type, int to, int tag, const Comm& comm) {
  return start_send(&MPI_Issend, data, count, type, to, tag, comm);
}

Request irecv(void* data, int count, MPI_Datatype type, int from, int tag, const Comm& comm) {
  require_receive(data, count, type, from, tag, comm);
  if (from == MPI_PROC_NULL) return start_operation<Nothing>(comm, true);
  return start_operation<Receive>(comm, data, count, type, from, tag);
}

void probe(int from, int tag, const Comm& comm, MPI_Status* status) {
  require_source(from, tag, comm);
  comm.parent().waiter().until([&] { return iprobe(from, tag, comm, status); });
}

bool iprobe(int from, int tag, const Comm& comm, MPI_Status* status) {
  require_source(from, tag, comm);
  if (from == MPI_PROC_NULL) {
    set_no_process(status);
    return true;
  }
  MPI_Status found;
  if (!comm.parent().matching().find(Wanted(comm, from, tag), found)) {
    if (!comm.parent().idle()) comm.parent().progress();
    return false;
  }
  translate(comm, found);
  if (status != MPI_STATUS_IGNORE) *status = found;
  return true;
}

}  // namespace regroup::range
