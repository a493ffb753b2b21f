// The rows: the random kernels' integer operations at every width, comparisons, conversions, exact float operations, integer reductions
// and scans of subgroups, integer atomics.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tests/operations/operations.h"

namespace lanewise::operations {
namespace {

using Guard = random::Operation::Guard;

std::string typeOf(random::Width w) {
  static constexpr const char* names[] = {"bool", "u8", "u16", "u32", "u64"};
  return names[static_cast<std::size_t>(w)];
}

Family integers(const std::string& type) {
  Family family{type, {}};
  for (const random::Operation& o : random::operations()) {
    Row row{o.opcode, typeOf(o.result), {}, o.guards};
    for (const random::Width w : o.arguments) row.arguments.push_back(typeOf(w));
    // A conversion belongs to the rarer of its types.
    const auto rarity = [](const std::string& t) { return std::string_view("u32 u16 u8 u64").find(t); };
    std::string home = row.arguments.back();
    if (row.opcode.ends_with("Convert") && rarity(row.result) > rarity(home)) home = row.result;
    if (home == type) family.rows.push_back(row);
  }
  return family;
}

// The wider of two float types, or the integer's if that is 64 bits: modules of a device without it do without the rows.
Family floats(const std::string& type) {
  Family family{type, {}};
  const auto add = [&](const std::string& opcode, const std::string& result, std::vector<std::string> arguments) {
    family.rows.push_back({opcode, result, std::move(arguments), {Guard::kNone, Guard::kNone, Guard::kNone}});
  };
  for (const char* op : {"OpFAdd", "OpFSub", "OpFMul"}) add(op, type, {type, type});
  for (const char* op : {"OpFNegate", "glsl FAbs", "glsl FSign", "glsl Floor", "glsl Ceil", "glsl Trunc", "glsl RoundEven"})
    add(op, type, {type});
  for (const char* op : {"Equal", "NotEqual", "LessThan", "GreaterThan", "LessThanEqual", "GreaterThanEqual"})
    for (const char* kind : {"OpFOrd", "OpFUnord"}) add(std::string(kind) + op, "bool", {type, type});
  for (const char* op : {"OpIsNan", "OpIsInf"}) add(op, "bool", {type});
  add("OpSelect", type, {"bool", type, type});
  for (const char* integer : {"u32", "u16", "u8"}) {
    add("OpConvertFToS", integer, {type});
    add("OpConvertFToU", integer, {type});
    add("OpConvertSToF", type, {integer});
    add("OpConvertUToF", type, {integer});
  }
  return family;
}

// Conversions that need two optional types.
Family mixed(const std::string& name, const std::string& a, const std::string& b) {
  Family family{name, {}};
  const std::vector<Guard> none(3, Guard::kNone);
  if (b[0] == 'f') return {name, {{"OpFConvert", a, {b}, none}, {"OpFConvert", b, {a}, none}}};
  for (const char* op : {"OpConvertFToS", "OpConvertFToU"}) family.rows.push_back({op, b, {a}, none});
  for (const char* op : {"OpConvertSToF", "OpConvertUToF"}) family.rows.push_back({op, a, {b}, none});
  return family;
}

Family subgroups(const std::string& type) {
  Family family{"subgroup " + type, {}};
  for (const char* op : {"IAdd", "IMul", "SMin", "SMax", "UMin", "UMax", "BitwiseAnd", "BitwiseOr", "BitwiseXor"})
    for (const char* group : {"Reduce", "InclusiveScan", "ExclusiveScan"})
      family.rows.push_back({fmt::format("OpGroupNonUniform{} {}", op, group), type, {type}, {Guard::kNone}});
  return family;
}

// What each leaves in memory does not depend on the order.
Family atomics(const std::string& type) {
  Family family{"atomic " + type, {}};
  for (const char* op : {"IAdd", "ISub", "SMin", "SMax", "UMin", "UMax", "And", "Or", "Xor", "IIncrement", "IDecrement"})
    family.rows.push_back({std::string("OpAtomic") + op, type, {type}, {Guard::kNone}});
  return family;
}

}  // namespace

std::string Row::name() const {
  return fmt::format("{} {} <- {}", opcode, result, fmt::join(arguments, " "));
}

const std::vector<Family>& families() {
  static const std::vector<Family> all = [] {
    std::vector<Family> out;
    for (const char* t : {"u32", "u64", "u16", "u8"}) out.push_back(integers(t));
    for (const char* t : {"f32", "f16", "f64"}) out.push_back(floats(t));
    out.push_back(mixed("f32 f16", "f32", "f16"));
    out.push_back(mixed("f32 f64", "f32", "f64"));
    out.push_back(mixed("f16 f64", "f16", "f64"));
    for (const char* t : {"f32", "f16", "f64"}) out.push_back(mixed(std::string(t) + " u64", t, "u64"));
    for (const char* t : {"u32", "u64", "u16", "u8"}) out.push_back(subgroups(t));
    for (const char* t : {"u32", "u64"}) out.push_back(atomics(t));
    // A float family's conversions from and to 8 and 16 bits are of their own: devices have floats without them.
    for (std::size_t i = 0, n = out.size(); i < n; ++i) {
      Family narrow{out[i].name + ", narrow integers", {}};
      if (out[i].name[0] != 'f' || out[i].name.size() != 3) continue;
      const auto isNarrow = [](const Row& r) {
        return r.opcode.starts_with("OpConvert") &&
               (r.result == "u8" || r.result == "u16" || r.arguments[0] == "u8" || r.arguments[0] == "u16");
      };
      std::ranges::copy_if(out[i].rows, std::back_inserter(narrow.rows), isNarrow);
      std::erase_if(out[i].rows, isNarrow);
      out.push_back(std::move(narrow));
    }
    return out;
  }();
  return all;
}

}  // namespace lanewise::operations
