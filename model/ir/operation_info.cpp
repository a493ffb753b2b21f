#include "model/ir/operation_info.h"

#include <algorithm>
#include <array>

#include "model/ir/control_codes.h"
#include "model/ir/rows/joined.h"
#include "model/spirv/abort.h"
#include "model/spirv/newer.h"

namespace lanewise::ir {
namespace {

using enum spv::Op;

using namespace row;

constexpr const char* kTexels = "Floating-Point and Fixed-Point Conversions of texels";
constexpr const char* kFiltering = "Texel Filtering";

#define ROW(code, types, varies, facts, ...) {codeOf(code), types, commonOf(signaturesOf(types)), #__VA_ARGS__, varies::mode, facts},
#define OPERATION(code, ...) {codeOf(code), "", {}, "", TakesMode::kNone, Facts(__VA_ARGS__)},
#define OWN(code, name, effect, ...) {codeOf(code), "", {}, "", TakesMode::kNone, Facts(__VA_ARGS__).own(name, Effect::effect)},
constexpr OperationInfo kRows[] = {
#include "model/ir/rows/convert.inc"
#include "model/ir/rows/float.inc"
#include "model/ir/rows/formulas.inc"
#include "model/ir/rows/glsl.inc"
#include "model/ir/rows/images.inc"
#include "model/ir/rows/integer.inc"
#include "model/ir/rows/logic.inc"
#include "model/ir/rows/memory.inc"
#include "model/ir/rows/module.inc"
#include "model/ir/rows/own.inc"
#include "model/ir/rows/pack.inc"
#include "model/ir/rows/subgroups.inc"
#include "model/ir/rows/transcendental.inc"
};
#undef ROW
#undef OPERATION
#undef OWN

constexpr auto kSorted = [] {
  auto rows = std::to_array(kRows);
  std::ranges::sort(rows, {}, &OperationInfo::code);
  for (OperationInfo& o : rows)
    if (*o.facts.open.clause == '\0')
      o.facts.open.clause = o.code >= kGlsl ? "Precision of GLSL.std.450 Instructions" : "Precision of Core SPIR-V Instructions";
  return rows;
}();
static_assert(std::ranges::adjacent_find(kSorted, {}, &OperationInfo::code) == kSorted.end(), "an operation has two rows");
static_assert(std::ranges::all_of(kSorted, [](const OperationInfo& o) { return !o.computes() || signaturesOf(o.types).count != 0; }),
              "a row's types stand for none");

// Where a code's row stands, plus 1: by the set it belongs to (SPIR-V's, GLSL.std.450's, the model's own, control) and its number there.
constexpr std::size_t kNumbers = 8192;
constexpr auto kPlaces = [] {
  std::array<std::array<std::uint16_t, kNumbers>, 4> places{};
  for (std::size_t i = 0; i < kSorted.size(); ++i)
    places[kSorted[i].code >> 16].at(kSorted[i].code & 0xFFFF) = static_cast<std::uint16_t>(i + 1);
  return places;
}();

constexpr Openness kOutside{
    When::kOutside, "outside of a buffer a load may give any of its values and a store may change one; outside of an image alpha is 0 or 1",
    "Shader Memory Access Bounds Checking"};

}  // namespace

const Openness& openOutside() {
  return kOutside;
}

const Openness* openness(Code code) {
  const Facts& facts = factsOf(code);
  return facts.open.when != When::kNever ? &facts.open : nullptr;
}

std::span<const OperationInfo> operationInfos() {
  return kSorted;
}

const OperationInfo* operationInfo(Code code) {
  const std::uint32_t set = code >> 16, number = code & 0xFFFF;
  const std::size_t place = set < kPlaces.size() && number < kNumbers ? kPlaces[set][number] : 0;
  return place != 0 ? &kSorted[place - 1] : nullptr;
}

const Facts& factsOf(Code code) {
  const OperationInfo* row = operationInfo(code);
  return row ? row->facts : pinned;
}

spv::Op sumOf(Code atomic) {
  const Facts& facts = factsOf(atomic);
  if (facts.atomic != AtomicUse::kUpdates) return OpNop;
  switch (factsOf(facts.fold).instruction) {
    case Machine::kAdd:
    case Machine::kSub:
      return OpAtomicIAdd;
    case Machine::kAnd:
    case Machine::kOr:
    case Machine::kXor:
    case Machine::kMin:
    case Machine::kMax:
      return static_cast<spv::Op>(atomic);
    default:
      return OpNop;
  }
}

bool computes(Code code) {
  const OperationInfo* row = operationInfo(code);
  return row && row->computes();
}

bool isOfOperands(Code code) {
  return computes(code) || factsOf(code).formula;
}

bool isPure(const Function& f, Value v) {
  const Node& n = f.nodes[v];
  switch (n.op) {
    case kPhi:
    case kSticky:
    case kResult:
      return false;
    case kLoad:
      return f.accesses[n.as<kind::Memory>().access].readOnly && !isVolatile(f, v);
    default:
      return factsOf(n.op).effect <= Effect::kAsks;
  }
}

}  // namespace lanewise::ir
