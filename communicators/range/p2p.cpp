// SPDX-License-Identifier: BSD-3-Clause
#include "communicators/range/p2p.hpp"

#include "communicators/range/lane.hpp"
#include "communicators/range/operation.hpp"

namespace regroup::range {
namespace {

void require_source(int from, int tag, const Comm& comm) {
  require_member(comm);
  if (from != MPI_ANY_SOURCE) require_rank("the source", from, comm);
  if (tag != MPI_ANY_TAG) require_tag(tag);
}

int wire(const Comm& comm, int tag) { return wire_tag(comm, Kind::point_to_point, tag); }

bool look(const Comm& comm, int parent_rank, int mpi_tag, MPI_Status& status) {
  int found = 0;
  throw_on_error(MPI_Iprobe(parent_rank, mpi_tag, comm.parent().comm(), &found, &status));
  return found != 0;
}

// Whether a message that a wildcard found is one of ours.
bool ours(const Comm& comm, const MPI_Status& status) {
  const int first_tag = wire(comm, 0);
  return comm.rank_of(status.MPI_SOURCE) >= 0 && status.MPI_TAG >= first_tag &&
         status.MPI_TAG <= first_tag + Parent::max_tag;
}

// `parent_rank` may be MPI_ANY_SOURCE.
bool find_tag(const Comm& comm, int parent_rank, int tag, MPI_Status& status) {
  if (tag != MPI_ANY_TAG) return look(comm, parent_rank, wire(comm, tag), status);
  if (!look(comm, parent_rank, MPI_ANY_TAG, status)) return false;
  if (ours(comm, status)) return true;
  if (parent_rank == MPI_ANY_SOURCE) return true;  // the caller looks closer
  for (int each = 0; each <= Parent::max_tag; ++each) {
    if (look(comm, parent_rank, wire(comm, each), status)) return true;
  }
  return false;
}

// Finds a message of a member; the status is in the parent's ranks and MPI tags.
bool find(const Comm& comm, int from, int tag, MPI_Status& status) {
  if (from != MPI_ANY_SOURCE) return find_tag(comm, comm.parent_rank(from), tag, status);
  if (!find_tag(comm, MPI_ANY_SOURCE, tag, status)) return false;
  if (ours(comm, status)) return true;
  // What MPI would give out first is none of ours, and may hide one of ours.
  for (int rank = 0; rank < comm.size(); ++rank) {
    if (find_tag(comm, comm.parent_rank(rank), tag, status)) return true;
  }
  return false;
}

void translate(const Comm& comm, MPI_Status& status) {
  status.MPI_SOURCE = comm.rank_of(status.MPI_SOURCE);
  status.MPI_TAG &= Parent::max_tag;
}

class Send final : public Operation {
 public:
  Send(const Comm& comm, const void* data, int count, MPI_Datatype type, int to, int tag)
      : Operation(comm, Kind::point_to_point, tag) {
    throw_on_error(MPI_Isend(data, count, type, comm.parent_rank(to), wire(comm, tag),
                             parent().comm(), &request_));
  }

 private:
  bool step() override { return request_is_through(request_); }
  bool add_pending(std::vector<PendingMessage>& pending) override {
    pending.push_back({&request_});
    return true;
  }

  MPI_Request request_ = MPI_REQUEST_NULL;
};

class Receive final : public Operation {
 public:
  Receive(const Comm& comm, void* data, int count, MPI_Datatype type, int from, int tag)
      : Operation(comm, Kind::point_to_point, tag == MPI_ANY_TAG ? 0 : tag),
        data_(data),
        count_(count),
        type_(type),
        from_(from),
        tag_(tag) {
    if (from != MPI_ANY_SOURCE && tag != MPI_ANY_TAG) post(comm.parent_rank(from), wire(comm, tag));
  }

  void tell(MPI_Status& status) const override { status = status_; }

 private:
  void post(int parent_rank, int mpi_tag) {
    throw_on_error(
        MPI_Irecv(data_, count_, type_, parent_rank, mpi_tag, parent().comm(), &request_));
    posted_ = true;
  }

  bool step() override {
    if (!posted_) {
      if (!find(comm(), from_, tag_, status_)) return false;
      post(status_.MPI_SOURCE, status_.MPI_TAG);
    }
    // A null request was completed by waiting, and the status came with that.
    if (!request_is_through(request_, &status_)) return false;
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
  int from_;
  int tag_;
  bool posted_ = false;
  MPI_Request request_ = MPI_REQUEST_NULL;
  MPI_Status status_{};
};

}  // namespace

void send(const void* data, int count, MPI_Datatype type, int to, int tag, const Comm& comm) {
  require_member(comm);
  require_rank("the destination", to, comm);
  require_tag(tag);
  require_count(count);
  Send operation(comm, data, count, type, to, tag);
  comm.parent().wait_until([&] { return operation.done(); });
}

void recv(void* data, int count, MPI_Datatype type, int from, int tag, const Comm& comm,
          MPI_Status* status) {
  require_source(from, tag, comm);
  require_count(count);
  Receive operation(comm, data, count, type, from, tag);
  comm.parent().wait_until([&] { return operation.done(); });
  if (status != MPI_STATUS_IGNORE) operation.tell(*status);
}

Request isend(const void* data, int count, MPI_Datatype type, int to, int tag, const Comm& comm) {
  require_member(comm);
  require_rank("the destination", to, comm);
  require_tag(tag);
  require_count(count);
  return start_operation<Send>(comm, data, count, type, to, tag);
}

Request irecv(void* data, int count, MPI_Datatype type, int from, int tag, const Comm& comm) {
  require_source(from, tag, comm);
  require_count(count);
  return start_operation<Receive>(comm, data, count, type, from, tag);
}

void probe(int from, int tag, const Comm& comm, MPI_Status* status) {
  require_source(from, tag, comm);
  comm.parent().waiter().until([&] { return iprobe(from, tag, comm, status); });
}

bool iprobe(int from, int tag, const Comm& comm, MPI_Status* status) {
  require_source(from, tag, comm);
  MPI_Status found;
  if (!find(comm, from, tag, found)) {
    if (!comm.parent().idle()) comm.parent().progress();
    return false;
  }
  translate(comm, found);
  if (status != MPI_STATUS_IGNORE) *status = found;
  return true;
}

}  // namespace regroup::range
