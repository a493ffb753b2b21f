// Atomics on buffers and workgroup memory (SPIR-V 1.6, 3.42.18): each active lane in turn, in lane order.
//
// Several workgroups may run at once on different host threads, so that buffer atomics are host atomics too where the host has them for
// the width (relaxed: order between workgroups is the schedule's business).
#include "model/exec/atomic_ops.h"
#include "model/exec/elementwise.h"
#include "model/exec/observer.h"
#include "model/exec/ops.h"

namespace lanewise {
inline namespace LANEWISE_ISA {
namespace {

template <class T, ir::Space S, bool Observed>
const Instr* atomic(const Instr* ip, Batch& s) {
  const ir::Access& access = s.env->program->accesses[ip->imm];
  const Operand* o = s.env->program->operands.data() + ip->extra;
  const auto op = static_cast<spv::Op>(ip->target);
  const std::uint32_t values = ip->otherwise;  // operands after address and element
  for (std::uint32_t lane = 0; lane < s.width; ++lane) {
    if (!s.lanes[lane]) continue;
    const std::uint32_t g = lane / kGroup, k = lane % kGroup;
    const std::uint64_t at = std::uint64_t{s.slot<std::uint32_t>(o[0].offset + g * o[0].step)[k]} + access.offset;
    std::byte* data = s.env->workgroupMemory;
    std::uint64_t size = s.env->program->workgroupBytes;
    std::uint32_t resource = 0;
    std::uint64_t first = 0;  // of data in the resource
    if constexpr (S == ir::Space::kBuffer) {
      const std::uint32_t element = s.slot<std::uint32_t>(o[1].offset + g * o[1].step)[k];
      const DescriptorRange range = s.env->descriptors[access.resource];
      const BufferView view = element < range.count ? s.env->buffers[range.first + element] : BufferView{};
      data = view.data;
      size = view.size;
      resource = view.resource;
      first = view.offset;
    }
    if constexpr (Observed) {
      MemoryEvent event;
      event.place = S == ir::Space::kBuffer ? Place::kBuffer : Place::kWorkgroup;
      event.kind = AccessKind::kAtomic;
      event.lane = lane;
      event.resource = resource;
      event.offset = first + at;
      event.size = sizeof(T);
      event.inRange = at + sizeof(T) <= size;
      event.variable = access.variable;
      s.env->observer->access(s, static_cast<std::uint32_t>(ip - s.base), event);
    }
    LaneOf<T> old = 0;
    if (at + sizeof(T) <= size && at % sizeof(T) == 0) {
      T value{}, comparator{};
      if (values > 0) value = fromLane<T>(s.slot<LaneOf<T>>(o[2].offset + g * o[2].step)[k]);
      if (values > 1) comparator = fromLane<T>(s.slot<LaneOf<T>>(o[3].offset + g * o[3].step)[k]);
      old = toLane<T>(atomicUpdate<T>(data + at, op, value, comparator));
    }
    if (ip->dst != 0) s.slot<LaneOf<T>>(ip->dst)[lane] = old;
  }
  return ip + 1;
}

template <class T>
void addAtomic(OpTable& t, Scalar result) {
  constexpr ir::Code kWorkgroupSpace = static_cast<ir::Code>(ir::Space::kWorkgroup) << 24;
  t.add({ir::kAtomic, result, scalarOf<T>()}, {&atomic<T, ir::Space::kBuffer, false>, &atomic<T, ir::Space::kBuffer, true>});
  t.add({ir::kAtomic | kWorkgroupSpace, result, scalarOf<T>()},
        {&atomic<T, ir::Space::kWorkgroup, false>, &atomic<T, ir::Space::kWorkgroup, true>});
}

template <class T>
void addAtomics(OpTable& t) {
  addAtomic<T>(t, scalarOf<T>());
  addAtomic<T>(t, Scalar::kNone);  // OpAtomicStore
}

}  // namespace

void addAtomicRows(OpTable& t) {
  addAtomics<std::uint32_t>(t);
  addAtomics<std::uint64_t>(t);
  addAtomics<float>(t);
  addAtomics<double>(t);
  addAtomics<scalar::Half>(t);
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
