// Function and private variables in memory: word w of lane l is at [w][l] of the batch's lane memory.
#include <bit>

#include "model/operations/elementwise.h"
#include "model/operations/ops.h"
#include "model/state/control.h"
#include "model/state/observers.h"

namespace lanewise {
inline namespace LANEWISE_ISA {
namespace {

inline bool watchesLanes(const Batch& s) {
  return (s.env->watches & watch::kLaneMemory) != 0;
}

inline void tellUse(const Batch& s, const Instr* ip) {
  if (watched(*s.env, watch::kLocals)) s.env->observers->moment(LocalsUsed{s, static_cast<std::uint32_t>(ip - s.base), s.mask});
}

// What the active lanes are about to do, into the log.
template <class T>
inline void logLeaves(Batch& s, const Instr* ip, AccessKind kind) {
  tellUse(s, ip);
  if (!watchesLanes(s)) return;
  AccessLog& log = s.env->observers->log;
  log.begin(s, static_cast<std::uint32_t>(ip - s.base), Place::kLaneMemory, kind, 0, (s.env->watches & watch::kValues) != 0);
  const std::size_t row = std::size_t{s.width} * 4;
  const auto& [firstWord, leaves, leafWords] = ip->known<kind::LaneMemory>();
  if (s.full && ip->stepA == 0) {  // one leaf, of every lane
    const std::uint32_t index = *s.slot<std::uint32_t>(ip->a);
    const std::uint64_t word = firstWord + std::uint64_t{index} * leafWords;
    if (index < leaves) return log.add(LaneRun{0, s.width, 0, sizeof(T), 0, word * 4}, {s.laneMemory.data() + word * row, 4, row});
  }
  const std::byte* data = s.laneMemory.data();
  for (std::uint32_t g = 0; g * kGroup < s.width; ++g) {
    const auto* index = s.slot<std::uint32_t>(ip->a + g * ip->stepA * 64);
    std::uint64_t places[kGroup], hosts[kGroup];
    std::uint32_t inside = 0;
    for (std::uint32_t k = 0; k < kGroup; ++k) {
      const std::uint64_t word = firstWord + std::uint64_t{index[k]} * leafWords;
      places[k] = word * 4;
      hosts[k] = word * row + (g * kGroup + k) * 4;
      inside |= static_cast<std::uint32_t>(index[k] < leaves) << k;
    }
    std::uint32_t alone = s.mask.group(g);
    if (sizeof(T) == 4) {  // the two words of a wide leaf are not adjacent
      log.add(g * kGroup, alone & inside, 0, 0, sizeof(T), places, data, hosts);
      alone &= ~inside;
    }
    for (; alone != 0; alone &= alone - 1) {
      const auto k = static_cast<std::uint32_t>(std::countr_zero(alone)), lane = g * kGroup + k;
      if ((inside >> k & 1) != 0)
        log.add(LaneRun{lane, 1, 0, sizeof(T), 0, places[k]}, {data + hosts[k], 4, row});
      else
        log.add(Outside{lane, Miss::kOutside, 0, sizeof(T), places[k]});
    }
  }
}

inline const Instr* tellLeaves(Batch& s, const Instr* ip) {
  if (watchesLanes(s)) s.env->observers->access();
  return goOn(s, ip + 1);
}

// The groups that have active lanes: all, or that of the lane which runs alone.
struct Groups {
  std::uint32_t begin, end;
};
inline Groups groupsToStore(const Batch& s) {
  return s.lane == kNoLane ? Groups{0, s.width / kGroup} : Groups{s.lane / kGroup, s.lane / kGroup + 1};
}

// All lanes load the same leaf.
template <class T>
inline void loadLeaf(const Instr* ip, Batch& s) {
  const auto& [firstWord, leaves, leafWords] = ip->known<kind::LaneMemory>();
  const std::uint32_t index = *s.slot<std::uint32_t>(ip->a), lanes = groupsOf(ip, s) * kGroup;
  auto* d = s.slot<LaneOf<T>>(ip->dst);
  const bool inside = index < leaves;
  const auto* low =
      reinterpret_cast<const std::uint32_t*>(s.laneMemory.data()) + std::size_t{firstWord + (inside ? index : 0) * leafWords} * s.width;
  const auto* high = low + s.width;
#pragma GCC ivdep
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    LaneOf<T> value = low[lane];
    if constexpr (sizeof(T) == 8) value |= LaneOf<T>{high[lane]} << 32;
    d[lane] = inside ? value : LaneOf<T>{0};
  }
}

template <class T>
inline void loadLeaves(const Instr* ip, Batch& s) {
  const auto [firstWord, leaves, leafWords] = ip->known<kind::LaneMemory>();
  auto* d = s.slot<LaneOf<T>>(ip->dst);
  const auto* memory = reinterpret_cast<const std::uint32_t*>(s.laneMemory.data());
  for (std::uint32_t g = 0, groups = groupsOf(ip, s); g < groups; ++g, d += kGroup) {
    const auto* index = s.slot<std::uint32_t>(ip->a + g * ip->stepA * 64);
    for (std::uint32_t k = 0; k < kGroup; ++k) {
      const bool inside = index[k] < leaves;
      const std::uint32_t word = firstWord + (inside ? index[k] : 0) * leafWords;
      const std::uint32_t lane = g * kGroup + k;
      LaneOf<T> value = memory[word * s.width + lane];
      if constexpr (sizeof(T) == 8) value |= LaneOf<T>{memory[(word + 1) * s.width + lane]} << 32;
      d[k] = inside ? value : LaneOf<T>{0};
    }
  }
}

template <class T, bool Observed>
const Instr* localLoad(const Instr* ip, Batch& s) {
  if constexpr (Observed) logLeaves<T>(s, ip, AccessKind::kRead);
  ip->stepA == 0 ? loadLeaf<T>(ip, s) : loadLeaves<T>(ip, s);
  return Observed ? tellLeaves(s, ip) : ip + 1;
}

template <class T>
inline void storeLeaf(const Instr* ip, Batch& s) {
  const auto& [firstWord, leaves, leafWords] = ip->known<kind::LaneMemory>();
  const std::uint32_t index = *s.slot<std::uint32_t>(ip->a);
  if (index >= leaves) return;
  auto* low = reinterpret_cast<std::uint32_t*>(s.laneMemory.data()) + std::size_t{firstWord + index * leafWords} * s.width;
  const Groups groups = groupsToStore(s);
  low += groups.begin * kGroup;
  for (std::uint32_t g = groups.begin; g < groups.end; ++g, low += kGroup) {
    const auto* value = s.slot<LaneOf<T>>(ip->b + g * ip->stepB * 64);
    const std::int32_t* lanes = s.lanes + g * kGroup;
    auto* high = low + s.width;
#pragma GCC ivdep
    for (std::uint32_t k = 0; k < kGroup; ++k) {
      low[k] = lanes[k] ? static_cast<std::uint32_t>(value[k]) : low[k];
      if constexpr (sizeof(T) == 8) high[k] = lanes[k] ? static_cast<std::uint32_t>(value[k] >> 32) : high[k];
    }
  }
}

template <class T>
inline void storeLeaves(const Instr* ip, Batch& s) {
  const auto [firstWord, leaves, leafWords] = ip->known<kind::LaneMemory>();
  auto* memory = reinterpret_cast<std::uint32_t*>(s.laneMemory.data());
  const Groups groups = groupsToStore(s);
  for (std::uint32_t g = groups.begin; g < groups.end; ++g) {
    const auto* index = s.slot<std::uint32_t>(ip->a + g * ip->stepA * 64);
    const auto* value = s.slot<LaneOf<T>>(ip->b + g * ip->stepB * 64);
    for (std::uint32_t k = 0; k < kGroup; ++k) {
      const std::uint32_t lane = g * kGroup + k;
      if (!s.lanes[lane] || index[k] >= leaves) continue;
      const std::uint32_t word = firstWord + index[k] * leafWords;
      memory[word * s.width + lane] = static_cast<std::uint32_t>(value[k]);
      if constexpr (sizeof(T) == 8) memory[(word + 1) * s.width + lane] = static_cast<std::uint32_t>(value[k] >> 32);
    }
  }
}

template <class T, bool Observed>
const Instr* localStore(const Instr* ip, Batch& s) {
  if constexpr (Observed) logLeaves<T>(s, ip, AccessKind::kWrite);
  ip->stepA == 0 ? storeLeaf<T>(ip, s) : storeLeaves<T>(ip, s);
  return Observed ? tellLeaves(s, ip) : ip + 1;
}

// A lane's words are `row` bytes apart.
void logWords(Batch& s, const Instr* ip, std::uint32_t words) {
  tellUse(s, ip);
  if (!watchesLanes(s)) return;
  const std::uint32_t first = ip->known<kind::LaneMemory>().firstWord;
  const std::size_t row = std::size_t{s.width} * 4;
  AccessLog& log = s.env->observers->log;
  log.begin(s, static_cast<std::uint32_t>(ip - s.base), Place::kLaneMemory, AccessKind::kWrite, 0, (s.env->watches & watch::kValues) != 0);
  for (std::uint32_t lane = 0; lane < s.width; ++lane)
    if (s.lanes[lane])
      log.add(LaneRun{lane, 1, 0, words * 4, 0, std::uint64_t{first} * 4}, {s.laneMemory.data() + first * row + lane * 4, 4, row});
}

template <bool Observed>
const Instr* localFill(const Instr* ip, Batch& s) {
  const auto& [firstWord, leaves, leafWords] = ip->known<kind::LaneMemory>();
  const std::uint32_t words = leaves * leafWords;
  if constexpr (Observed) logWords(s, ip, words);
  const std::uint32_t value = *s.slot<std::uint32_t>(ip->a);
  auto* memory = reinterpret_cast<std::uint32_t*>(s.laneMemory.data()) + std::size_t{firstWord} * s.width;
  if (s.lane != kNoLane) {
    for (std::uint32_t word = 0; word < words; ++word) memory[word * s.width + s.lane] = value;
    return Observed ? tellLeaves(s, ip) : ip + 1;
  }
  for (std::uint32_t word = 0; word < words; ++word, memory += s.width)
    for (std::uint32_t lane = 0; lane < s.width; ++lane) memory[lane] = s.lanes[lane] ? value : memory[lane];
  return Observed ? tellLeaves(s, ip) : ip + 1;
}

template <class T>
void addLeaf(OpTable& t, Scalar type) {
  t.add({ir::kLocalLoad, type, Scalar::kNone}, {&localLoad<T, false>, &localLoad<T, true>});
  t.add({ir::kLocalStore, type, Scalar::kNone}, {&localStore<T, false>, &localStore<T, true>});
}

}  // namespace

void addLaneMemoryRows(OpTable& t) {
  t.add({ir::kLocalFill, Scalar::kNone, Scalar::kNone}, {&localFill<false>, &localFill<true>});
  for (Scalar type : {Scalar::kBool, Scalar::kI8, Scalar::kI16, Scalar::kI32, Scalar::kF16, Scalar::kF32}) addLeaf<std::uint32_t>(t, type);
  for (Scalar type : {Scalar::kI64, Scalar::kF64}) addLeaf<std::uint64_t>(t, type);
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
