// Whether a workgroup that runs alone goes round and round, and which words of memory it asks for while it does.
//
// Proof. The workgroup comes back to a place with the same lanes at the same places. In between no store and no atomic has changed a byte.
// And what decided is the same as before: the values from which branches, addresses and stored values of that round were computed, back
// to its beginning. Then the next round is the same as this one, for ever, unless somebody else changes memory. An atomic that stores what
// was there is a load. A value that decides nothing, such as a counter of rounds that is only stored behind the loop, may change.
//
// Not proved are bounded and counted waits, clocks, and rounds that change memory and put it back; nor lanes of one store that go to one
// place. Gap: of lane memory (function and private variables) all of it counts, if any of it decides.
#pragma once

#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

#include "model/exec/turns.h"
#include "model/state/access_log.h"
#include "model/state/observer.h"

namespace lanewise {

// What a lane of a round has loaded, and what decided whether it leaves.
struct WaitedWord {
  std::uint32_t batch = 0, lane = 0, pc = 0;
  Place place{};
  std::uint32_t variable = 0, resource = 0, element = 0, size = 0;  // as an access has them
  std::uint64_t offset = 0, value = 0;                              // value: its first eight bytes
};

class WaitWatch final : public Observer {
 public:
  enum class Verdict : std::uint8_t {
    kOpen,
    kRound,   // proved
    kGoesOn,  // it changes memory
    kTooLong  // neither, within `most` instructions
  };
  // Starts where lanes `lanes` of batch `batch` are about to execute `pc`. The workgroup must outlive it. It puts back what an access
  // changes.
  WaitWatch(const WorkgroupState& workgroup, std::uint32_t batch, std::uint32_t pc, LaneMask lanes, std::size_t most)
      : workgroup_(workgroup), batch_(batch), pc_(pc), lanes_(lanes), most_(most) {}
  // Of the observers that it is one of.
  void setLog(const AccessLog& log) { log_ = &log; }

  std::uint32_t watches() const override { return watch::kBefore | watch::kAccess | watch::kValues; }
  Answer beforeInstruction(const InstructionEvent& event) override;
  Answer access(const AccessEvent& event) override;

  Verdict verdict() const { return verdict_; }
  bool isOpen() const { return verdict_ == Verdict::kOpen; }
  // Of the last round, even where it is no proof: what other invocations may write and decides its branches; and, where the workgroup
  // itself stores that in each round, what decides what it stores.
  std::vector<WaitedWord> words() const;
  // The lanes of a batch that executed something in the round.
  LaneMask lanesOf(std::uint32_t batch) const;

 private:
  struct Executed {
    std::uint32_t batch = 0, pc = 0;
    LaneMask lanes;
  };
  struct Load {
    std::size_t at = 0;  // in trace_
    WaitedWord word;
  };
  struct Need {
    LaneMask lanes;
    bool wide = false;
    std::uint32_t step = 0;
  };
  // The registers of a batch whose values are needed, by offset; and whether lane memory is.
  struct Needs {
    std::unordered_map<std::uint32_t, Need> registers;
    bool laneMemory = false;
  };
  struct Pass {
    std::vector<Needs> needs;  // by batch: at the beginning
    bool clock = false;        // a clock decides
    std::vector<bool> wanted;  // by place in trace_: a result was needed
  };
  const Program& program() const { return *workgroup_.program; }
  std::vector<WaitedWord> words(bool stores) const;
  bool isOwn(const WaitedWord& word) const { return stored_.contains({word.place, word.resource, word.offset}); }
  bool isRoot(std::uint32_t pc, bool stores) const;
  // Backwards through the trace, from what is needed at its end.
  Pass back(const std::vector<Needs>& end, bool stores) const;
  // What is needed in this round and, to be so in the next ones too, at its end.
  Pass closed(bool stores) const;
  bool isRound();
  bool sameShape() const;
  bool differs(const Batch& was, const Batch& is, std::uint32_t offset, const Need& need);
  void remember();

  const WorkgroupState& workgroup_;
  const AccessLog* log_ = nullptr;
  std::uint32_t batch_, pc_;
  LaneMask lanes_;
  std::size_t most_, executed_ = 0, visits_ = 0, next_ = 1, closures_ = 0;
  std::vector<Batch> then_;  // the batches where trace_ begins
  std::vector<Executed> trace_;
  std::vector<Load> loads_;
  std::set<std::tuple<Place, std::uint32_t, std::uint64_t>> stored_;  // since then, without a change: resource and offset
  // A register that differed and is needed. While it differs this is no round.
  struct Witness {
    std::uint32_t batch = 0, offset = 0, lane = 0;
    bool wide = false;
    std::uint32_t step = 0;
  };
  std::optional<Witness> witness_;
  Verdict verdict_ = Verdict::kOpen;
};

}  // namespace lanewise
