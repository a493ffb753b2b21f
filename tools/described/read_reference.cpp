// The reference of a description, and its tolerances.
#include <fmt/format.h>

#include <algorithm>

#include "tools/described/key_reader.h"
#include "tools/run/typed_image.h"

namespace lanewise {
namespace {

constexpr double kMostSeconds = 1000000;

std::string outputNames(const Description& d) {
  std::string names;
  for (const DescribedResource& r : d.resources)
    if (r.output) names += (names.empty() ? "there are " : ", ") + r.name;
  return names;
}

bool isOutput(const Description& d, const std::string& name) {
  const DescribedResource* r = d.resource(name);
  return r != nullptr && r->output;
}

DescribedReference::File readFile(const Node& node, const Description& d, FirstError& errors) {
  const KeyReader keys(node, "reference.files[]", errors);
  DescribedReference::File out;
  out.what = keys.placed("case");
  if (out.what.text.empty()) errors.add(node.at, "it names no case", "case = \"33x65 radius=7\"");
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    if (node.keys[i] == "case") continue;
    if (!isOutput(d, node.keys[i])) errors.add(node.keyPlaces[i], fmt::format("there is no output '{}'", node.keys[i]), outputNames(d));
    out.outputs.push_back({{node.keys[i], node.keyPlaces[i]}, keys.placed(node.keys[i])});
  }
  for (const DescribedResource& r : d.resources)
    if (r.output && !node.find(r.name)) errors.add(node.at, fmt::format("it has no file for the output '{}'", r.name));
  return out;
}

bool hasPacked(const DescribedResource& r) {
  const auto packed = [](Format format) {
    const FormatInfo* f = formatInfo(format);
    return f != nullptr && isPacked(*f);
  };
  return r.isImage && (packed(r.format) || std::ranges::any_of(r.formats, packed));
}

void readTolerance(const std::string& output, const std::string& channel, TextPlace at, const Node& node, Description& into,
                   FirstError& errors) {
  const KeyReader keys(node, "tolerance.*.*", errors);
  Tolerance t;
  t.at = at;
  t.output = output;
  if (channel != "all") t.channel = channel;
  t.ulp = static_cast<std::uint64_t>(keys.integer("ulp", 0, 0, std::int64_t{1} << 40));
  t.absolute = keys.number("absolute", 0);
  t.relative = keys.number("relative", 0);
  if (keys.has("rmse")) t.rmse = keys.number("rmse", 0);
  t.values = keys.has("ulp") || keys.has("absolute") || keys.has("relative") || keys.truth("exact", false);
  t.reason = keys.text("reason");
  if (!t.values && !t.rmse) errors.add(at, "it says nothing that is allowed", "exact = true, ulp, absolute, relative or rmse");
  if (keys.truth("exact", false) && (t.ulp != 0 || t.absolute != 0 || t.relative != 0 || t.rmse))
    errors.add(at, "exact, and another limit too", "leave one of them out");
  if (t.reason.empty() && !keys.truth("exact", false))
    errors.add(at, "a tolerance needs its reason, which reports print", "reason = \"the sine of Vulkan has an error of 2^-11\"");
  if (t.reason.empty()) t.reason = "it is defined";
  into.tolerances.push_back(std::move(t));
}

}  // namespace

void readReference(const KeyReader& top, Description& into, FirstError& errors) {
  const Node* node = top.get("reference", Node::Kind::kTable);
  if (node == nullptr) return;
  const KeyReader keys(*node, "reference", errors);
  DescribedReference& r = into.reference;
  r.at = node->at;
  if (keys.has("kernel")) r.kernel = keys.placed("kernel");
  if (keys.has("recorded")) r.recorded = keys.placed("recorded");
  if (const Node* list = keys.get("dispatches", Node::Kind::kArray)) r.dispatches = readDispatches(*list, into, errors);
  if (const Node* list = keys.get("files", Node::Kind::kArray))
    for (const Node& file : list->items) r.files.push_back(readFile(file, into, errors));
  r.program = keys.plainTexts("program");
  if (keys.has("program") && (r.program.empty() || r.program[0].empty()))
    errors.add(node->at, "the program has no name", "program = [\"python3\", \"reference.py\"]");
  r.timeout = keys.number("timeout", 10);
  if (keys.has("timeout") && !keys.has("program")) errors.add(node->at, "only a program has a timeout", "");
  if (const Node* limit = node->find("timeout"); limit != nullptr && !(r.timeout > 0 && r.timeout <= kMostSeconds))
    errors.add(limit->at, fmt::format("a timeout is more than 0 and at most {} seconds", kMostSeconds), "timeout = 10");
  for (const char* list : {"dispatches", "files"})
    if (const Node* of = node->find(list); of != nullptr && of->items.empty() && of->kind == Node::Kind::kArray)
      errors.add(of->at, fmt::format("the reference has no {}", list));
  const auto kinds = std::ranges::count_if(node->keys, [](const std::string& key) { return key != "timeout"; });
  if (kinds != 1)
    errors.add(node->at, "a kernel has one reference",
               "kernel, dispatches, program, files or recorded; without [reference] only invariants are checked");
}

void readTolerances(const KeyReader& top, Description& into, FirstError& errors) {
  top.each("tolerance", [&](const std::string& output, TextPlace at, const Node& node) {
    if (!isOutput(into, output)) {
      errors.add(at, fmt::format("there is no output '{}'", output), outputNames(into));
      return;
    }
    if (hasPacked(*into.resource(output)))
      errors.add(at, fmt::format("'{}' has no tolerance: its texels are packed", output), "such results are compared exactly");
    const KeyReader keys(node, "tolerance.*", errors);
    for (std::size_t i = 0; i < node.keys.size(); ++i) readTolerance(output, node.keys[i], node.keyPlaces[i], node.items[i], into, errors);
  });
}

}  // namespace lanewise
