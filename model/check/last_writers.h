// The last writer of every location, for slices: in resources, workgroup memory and, on request, function memory.
//
// There is one entry per word of four bytes, or per byte (paged_shadow.h). All lanes of one instruction share one StoreEvent. Stores
// without an entry are dropped from time to time, so memory grows only with the words that were touched: 8 bytes each, or 32 in a page of
// bytes, and at most 32 for each store that is still in use. Promise: a byte's last writer is exact, in every schedule. Gap: bytes filled
// before the first dispatch have no writer.
//
// In the list of observers it comes before its users: for the current access, displaced() returns the previous writers.
#pragma once

#include <optional>
#include <vector>

#include "model/check/paged_shadow.h"
#include "model/contract/device.h"
#include "model/state/observer.h"

namespace lanewise {

// A store by an instruction, for all its lanes: where and when.
struct StoreEvent {
  std::uint64_t number = 0;  // stores are counted from 1, over the whole run
  std::uint64_t group = 0;   // the workgroup's linear index
  std::uint32_t dispatch = 0, pc = 0;
  std::uint32_t batch = 0;  // in the workgroup
};
inline constexpr std::uint32_t kBlitStore = ~0u;  // StoreEvent::pc of a blit, which has no lanes; dispatch is Blit::before

struct Writer {
  StoreEvent store;
  std::uint32_t lane = 0;  // of the batch
};

class LastWriters final : public Observer {
 public:
  // The job must outlive it. `functions`: function memory too.
  explicit LastWriters(const Job& job, bool functions = false);

  std::uint32_t watches() const override {
    return watch::kWorkgroup | watch::kAccess | watch::kBlit | (functions_ ? watch::kLaneMemory : 0u);
  }
  Answer access(const AccessEvent& event) override;
  Answer moment(const Moment& moment) override;

  std::optional<Writer> ofResource(std::uint32_t resource, std::uint64_t byte) const;
  // The writer of a location that a running workgroup accesses; `lane` is used for function memory.
  std::optional<Writer> of(const AccessEvent& event, const LaneRun& run, std::uint32_t lane, std::uint64_t byte) const;

  // The previous writers for the current or the last access.
  struct Displaced {
    std::uint32_t lane = 0, resource = 0;
    std::uint64_t byte = 0;  // the first of the word, or the byte; not used for function memory
    Writer before;
  };
  const std::vector<Displaced>& displaced() const { return displaced_; }
  // The number of stores that are kept. For tests of how memory grows.
  std::size_t stores() const { return stores_.size() - 1; }
  // The number of that access's store; 0 for a read.
  std::uint64_t storing() const { return storing_; }

 private:
  using Entry = std::uint64_t;  // index of a store << 7 | lane; 0: nobody
  using Shadow = PagedShadow<std::vector<Entry>>;
  struct Resident {
    Shadow memory;
    std::vector<Shadow> functions;  // by batch
  };
  Shadow& shadowOf(const AccessEvent& event, std::uint32_t resource);
  Writer writerOf(Entry entry) const;
  std::uint64_t add(StoreEvent store);
  void blitted(const BlitTexel& made);
  void forget();

  const Job& job_;
  const bool functions_;
  std::vector<Shadow> resources_;
  std::vector<Resident> residents_;  // by slot
  std::vector<StoreEvent> stores_{StoreEvent{}};
  std::uint64_t count_ = 0, storing_ = 0;
  std::size_t limit_ = 1 << 16;
  std::vector<Displaced> displaced_;
};

}  // namespace lanewise
