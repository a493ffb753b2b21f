#include "model/spirv/newer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <spirv/unified1/spirv.hpp11>
#include <string_view>
#include <unordered_map>

#include "model/spirv/abort.h"
#include "model/spirv/language.h"
#include "model/spirv/literal.h"

namespace lanewise::spirv {
namespace {

using Words = std::span<const std::uint32_t>;

struct NewerCapability {
  std::uint32_t number;
  std::string_view name;
};
constexpr NewerCapability kCapabilities[] = {
    {5087, "QuadControlKHR"},
    {6029, "FloatControls2"},
    {6024, "ReplicatedCompositesEXT"},
    {5404, "AtomicFloat16VectorNV"},
    {6030, "FMAKHR"},
    {6912, "DotProductFloat16AccFloat32VALVE"},
    {6913, "DotProductFloat16AccFloat16VALVE"},
    {kAbortKHR, "AbortKHR"},
};
// Those that the model does not execute.
constexpr NewerCapability kRefused[] = {
    {4212, "Float8EXT"},
    {4473, "UntypedPointersKHR"},
    {5116, "BFloat16TypeKHR"},
    {5146, "ConstantDataKHR"},
    {5394, "CooperativeVectorNV"},
    {5414, "RawAccessChainsNV"},
    {5430, "CooperativeMatrixReductionsNV"},
    {6022, "CooperativeMatrixKHR"},
    {6914, "DotProductBFloat16AccVALVE"},
    {6915, "DotProductFloat8AccFloat32VALVE"},
};
constexpr std::string_view kExtensions[] = {
    "SPV_KHR_quad_control",
    "SPV_KHR_float_controls2",
    "SPV_EXT_replicated_composites",
    "SPV_KHR_maximal_reconvergence",
    "SPV_NV_shader_atomic_fp16_vector",
    "SPV_KHR_fma",
    "SPV_KHR_relaxed_extended_instruction",
    "SPV_VALVE_mixed_float_dot_product",
    "SPV_KHR_abort",
};
// Newer names of extensions with the same capabilities.
struct Renamed {
  std::string_view from, to;
};
constexpr Renamed kRenamed[] = {
    {"SPV_KHR_compute_shader_derivatives", "SPV_NV_compute_shader_derivatives"},
    {"SPV_EXT_shader_subgroup_partitioned", "SPV_NV_shader_subgroup_partitioned"},
};
// MaximallyReconvergesKHR, QuadDerivativesKHR, RequireFullQuadsKHR, FPFastMathDefault.
constexpr std::uint32_t kModes[] = {6023, 5088, 5089, static_cast<std::uint32_t>(newer::FPFastMathDefault)};
constexpr std::uint32_t kFastMathDecoration = 40;  // FPFastMathMode: of OpenCL alone before

std::string_view nameIn(std::span<const NewerCapability> list, std::uint32_t number) {
  const auto found = std::ranges::find(list, number, &NewerCapability::number);
  return found == list.end() ? std::string_view() : found->name;
}

// Of OpSource, by their numbers.
constexpr std::uint32_t kFirstNewerLanguage = 7;
constexpr std::string_view kNewerLanguages[] = {"SYCL", "HERO_C", "NZSL", "WGSL", "Slang", "Zig", "Rust"};

bool contains(std::span<const std::uint32_t> list, std::uint32_t value) {
  return std::ranges::find(list, value) != list.end();
}

// Whether the copy leaves this instruction out.
bool leftOut(Words inst) {
  switch (static_cast<spv::Op>(inst[0] & 0xffff)) {
    case spv::Op::OpCapability:
      return inst.size() > 1 && !nameIn(kCapabilities, inst[1]).empty();
    case spv::Op::OpExtension:
      return std::ranges::find(kExtensions, literalString(inst.subspan(1))) != std::end(kExtensions);
    case spv::Op::OpExecutionMode:
    case spv::Op::OpExecutionModeId:
      return inst.size() > 2 && contains(kModes, inst[2]);
    case spv::Op::OpDecorate:
      return inst.size() > 2 && inst[2] == kFastMathDecoration;
    default:
      return false;
  }
}

// The older name of the extension that an instruction asks for; empty if it has none.
std::string_view olderExtension(Words inst) {
  if ((inst[0] & 0xffff) != static_cast<std::uint32_t>(spv::Op::OpExtension)) return {};
  const std::string name = literalString(inst.subspan(1));
  for (const Renamed& r : kRenamed)
    if (r.from == name) return r.to;
  return {};
}

// The import of a set that does not affect execution. DebugPrintf is executed, and so validated.
bool isDebugSet(Words inst) {
  if ((inst[0] & 0xffff) != static_cast<std::uint32_t>(spv::Op::OpExtInstImport) || inst.size() < 3) return false;
  const std::string name = literalString(inst.subspan(2));
  return name.starts_with("NonSemantic.") && name != "NonSemantic.DebugPrintf";
}

// Where they have vectors.
bool isAtomicOnVectors(spv::Op op) {
  switch (op) {
    case spv::Op::OpAtomicFAddEXT:
    case spv::Op::OpAtomicFMinEXT:
    case spv::Op::OpAtomicFMaxEXT:
    case spv::Op::OpAtomicExchange:
      return true;
    default:
      return false;
  }
}

// What an operand or the result has to be.
enum class Rule : std::uint8_t {
  kEnd,
  kOlder,     // what the older instruction takes
  kSame,      // of the result's type
  kPart,      // of the type of each part of the result
  kDebugSet,  // of debug information, with any operands after it
  kBool,
  kF16,
  kF32,
  kTwoHalves,
  kHalves,
  kShared,  // a pointer to the result's type in memory that atomic operations may access
  kConstant
};
const char* textOf(Rule rule) {
  constexpr const char* kTexts[] = {"",
                                    "",
                                    "of the result's type",
                                    "of the type of each part of the result",
                                    "",
                                    "a bool",
                                    "a 16-bit float",
                                    "a 32-bit float",
                                    "a vector of two 16-bit floats",
                                    "a vector of two or four 16-bit floats",
                                    "a pointer to the result's type in memory for atomic operations",
                                    "a constant 32-bit integer"};
  return kTexts[static_cast<std::size_t>(rule)];
}

struct Row {
  spv::Op op;
  std::string_view name;
  spv::Op older;
  Rule result;
  Rule operands[5];

  bool isConstant() const { return older == spv::Op::OpConstantNull; }
};
constexpr auto kRows = [] {
  using enum Rule;
  return std::to_array<Row>({
#define NEWER(name, number, older, result, ...) {newer::name, #name, spv::Op::older, result, {__VA_ARGS__}},
#include "model/spirv/newer.inc"
#undef NEWER
  });
}();
// SPV_NV_shader_atomic_fp16_vector: of the instructions that SPIRV-Tools knows for scalars.
constexpr Row kVectorAtomic{spv::Op::OpAtomicFAddEXT,
                            "an atomic operation on vectors",
                            spv::Op::OpUndef,
                            Rule::kHalves,
                            {Rule::kShared, Rule::kConstant, Rule::kConstant, Rule::kSame}};

const Row* rowOf(spv::Op op) {
  const auto* const found = std::ranges::find(kRows, op, &Row::op);
  return found == kRows.end() ? nullptr : found;
}

// The words of the instruction at a place; at least one.
Words instructionAt(Words words, std::size_t at) {
  return words.subspan(at, std::clamp<std::size_t>(words[at] >> 16, 1, words.size() - at));
}

// The instructions that define ids, before a place. They are read when somebody asks: of most modules nobody does.
class Definitions {
 public:
  explicit Definitions(Words words) : words_(words) {}

  const Definitions& before(std::size_t place) {
    while (read_ < place) note(instructionAt(words_, read_));
    return *this;
  }
  // 0 for what is no value.
  std::uint32_t typeOf(std::uint32_t id) const {
    const auto it = values_.find(id);
    return it == values_.end() ? 0 : it->second[1];
  }
  bool isType(std::uint32_t id) const { return types_.contains(id); }
  // Whether an id is a type made by such an instruction with these words after its result.
  bool is(std::uint32_t type, spv::Op op, std::initializer_list<std::uint32_t> words = {}) const {
    const auto it = types_.find(type);
    return it != types_.end() && opOf(it->second) == op && (words.size() == 0 || std::ranges::equal(it->second.subspan(2), words));
  }

  // Of the result: `id` is no value then.
  bool fits(Rule rule, std::uint32_t id, std::uint32_t type, std::uint32_t resultType) const {
    using enum Rule;
    switch (rule) {
      case kEnd:
      case kDebugSet:
        return false;
      case kOlder:
        return true;
      case kSame:
        return type == resultType;
      case kPart:
        return isPart(type, resultType);
      case kBool:
        return is(type, spv::Op::OpTypeBool);
      case kF16:
        return is(type, spv::Op::OpTypeFloat, {16});
      case kF32:
        return is(type, spv::Op::OpTypeFloat, {32});
      case kTwoHalves:
        return isHalves(type, 2);
      case kHalves:
        return isHalves(type, 2) || isHalves(type, 4);
      case kShared:
        return isShared(type, resultType);
      case kConstant:
        return (is(type, spv::Op::OpTypeInt, {32, 0}) || is(type, spv::Op::OpTypeInt, {32, 1})) && isConstant(id);
    }
    return false;
  }

 private:
  static spv::Op opOf(Words inst) { return static_cast<spv::Op>(inst[0] & 0xffff); }

  void note(Words inst) {
    bool result = false, type = false;
    spv::HasResultAndType(opOf(inst), &result, &type);
    const bool typed = (result && type) || rowOf(opOf(inst));
    if (typed && inst.size() > 2) values_[inst[2]] = inst;
    if (result && !typed && inst.size() > 1) types_[inst[1]] = inst;
    read_ += inst.size();
  }

  bool isPart(std::uint32_t type, std::uint32_t whole) const {
    const auto it = types_.find(whole);
    if (type == 0 || it == types_.end() || it->second.size() < 3) return false;
    switch (opOf(it->second)) {
      case spv::Op::OpTypeVector:
      case spv::Op::OpTypeMatrix:
      case spv::Op::OpTypeArray:
        return it->second[2] == type;
      case spv::Op::OpTypeStruct:
        return std::ranges::all_of(it->second.subspan(2), [type](std::uint32_t member) { return member == type; });
      default:
        return false;
    }
  }

  bool isHalves(std::uint32_t type, std::uint32_t count) const {
    const auto it = types_.find(type);
    if (it == types_.end() || opOf(it->second) != spv::Op::OpTypeVector || it->second.size() != 4) return false;
    return it->second[3] == count && is(it->second[2], spv::Op::OpTypeFloat, {16});
  }

  bool isShared(std::uint32_t pointer, std::uint32_t type) const {
    constexpr spv::StorageClass kShared[] = {spv::StorageClass::Uniform, spv::StorageClass::Workgroup, spv::StorageClass::Image,
                                             spv::StorageClass::StorageBuffer, spv::StorageClass::PhysicalStorageBuffer};
    const auto in = [&](spv::StorageClass c) { return is(pointer, spv::Op::OpTypePointer, {static_cast<std::uint32_t>(c), type}); };
    return std::ranges::any_of(kShared, in);
  }

  bool isConstant(std::uint32_t id) const {
    const auto it = values_.find(id);
    if (it == values_.end()) return false;
    const spv::Op op = opOf(it->second);
    return op == spv::Op::OpConstant || op == spv::Op::OpSpecConstant || op == spv::Op::OpSpecConstantOp || op == spv::Op::OpConstantNull;
  }

  Words words_;
  std::size_t read_ = kHeaderWords;
  std::unordered_map<std::uint32_t, Words> values_, types_;
};

// What is wrong with the result's type or the operands; empty if nothing is.
std::string wrongIn(const Row& row, Words inst, const Definitions& ids) {
  const auto* const end = std::ranges::find(row.operands, Rule::kEnd);
  const auto count = static_cast<std::size_t>(end - std::begin(row.operands));
  if (row.operands[0] == Rule::kDebugSet) return fmt::format("{} is not of a set of debug information", row.name);  // else it is left out
  if (inst.size() != 3 + count) return fmt::format("{} takes {} operand{}", row.name, count, count == 1 ? "" : "s");
  if (!ids.fits(row.result, 0, inst[1], inst[1])) return fmt::format("the result of {} is not {}", row.name, textOf(row.result));
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t id = inst[3 + i], type = ids.typeOf(id);
    if (row.operands[i] != Rule::kOlder && (type == 0 || !ids.fits(row.operands[i], id, type, inst[1])))
      return fmt::format("operand {} of {} is not {}", i + 1, row.name, textOf(row.operands[i]));
  }
  return {};
}

bool declares(Words words, spv::Capability capability) {
  for (std::size_t at = kHeaderWords; at + 1 < words.size() && words[at] == (2u << 16 | static_cast<std::uint32_t>(spv::Op::OpCapability));
       at += 2)
    if (words[at + 1] == static_cast<std::uint32_t>(capability)) return true;
  return false;
}

}  // namespace

std::string_view refusedCapability(std::uint32_t capability) {
  return nameIn(kRefused, capability);
}

std::string_view newerCapability(std::uint32_t capability) {
  const std::string_view name = nameIn(kCapabilities, capability);
  return name.empty() ? refusedCapability(capability) : name;
}

std::string_view newerName(spv::Op op) {
  const Row* row = rowOf(op);
  return row ? row->name : std::string_view();
}

bool namesNewerLanguage(Words inst) {
  return inst.size() > 2 && static_cast<spv::Op>(inst[0] & 0xffff) == spv::Op::OpSource && inst[1] >= kFirstNewerLanguage &&
         inst[1] - kFirstNewerLanguage < std::size(kNewerLanguages);
}

std::optional<std::uint32_t> newerLanguage(std::string_view name) {
  const auto* const found = std::ranges::find(kNewerLanguages, name);
  if (found == std::end(kNewerLanguages)) return {};
  return kFirstNewerLanguage + static_cast<std::uint32_t>(found - kNewerLanguages);
}

namespace {

class Copier {
 public:
  explicit Copier(Words words) : words_(words), out_(copy_.words), ids_(words) {}

  OlderCopy run() {
    out_.reserve(words_.size());
    out_.assign(words_.begin(), words_.begin() + static_cast<std::ptrdiff_t>(std::min(words_.size(), kHeaderWords)));
    if (declares(words_, spv::Capability::VulkanMemoryModel) && !declares(words_, spv::Capability::VulkanMemoryModelDeviceScope))
      add(spv::Op::OpCapability, {static_cast<std::uint32_t>(spv::Capability::VulkanMemoryModelDeviceScope)});
    while (at_ < words_.size()) {
      const Words inst = instructionAt(words_, at_);
      copy(inst);
      at_ += inst.size();
    }
    return std::move(copy_);
  }

 private:
  void copy(Words inst) {
    const auto op = static_cast<spv::Op>(inst[0] & 0xffff);
    if (isDebugSet(inst)) debug_.push_back(inst[1]);
    const bool extended = op == spv::Op::OpExtInst || op == newer::OpExtInstWithForwardRefsKHR;
    if (leftOut(inst) || (extended && inst.size() > 3 && contains(debug_, inst[3]))) return;
    const bool convertsNothing = op == spv::Op::OpFConvert && inst.size() == 4 && ids().typeOf(inst[3]) == inst[1];
    if (const Row* row = rowOf(op))
      replace(*row, inst);
    else if (op == kAbort)
      abort(inst);
    else if (isAtomicOnVectors(op) && inst.size() > 1 && ids().is(inst[1], spv::Op::OpTypeVector))
      replace(kVectorAtomic, inst);
    else if (const std::string_view older = olderExtension(inst); !older.empty())
      rename(older);
    else if (convertsNothing)
      add(spv::Op::OpCopyObject, inst.subspan(1));
    else if (namesNewerLanguage(inst))
      add(op, {static_cast<std::uint32_t>(spv::SourceLanguage::Unknown), inst[2]});
    else
      keep(inst);
  }

  const Definitions& ids() { return ids_.before(at_); }

  void keep(Words inst) {
    copy_.offsets.push_back(at_);
    out_.insert(out_.end(), inst.begin(), inst.end());
  }

  void add(spv::Op op, Words operands) {
    copy_.offsets.push_back(at_);
    out_.push_back(static_cast<std::uint32_t>(1 + operands.size()) << 16 | static_cast<std::uint32_t>(op));
    out_.insert(out_.end(), operands.begin(), operands.end());
  }
  void add(spv::Op op, std::initializer_list<std::uint32_t> operands) { add(op, Words(operands.begin(), operands.size())); }

  void rename(std::string_view extension) {
    std::vector<std::uint32_t> text(extension.size() / 4 + 1);
    std::memcpy(text.data(), extension.data(), extension.size());
    add(spv::Op::OpExtension, text);
  }

  void abort(Words inst) {
    if (inst.size() != 3) return refuse("OpAbortKHR takes a type and a message", inst);
    const std::uint32_t type = ids().typeOf(inst[2]);
    if (type == 0 || !ids().isType(inst[1])) return refuse("the message of OpAbortKHR is no value, or has no type", inst);
    add(spv::Op::OpCopyObject, {type, out_[3]++, inst[2]});
    add(spv::Op::OpUnreachable, {});
  }

  void refuse(std::string wrong, Words inst) {
    if (copy_.wrong.empty()) copy_.wrongAt = at_, copy_.wrong = std::move(wrong);
    keep(inst);
  }

  void replace(const Row& row, Words inst) {
    if (std::string wrong = wrongIn(row, inst, ids()); !wrong.empty()) return refuse(std::move(wrong), inst);
    std::vector<std::uint32_t> older{inst[1], inst[2]};
    for (std::size_t i = 3; i < inst.size(); ++i)
      if (row.operands[i - 3] == Rule::kOlder)
        older.push_back(inst[i]);
      else if (!row.isConstant())
        add(spv::Op::OpCopyObject, {ids().typeOf(inst[i]), out_[3]++, inst[i]});
    add(row.older, older);
  }

  Words words_;
  OlderCopy copy_;
  std::vector<std::uint32_t>& out_;
  std::size_t at_ = kHeaderWords;     // in the module
  std::vector<std::uint32_t> debug_;  // ids of sets of debug information
  Definitions ids_;
};

}  // namespace

OlderCopy withoutNewer(Words words) {
  return Copier(words).run();
}

}  // namespace lanewise::spirv
