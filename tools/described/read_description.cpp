// The top of a description: what it is, its sizes, parameters and modules. read_parts.cpp has resources and dispatches.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <filesystem>

#include "golden/image/inputs.h"
#include "model/base/visible.h"
#include "tools/described/key_reader.h"

namespace lanewise {
namespace {

// A parameter's greatest value; formulas have 64 bits.
constexpr std::int64_t kMostNumber = 0xFFFFFFFF;

bool isName(std::string_view text) {
  const auto part = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 && std::ranges::all_of(text, part);
}

class DescriptionReader {
 public:
  DescriptionReader(const std::string& file, const Node& document) : errors_(file), top_(document, "", errors_, &d_.scope) {
    d_.file = file;
    d_.scope.file = file;
  }

  Expected<Description> run() {
    if (!top_.has("lanewise")) errors_.add({1, 1}, "it does not say the version of its format", "lanewise = 1");
    top_.integer("lanewise", 1, 1, 1);
    d_.name = top_.text("name", std::filesystem::path(d_.file).stem().string());
    if (!isWordOfCases(d_.name))
      errors_.add(top_.placed("name").at, fmt::format("'{}' cannot be a part of a case's name", d_.name), "letters, digits, '-', '_', '/'");
    d_.summary = top_.text("summary", "described in " + d_.file);
    d_.promise = top_.text("promise", "as its reference says");
    readSize();
    readParameters();
    d_.where = top_.formulas("where", 64);
    readInputs();
    readSubgroups();
    readModules();
    for (const char* needed : {"modules", "resources", "dispatches"})
      if (!top_.has(needed))
        errors_.add({1, 1}, fmt::format("it has no {}", needed), fmt::format("`lanewise init KERNEL.comp` writes a first description"));
    readResources(top_, d_, errors_);
    if (const Node* list = top_.get("dispatches", Node::Kind::kArray)) d_.dispatches = readDispatches(*list, d_, errors_);
    if (!d_.dispatches.empty() && d_.dispatches[0].blit)
      errors_.add(d_.dispatches[0].at, "a blit comes first", "a dispatch with a module does");
    if (d_.dispatches.empty()) errors_.add({1, 1}, "it has no dispatches", "[[dispatches]]");
    readReference(top_, d_, errors_);
    readTolerances(top_, d_, errors_);
    if (errors_.status()) return *errors_.status();
    return std::move(d_);
  }

 private:
  void readSize() {
    static const Node kNone{.kind = Node::Kind::kTable};
    const Node* node = top_.get("size", Node::Kind::kTable);
    const KeyReader size(node ? *node : kNone, "size", errors_);
    d_.line = size.integer("dimensions", 2, 1, 2) == 1;
    d_.largest = static_cast<std::uint32_t>(size.integer("largest", 4096, 1, 65535));
    for (const PlacedText& text : size.texts("quick")) {
      const Expected<Size> one = parseSize(text.text);
      if (!one)
        errors_.add(text.at, one.error().what, one.error().hint);
      else if (one->width > d_.largest || one->height > d_.largest || (d_.line && one->height != 1))
        errors_.add(text.at, fmt::format("the kernel has no size {}", text.text), d_.line ? "the height of a line is 1" : "");
      else
        d_.quickSizes.push_back(*one);
    }
    d_.scope.names = {{"width"}, {"height"}};
  }

  void readParameters() {
    top_.each("parameters", [&](const std::string& name, TextPlace at, const Node& node) {
      const KeyReader keys(node, "parameters.*", errors_);
      const bool taken = std::ranges::any_of(d_.scope.names, [&](const auto& n) { return n.name == name; });
      if (!isName(name) || taken || name == "i" || name == "input" || name == "subgroup")
        errors_.add(at, fmt::format("'{}' cannot be the name of a parameter", name),
                    "letters, digits and '_'; not width, height, input, subgroup or i");
      DescribedParameter p;
      p.parameter.name = name;
      if (keys.has("range") == keys.has("choices"))
        errors_.add(at, "a parameter has a range or choices", "range = [0, 7] or choices = [\"a\", \"b\"]");
      if (keys.has("range"))
        readRange(keys, p.parameter);
      else
        readChoices(keys, p.parameter);
      p.parameter.fallback = keys.has("default") ? valueOf(p.parameter, *keys.table().find("default")) : p.parameter.lowest;
      if (const Node* quick = keys.get("quick", Node::Kind::kArray))
        for (const Node& value : quick->items) p.quick.push_back(valueOf(p.parameter, value));
      d_.scope.names.push_back({name, p.parameter.choices});
      d_.parameters.push_back(std::move(p));
    });
    d_.scope.names.push_back({"i"});
  }

  void readRange(const KeyReader& keys, Parameter& p) {
    const Node* range = keys.get("range", Node::Kind::kArray);
    const auto integer = [](const Node& n) { return n.kind == Node::Kind::kInteger && n.integer >= 0 && n.integer <= kMostNumber; };
    if (range == nullptr) return;
    if (range->items.size() != 2 || !std::ranges::all_of(range->items, integer) || range->items[0].integer > range->items[1].integer) {
      errors_.add(range->at, "a range has two numbers, the least and the greatest", "range = [0, 127], each from 0 to 4294967295");
      return;
    }
    p.lowest = static_cast<std::uint32_t>(range->items[0].integer);
    p.highest = static_cast<std::uint32_t>(range->items[1].integer);
  }

  void readChoices(const KeyReader& keys, Parameter& p) {
    for (const PlacedText& choice : keys.texts("choices")) {
      if (!isWordOfCases(choice.text))
        errors_.add(choice.at, fmt::format("'{}' cannot be a part of a case's name", choice.text), "no spaces, '=', ',' or quotes");
      if (std::ranges::find(p.choices, choice.text) != p.choices.end())
        errors_.add(choice.at, fmt::format("'{}' is there twice", choice.text));
      p.choices.push_back(choice.text);
    }
    if (p.choices.empty()) errors_.add(keys.table().at, "a parameter without choices", "");
    p.highest = p.choices.empty() ? 0 : static_cast<std::uint32_t>(p.choices.size() - 1);
  }

  std::uint32_t valueOf(const Parameter& p, const Node& node) {
    const Expected<std::uint32_t> value = p.parse(node.kind == Node::Kind::kInteger ? std::to_string(node.integer) : node.text);
    if (!value) errors_.add(node.at, value.error().what, value.error().hint);
    return value ? *value : p.lowest;
  }

  void readInputs() {
    for (const PlacedText& text : top_.texts("inputs")) {
      const Expected<golden::InputSpec> input = golden::parseInput(text.text);
      if (!input) errors_.add(text.at, input.error().what, input.error().hint);
      d_.inputs.push_back(text.text);
    }
  }

  void readSubgroups() {
    const Node* node = top_.get("subgroups", Node::Kind::kTable);
    if (node == nullptr) return;
    const KeyReader keys(*node, "subgroups", errors_);
    d_.leastSubgroup = static_cast<std::uint32_t>(keys.integer("least", 1, 1, 128));
    d_.greatestSubgroup = static_cast<std::uint32_t>(keys.integer("greatest", 128, d_.leastSubgroup, 128));
    const Node* sizes = keys.get("sizes", Node::Kind::kArray);
    if (sizes == nullptr) return;
    for (const Node& size : sizes->items) {
      if (size.kind != Node::Kind::kInteger || size.integer < 1 || size.integer > 128 ||
          !std::has_single_bit(static_cast<std::uint64_t>(size.integer)))
        errors_.add(size.at, "no subgroup size", "a power of two from 1 to 128");
      d_.subgroupSizes.push_back(static_cast<std::uint32_t>(size.integer));
    }
  }

  void readModules() {
    top_.each("modules", [&](const std::string& name, TextPlace, const Node& node) {
      const KeyReader keys(node, "modules.*", errors_);
      DescribedModule m;
      m.name = name;
      m.file = keys.placed("file");
      if (m.file.text.empty()) errors_.add(node.at, fmt::format("module '{}' has no file", name), "file = \"kernel.comp\"");
      m.entry = keys.text("entry");
      m.source.defines = keys.plainTexts("define");
      m.source.includeFolders = keys.plainTexts("include");
      for (std::string& folder : m.source.includeFolders) folder = (std::filesystem::path(d_.file).parent_path() / folder).string();
      m.source.targetEnvironment = keys.text("target");
      m.source.optimise = keys.truth("optimise", false);
      d_.modules.push_back(std::move(m));
    });
  }

  Description d_;
  FirstError errors_;
  const KeyReader top_;
};

}  // namespace

bool isWordOfCases(std::string_view text) {
  return !text.empty() && isUtf8(text) && text.find_first_of(" \t\n=,@'") == std::string_view::npos;
}

const DescribedResource* Description::resource(std::string_view wanted) const {
  const auto found = std::ranges::find(resources, wanted, &DescribedResource::name);
  return found == resources.end() ? nullptr : &*found;
}

Expected<Description> readDescription(const std::string& file, std::string_view text) {
  const Expected<Node> document = readDocument(file, text);
  if (!document) return document.error();
  return DescriptionReader(file, *document).run();
}

}  // namespace lanewise
