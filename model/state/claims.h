// Which part of a dispatch has accessed which bytes, while parts run side by side (exec/parallel.h).
//
// A part claims what an instruction is about to access. A unit of bytes may be stored to by one part, which may also load it, or be loaded
// by any number of parts. So after a claim that was granted nobody else changes these bytes, and no two threads race.
//
// In a resource that is only stored to, a part takes a whole block when it first stores there, and marks the units without atomics. Who
// finds a block taken is refused, and must stop until no part runs. Then share() makes the wanted blocks ones in which every unit is
// claimed by an atomic operation.
//
// The mark of a unit of bytes, and what becomes of it when part P loads or stores there:
//
//   mark         meaning             P loads             P stores
//   0            free                P                   kStored | P
//   P            P has loaded it     P                   kStored | P
//   Q            Q has loaded it     kMany               refused
//   kMany        several have        kMany               refused
//   kStored | P  P has stored to it  kStored | P         kStored | P
//   kStored | Q  Q has               refused             refused
//
// The mark of a block of a resource that is only stored to:
//
//   0            free                -                   P; its units are P's
//   P            P has taken it      -                   P; its units are P's
//   Q            Q has taken it      -                   refused; share() makes it kShared
//   kShared      by units            -                   as its units say
//
// Thread safety: take() may be called from several threads at once, each for a part of its own.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "model/state/scratch.h"

namespace lanewise {

class Claims {
 public:
  static constexpr std::uint32_t kMostParts = 126;
  static constexpr std::uint64_t kBlock = 64;  // bytes

  // `memory` must outlive it.
  Claims(std::size_t resources, Scratch& memory) : memory_(memory), all_(resources), wanted_(kMostParts + 1) {}
  // Accesses of these bytes are claimed, in units of `unit` bytes, a power of two; 8 at most, so that no word of eight marks is of two
  // blocks. Other resources need no claims. `byBlocks`: nobody loads them.
  void track(std::uint32_t resource, std::span<const std::byte> bytes, std::uint32_t unit, bool byBlocks);

  // An access of `count` lanes of `size` bytes each, `step` bytes apart from `at` on.
  struct Access {
    std::uint32_t resource = 0, size = 0, count = 1;
    const std::byte* at = nullptr;
    std::size_t step = 0;
    bool stores = false;
  };
  // False where another part has stored to one of the units or, if this stores, has loaded it; or where a block is taken. Once a unit was
  // refused to somebody, all is refused to all: the parts have met. `part`: 1 to kMostParts.
  bool take(std::uint32_t part, const Access& access);

  // True where the part was refused only because of taken blocks. Forgets them, and makes them shared. No part may run meanwhile.
  bool share(std::uint32_t part);
  // Makes all blocks shared. No part may run meanwhile.
  void shareAll();

 private:
  struct Tracked {
    const std::byte* base = nullptr;
    std::uint32_t shift = 0;
    bool byBlocks = false;
    std::uint8_t* units = nullptr;   // the mark of each unit
    std::uint8_t* blocks = nullptr;  // the mark of each block
    Scratch::Block memory;
  };
  struct Wanted {
    std::vector<std::uint8_t*> blocks;
    bool refused = false;  // for a unit
  };
  bool takeBytes(Tracked& t, std::uint64_t offset, std::uint64_t bytes, std::uint32_t part, bool stores);
  static bool takeUnits(const Tracked& t, std::uint64_t offset, std::uint64_t bytes, std::uint8_t part, bool stores);

  Scratch& memory_;
  std::vector<Tracked> all_;    // by resource
  std::vector<Wanted> wanted_;  // by part
  std::atomic<bool> met_ = false;
};

}  // namespace lanewise
