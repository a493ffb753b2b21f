// `lanewise inspect` as a text and as JSON. See inspect.h.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <span>

#include "golden/store/hash.h"
#include "model/spirv/capability_name.h"
#include "tools/run/inspect.h"
#include "tools/run/resources.h"
#include "tools/run/type_text.h"
#include "tools/run/typed_values.h"

namespace lanewise {
namespace {

using Json = nlohmann::ordered_json;

std::string versionText(std::uint32_t version) {
  return fmt::format("{}.{}", version >> 16 & 0xff, version >> 8 & 0xff);
}

std::string hashOf(const ShaderModule& module) {
  return golden::hashText(golden::hashBytes(std::as_bytes(std::span(module.words))));
}

std::vector<std::string> capabilitiesOf(const Interface& interface) {
  std::vector<std::string> out;
  for (const spv::Capability c : interface.capabilities) out.push_back(spirv::capabilityName(c));
  return out;
}

std::string defaultText(const InterfaceSpec& s) {
  if (s.scalar == Scalar::kBool) return s.value ? "true" : "false";
  return valueText(typeOf(s.scalar, s.isSigned), s.value);
}

std::string specType(const InterfaceSpec& s) {
  Type type;
  type.kind = Type::Kind::kScalar;
  type.scalar = s.scalar;
  type.isSigned = s.isSigned;
  return typeText(type);
}

std::string formatText(const InterfaceBinding& b) {
  const FormatInfo* format = formatInfo(formatBySpirv(b.type->imageFormat));
  return format                     ? std::string(format->glsl.empty() ? format->name : format->glsl)
         : b.type->imageFormat == 0 ? "any format"
                                    : fmt::format("SPIR-V image format {}", b.type->imageFormat);
}

// The struct in an array of structs, of any depth; nullptr for any other type.
const Type* structOf(const Type* type) {
  while (type && (type->kind == Type::Kind::kArray || type->kind == Type::Kind::kRuntimeArray)) type = type->element;
  return type && type->kind == Type::Kind::kStruct ? type : nullptr;
}

struct Row {
  std::uint64_t offset = 0;
  int depth = 0;
  std::string type, name;
  std::uint32_t stride = 0;
};

// A block's members; those of structures inside it are indented.
void members(const Type& block, std::uint64_t base, int depth, std::vector<Row>& out) {
  if (depth > 8 || out.size() > 500) return;
  for (const Type::Member& m : block.members) {
    const bool array = m.type->kind == Type::Kind::kArray || m.type->kind == Type::Kind::kRuntimeArray;
    out.push_back(
        {base + m.offset, depth, typeText(*m.type) + (m.rowMajor ? " row_major" : ""), m.name, array ? m.type->stride : m.matrixStride});
    if (const Type* inner = structOf(m.type)) members(*inner, base + m.offset, depth + 1, out);
  }
}

std::string blockLines(const Type& block) {
  std::vector<Row> rows;
  members(block, 0, 0, rows);
  std::string out;
  for (const Row& r : rows)
    out += fmt::format("    {:>6}  {:{}}{} {}{}\n", r.offset, "", 2 * r.depth, r.type, r.name,
                       r.stride ? fmt::format("   (stride {})", r.stride) : "");
  return out;
}

std::string bindingLines(const InterfaceBinding& b) {
  std::string kind = descriptorKindName(b.kind);
  if (b.array) kind += b.count ? fmt::format(" [{}]", b.count) : " []";
  std::string out = fmt::format("  {}  {}", b.text(), kind);
  if (b.isImage() || b.isTexelBuffer()) out += fmt::format(", {}, {}", typeText(*b.type), formatText(b));
  if (b.nonWritable && b.kind != DescriptorKind::kUniformBuffer) out += ", read only";
  if (b.nonReadable) out += ", write only";
  if (b.isBuffer() && !b.isTexelBuffer()) {
    const std::uint32_t stride = runtimeStride(*b.type);
    out += fmt::format(", {} bytes{}", laidOutSize(*b.type),
                       stride ? fmt::format(" and {} for each element of {}", stride, b.type->members.back().name) : "");
    return out + "\n" + blockLines(*b.type);
  }
  return out + "\n";
}

std::string openLines(const InspectedEntry& e) {
  std::string out;
  for (const OpenResult& r : e.open)
    out += fmt::format("  {}  {}{}: {} ({})\n", r.line, r.op, r.count > 1 ? fmt::format(" x{}", r.count) : "", r.allowed, r.clause);
  if (!e.floatModes.empty()) out += fmt::format("  everywhere: {} (Execution Modes)\n", e.floatModes);
  return out;
}

std::string entryText(const InspectedEntry& one) {
  const InterfaceEntry& e = *one.entry;
  std::string out = fmt::format("\nentry point {}: workgroups of {}x{}x{}\n", e.name, e.localSize[0], e.localSize[1], e.localSize[2]);
  for (const InterfaceBinding& b : e.bindings) out += bindingLines(b);
  if (e.push) out += fmt::format("  push constants, {} bytes\n{}", e.pushBytes, blockLines(*e.push));
  if (!one.subgroupOperations.empty()) out += "subgroup operations\n";
  for (const std::string& text : one.subgroupOperations) out += fmt::format("  {}\n", text);
  const std::string open = openLines(one);
  out += open.empty() ? "no instruction leaves its result to the device\n" : "results that two Vulkan devices need not agree on\n" + open;
  if (!one.depends.empty()) out += "its results may depend on\n";
  for (const std::string& text : one.depends) out += fmt::format("  {}\n", text);
  out += fmt::format("not known from the module alone\n  {}\n", kNotKnown);
  if (!one.sides.empty()) out += "runs on\n";
  for (const Runnable& side : one.sides) {
    out += fmt::format("  {}: {}\n", side.side, side.obstacles.empty() ? "yes" : "no");
    for (const std::string& why : side.obstacles) out += fmt::format("    {}\n", why);
  }
  return out + fmt::format("to run it\n  {}\n", one.command);
}

Json blockJson(const Type& block) {
  std::vector<Row> rows;
  members(block, 0, 0, rows);
  Json out = Json::array();
  for (const Row& r : rows) {
    Json row = {{"offset", r.offset}, {"type", r.type}, {"name", r.name}, {"depth", r.depth}};
    if (r.stride) row["stride"] = r.stride;
    out.push_back(std::move(row));
  }
  return out;
}

Json bindingJson(const InterfaceBinding& b) {
  Json json = {{"set", b.set},
               {"binding", b.binding},
               {"name", b.name},
               {"kind", descriptorKindName(b.kind)},
               {"count", b.count},
               {"readOnly", !b.writable()},
               {"writeOnly", b.nonReadable}};
  if (b.isImage() || b.isTexelBuffer()) {
    json["type"] = typeText(*b.type);
    json["format"] = formatText(b);
  } else if (b.isBuffer()) {
    json["bytes"] = laidOutSize(*b.type);
    json["elementBytes"] = runtimeStride(*b.type);
    json["members"] = blockJson(*b.type);
  }
  return json;
}

Json entryJson(const InspectedEntry& one) {
  const InterfaceEntry& e = *one.entry;
  Json json = {{"name", e.name}, {"localSize", {e.localSize[0], e.localSize[1], e.localSize[2]}}, {"bindings", Json::array()}};
  for (const InterfaceBinding& b : e.bindings) json["bindings"].push_back(bindingJson(b));
  json["pushBytes"] = e.pushBytes;
  json["push"] = e.push ? blockJson(*e.push) : Json::array();
  json["subgroupOperations"] = one.subgroupOperations;
  json["openResults"] = Json::array();
  for (const OpenResult& r : one.open)
    json["openResults"].push_back(
        {{"line", r.line}, {"operation", r.op}, {"count", r.count}, {"allowed", r.allowed}, {"clause", r.clause}});
  json["floatModes"] = one.floatModes;
  json["dependsOn"] = one.depends;
  json["notKnown"] = kNotKnown;
  json["sides"] = Json::array();
  for (const Runnable& side : one.sides)
    json["sides"].push_back({{"name", side.side}, {"runs", side.obstacles.empty()}, {"obstacles", side.obstacles}});
  json["command"] = one.command;
  return json;
}

std::string joined(const std::vector<std::string>& list) {
  return list.empty() ? "none" : fmt::format("{}", fmt::join(list, ", "));
}

}  // namespace

std::string inspectText(const Inspection& i) {
  std::string out = fmt::format("{}: SPIR-V {}, {} words, xxh3 {}\n", i.module->name, versionText(i.interface->version),
                                i.module->words.size(), hashOf(*i.module));
  out += fmt::format("capabilities: {}\n", joined(capabilitiesOf(*i.interface)));
  out += fmt::format("extensions: {}\n", joined(i.interface->extensions));
  out += fmt::format("extended instructions: {}\n", joined(i.interface->instructionSets));
  if (!i.interface->spec.empty()) out += "specialization constants\n";
  for (const InterfaceSpec& s : i.interface->spec)
    out += fmt::format("  {}  {} {} = {}\n", s.id, specType(s), s.name.empty() ? "(no name)" : s.name, defaultText(s));
  if (i.entries.empty()) out += "no compute entry point\n";
  for (const InspectedEntry& entry : i.entries) out += entryText(entry);
  return out;
}

std::string inspectJson(const Inspection& i, const std::string& version) {
  Json json = {{"schema", "lanewise-inspect-1"},
               {"version", version},
               {"file", i.module->name},
               {"spirv", versionText(i.interface->version)},
               {"words", i.module->words.size()},
               {"xxh3", hashOf(*i.module)},
               {"capabilities", capabilitiesOf(*i.interface)},
               {"extensions", i.interface->extensions},
               {"extendedInstructions", i.interface->instructionSets}};
  json["specialization"] = Json::array();
  for (const InterfaceSpec& s : i.interface->spec)
    json["specialization"].push_back({{"id", s.id}, {"name", s.name}, {"type", specType(s)}, {"default", defaultText(s)}});
  json["entryPoints"] = Json::array();
  for (const InspectedEntry& entry : i.entries) json["entryPoints"].push_back(entryJson(entry));
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lanewise
