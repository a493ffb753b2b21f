// Loads and stores of buffers, workgroup memory, push constants and lane memory (SPIR-V 1.6, 3.42.8).
//
// Promise: no access leaves its object. A load out of range gives 0 and a store out of range is dropped (Vulkan, "Robust Buffer Access");
// the observed form reports each lane's access first. Lanes store in order, so that of two lanes with one address the later one wins.
#include "model/exec/elementwise.h"
#include "model/exec/observer.h"
#include "model/exec/ops.h"

namespace lanewise {
inline namespace LANEWISE_ISA {
namespace {

struct Window {
  std::byte* data;
  std::uint64_t size;
  std::uint32_t resource;
  std::uint64_t offset = 0;  // of data in the resource
};

template <ir::Space S>
inline Window window(const Batch& s, const ir::Access& access, std::uint32_t element) {
  const Environment& e = *s.env;
  if constexpr (S == ir::Space::kWorkgroup) return {e.workgroupMemory, e.program->workgroupBytes, 0};
  if constexpr (S == ir::Space::kPush) return {const_cast<std::byte*>(e.push), e.pushBytes, 0};
  const DescriptorRange range = e.descriptors[access.resource];
  if (element >= range.count) return {nullptr, 0, 0};
  const BufferView& view = e.buffers[range.first + element];
  return {view.data, view.size, view.resource, view.offset};
}

template <ir::Space S>
void report(Batch& s, const Instr* ip, const ir::Access& access, const Operand* o, AccessKind kind, std::uint32_t lanes) {
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    if (!s.mask.test(lane)) continue;
    const std::uint32_t address = s.slot<std::uint32_t>(o[0].offset + lane / kGroup * o[0].step)[lane % kGroup];
    const std::uint32_t element = s.slot<std::uint32_t>(o[1].offset + lane / kGroup * o[1].step)[lane % kGroup];
    const Window w = window<S>(s, access, element);
    MemoryEvent event;
    event.place = S == ir::Space::kWorkgroup ? Place::kWorkgroup : S == ir::Space::kPush ? Place::kPush : Place::kBuffer;
    event.kind = kind;
    event.lane = lane;
    event.resource = w.resource;
    event.offset = std::uint64_t{address} + access.offset;
    event.size = scalarBytes(access.type);
    event.inRange = event.offset + event.size <= w.size;
    event.offset += w.offset;
    event.variable = access.variable;
    s.env->observer->access(s, static_cast<std::uint32_t>(ip - s.base), event);
  }
}

template <class T>
inline LaneOf<T> readAt(const std::byte* p) {
  T value;
  std::memcpy(&value, p, sizeof(T));
  return value;
}

// T is the unsigned integer of the access's size.
template <class T, ir::Space S, bool Observed>
const Instr* load(const Instr* ip, Batch& s) {
  const ir::Access& access = s.env->program->accesses[ip->imm];
  const Operand* o = s.env->program->operands.data() + ip->extra;
  if constexpr (Observed) report<S>(s, ip, access, o, AccessKind::kRead, s.width);
  auto* d = s.slot<LaneOf<T>>(ip->dst);
  const bool oneWindow = S != ir::Space::kBuffer || ip->stepB == 0;
  const Window w = window<S>(s, access, *s.slot<std::uint32_t>(ip->b));
  for (std::uint32_t g = 0; g < ip->groups; ++g, d += kGroup) {
    const auto* address = s.slot<std::uint32_t>(ip->a + g * ip->stepA * 64);
    if (!oneWindow) {
      const auto* element = s.slot<std::uint32_t>(ip->b + g * ip->stepB * 64);
      for (std::uint32_t k = 0; k < kGroup; ++k) {
        const Window own = window<S>(s, access, element[k]);
        const std::uint64_t at = std::uint64_t{address[k]} + access.offset;
        d[k] = at + sizeof(T) <= own.size ? readAt<T>(own.data + at) : LaneOf<T>{0};
      }
      continue;
    }
    if (ip->groups == 1 && ip->stepA == 0) {  // one address for all
      const std::uint64_t at = std::uint64_t{address[0]} + access.offset;
      const LaneOf<T> value = at + sizeof(T) <= w.size ? readAt<T>(w.data + at) : LaneOf<T>{0};
      for (std::uint32_t k = 0; k < kGroup; ++k) d[k] = value;
      continue;
    }
    // Sixteen neighbours in a row are one vector load.
    std::uint32_t apart = 0;
    for (std::uint32_t k = 0; k < kGroup; ++k) apart |= address[k] ^ (address[0] + k * static_cast<std::uint32_t>(sizeof(T)));
    const std::uint64_t first = std::uint64_t{address[0]} + access.offset;
    if (apart == 0 && first + kGroup * sizeof(T) <= w.size) {
      for (std::uint32_t k = 0; k < kGroup; ++k) d[k] = readAt<T>(w.data + first + k * sizeof(T));
      continue;
    }
    if (w.size < sizeof(T)) {
      for (std::uint32_t k = 0; k < kGroup; ++k) d[k] = 0;
      continue;
    }
    const std::uint64_t last = w.size - sizeof(T);
    for (std::uint32_t k = 0; k < kGroup; ++k) {
      const std::uint64_t at = std::uint64_t{address[k]} + access.offset;
      const LaneOf<T> value = readAt<T>(w.data + (at <= last ? at : 0));
      d[k] = at <= last ? value : LaneOf<T>{0};
    }
  }
  return ip + 1;
}

template <class T, ir::Space S, bool Observed>
const Instr* store(const Instr* ip, Batch& s) {
  const ir::Access& access = s.env->program->accesses[ip->imm];
  const Operand* o = s.env->program->operands.data() + ip->extra;
  if constexpr (Observed) report<S>(s, ip, access, o, AccessKind::kWrite, s.width);
  const bool oneWindow = S != ir::Space::kBuffer || ip->stepB == 0;
  const Window w = window<S>(s, access, *s.slot<std::uint32_t>(ip->b));
  for (std::uint32_t g = 0; g * kGroup < s.width; ++g) {
    const auto* address = s.slot<std::uint32_t>(ip->a + g * ip->stepA * 64);
    const auto* element = s.slot<std::uint32_t>(ip->b + g * ip->stepB * 64);
    const auto* value = s.slot<LaneOf<T>>(ip->c + g * ip->stepC * 64);
    const std::int32_t* lanes = s.lanes + g * kGroup;
    if (s.full && oneWindow && sizeof(T) == 4 && ip->stepA != 0) {
      std::uint32_t apart = 0;
      for (std::uint32_t k = 0; k < kGroup; ++k) apart |= address[k] ^ (address[0] + k * 4);
      const std::uint64_t first = std::uint64_t{address[0]} + access.offset;
      if (apart == 0 && first + kGroup * sizeof(T) <= w.size) {
        std::memcpy(w.data + first, value, kGroup * sizeof(T));
        continue;
      }
    }
    for (std::uint32_t k = 0; k < kGroup; ++k) {
      if (!lanes[k]) continue;
      const Window own = oneWindow ? w : window<S>(s, access, element[k]);
      const std::uint64_t at = std::uint64_t{address[k]} + access.offset;
      const T narrow = static_cast<T>(value[k]);
      if (at + sizeof(T) <= own.size) std::memcpy(own.data + at, &narrow, sizeof(T));
    }
  }
  return ip + 1;
}

template <ir::Space S, class T>
void addAccess(OpTable& t, Scalar type) {
  const ir::Code space = static_cast<ir::Code>(S) << 24;
  t.add({ir::kLoad | space, type, Scalar::kNone}, {&load<T, S, false>, &load<T, S, true>});
  t.add({ir::kStore | space, type, Scalar::kNone}, {&store<T, S, false>, &store<T, S, true>});
}

template <ir::Space S>
void addSpace(OpTable& t) {
  addAccess<S, std::uint8_t>(t, Scalar::kI8);
  addAccess<S, std::uint16_t>(t, Scalar::kI16);
  addAccess<S, std::uint16_t>(t, Scalar::kF16);
  addAccess<S, std::uint32_t>(t, Scalar::kBool);
  addAccess<S, std::uint32_t>(t, Scalar::kI32);
  addAccess<S, std::uint32_t>(t, Scalar::kF32);
  addAccess<S, std::uint64_t>(t, Scalar::kI64);
  addAccess<S, std::uint64_t>(t, Scalar::kF64);
}

// Lane memory: word w of lane l stands at [w][l]; imm is the first word, operand c (unused) none; extra words a leaf: stepC.
template <class T>
const Instr* localLoad(const Instr* ip, Batch& s) {
  const std::uint32_t words = ip->otherwise, leaves = ip->target;
  auto* d = s.slot<LaneOf<T>>(ip->dst);
  const auto* memory = reinterpret_cast<const std::uint32_t*>(s.laneMemory.data());
  for (std::uint32_t g = 0; g < ip->groups; ++g, d += kGroup) {
    const auto* index = s.slot<std::uint32_t>(ip->a + g * ip->stepA * 64);
    for (std::uint32_t k = 0; k < kGroup; ++k) {
      const bool inside = index[k] < leaves;
      const std::uint32_t word = ip->imm + (inside ? index[k] : 0) * words;
      const std::uint32_t lane = g * kGroup + k;
      LaneOf<T> value = memory[word * s.width + lane];
      if constexpr (sizeof(T) == 8) value |= LaneOf<T>{memory[(word + 1) * s.width + lane]} << 32;
      d[k] = inside ? value : LaneOf<T>{0};
    }
  }
  return ip + 1;
}

template <class T>
const Instr* localStore(const Instr* ip, Batch& s) {
  const std::uint32_t words = ip->otherwise, leaves = ip->target;
  auto* memory = reinterpret_cast<std::uint32_t*>(s.laneMemory.data());
  for (std::uint32_t g = 0; g * kGroup < s.width; ++g) {
    const auto* index = s.slot<std::uint32_t>(ip->a + g * ip->stepA * 64);
    const auto* value = s.slot<LaneOf<T>>(ip->b + g * ip->stepB * 64);
    for (std::uint32_t k = 0; k < kGroup; ++k) {
      const std::uint32_t lane = g * kGroup + k;
      if (!s.lanes[lane] || index[k] >= leaves) continue;
      const std::uint32_t word = ip->imm + index[k] * words;
      memory[word * s.width + lane] = static_cast<std::uint32_t>(value[k]);
      if constexpr (sizeof(T) == 8) memory[(word + 1) * s.width + lane] = static_cast<std::uint32_t>(value[k] >> 32);
    }
  }
  return ip + 1;
}

const Instr* arrayLength(const Instr* ip, Batch& s) {
  const ir::Access& access = s.env->program->accesses[ip->imm];
  auto* d = s.slot<std::uint32_t>(ip->dst);
  for (std::uint32_t g = 0; g < ip->groups; ++g)
    for (std::uint32_t k = 0; k < kGroup; ++k) {
      const Window w = window<ir::Space::kBuffer>(s, access, s.slot<std::uint32_t>(ip->b + g * ip->stepB * 64)[k]);
      d[g * kGroup + k] = w.size > ip->target && ip->otherwise ? static_cast<std::uint32_t>((w.size - ip->target) / ip->otherwise) : 0;
    }
  return ip + 1;
}

}  // namespace

void addMemoryRows(OpTable& t) {
  addSpace<ir::Space::kBuffer>(t);
  addSpace<ir::Space::kWorkgroup>(t);
  addSpace<ir::Space::kPush>(t);
  for (Scalar type : {Scalar::kBool, Scalar::kI8, Scalar::kI16, Scalar::kI32, Scalar::kF16, Scalar::kF32}) {
    t.add({ir::kLocalLoad, type, Scalar::kNone}, &localLoad<std::uint32_t>);
    t.add({ir::kLocalStore, type, Scalar::kNone}, &localStore<std::uint32_t>);
  }
  for (Scalar type : {Scalar::kI64, Scalar::kF64}) {
    t.add({ir::kLocalLoad, type, Scalar::kNone}, &localLoad<std::uint64_t>);
    t.add({ir::kLocalStore, type, Scalar::kNone}, &localStore<std::uint64_t>);
  }
  t.add({ir::kArrayLength, Scalar::kI32, Scalar::kNone}, &arrayLength);
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
