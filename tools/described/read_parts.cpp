// The resources and the dispatches of a description.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "golden/image/inputs.h"
#include "tools/described/key_reader.h"

namespace lanewise {
namespace {

constexpr std::size_t kMostValues = 65536;

// "addr: NAME" or "addr: NAME + FORMULA"; nothing in other values.
struct Addressed {
  std::string name;
  Node offset;  // a formula for the bytes that are added
};

std::optional<Addressed> addressedIn(const Node& node) {
  const std::string_view text = node.text;
  if (node.kind != Node::Kind::kString || !text.starts_with("addr:")) return {};
  const std::size_t plus = std::min(text.find('+'), text.size()), from = std::min(text.find_first_not_of(' ', 5), plus);
  Addressed out{std::string(text.substr(from, plus - from)), node};
  out.name.erase(out.name.find_last_not_of(' ') + 1);
  out.offset.text = plus == text.size() ? "0" : text.substr(plus + 1);
  out.offset.at.column += plus == text.size() ? 0 : static_cast<std::uint32_t>(plus + 1);
  return out;
}

class ResourceReader {
 public:
  ResourceReader(const Node& node, const Description& d, FirstError& errors)
      : keys_(node, "resources.*", errors, &d.scope), d_(d), errors_(errors) {}

  DescribedResource run(const std::string& name, TextPlace at) {
    r_.name = name;
    r_.at = at;
    r_.isImage = keys_.has("image");
    if (keys_.has("buffer") == r_.isImage)
      errors_.add(at, fmt::format("resource '{}' is a buffer or an image", name), "buffer = \"u32\" or image = \"rgba8ui\"");
    if (r_.isImage)
      readImage();
    else
      readBuffer();
    readData();
    r_.range = keys_.formulas("range", 2);
    if (!r_.range.empty() && r_.data != DescribedResource::Data::kInput && r_.data != DescribedResource::Data::kGenerator)
      errors_.add(at, fmt::format("'{}' has a range, and its data is no input", name),
                  "data = \"input\", or another input, such as noise:1");
    if (r_.range.size() == 1) errors_.add(at, "a range has two formulas, the least and the greatest", "range = [0, \"width - 1\"]");
    r_.output = keys_.truth("output", false);
    return std::move(r_);
  }

 private:
  void refuse(std::initializer_list<const char*> keys, const char* what) {
    for (const char* key : keys)
      if (const Node* node = keys_.table().find(key)) errors_.add(node->at, fmt::format("{} has no '{}'", what, key));
  }

  Format formatOf(const std::string& text, TextPlace at) {
    const std::optional<Format> format = parseFormat(text);
    if (!format)
      errors_.add(at, fmt::format("there is no format '{}'", text),
                  "as in GLSL (rgba8ui) or in Vulkan (R8G8B8A8_UINT), or a parameter with choices");
    return format.value_or(Format::UNDEFINED);
  }

  void readImage() {
    refuse({"elements", "values"}, "an image");
    const PlacedText text = keys_.placed("image");
    const auto& names = d_.scope.names;
    const auto chosen = std::ranges::find_if(names, [&](const auto& n) { return n.name == text.text && !n.choices.empty(); });
    if (chosen == names.end()) {
      r_.format = formatOf(text.text, text.at);
    } else {
      r_.formatName = static_cast<std::size_t>(chosen - names.begin());
      for (const std::string& choice : chosen->choices) r_.formats.push_back(formatOf(choice, text.at));
    }
    r_.extent = keys_.formulas("extent", 3);
    r_.levels = keys_.formula("levels", 1);
    r_.layers = keys_.formula("layers", 1);
    r_.samples = keys_.formula("samples", 1);
  }

  void readBuffer() {
    refuse({"extent", "levels", "layers", "samples"}, "a buffer");
    const PlacedText text = keys_.placed("buffer");
    const std::optional<ValueType> type = valueTypeByName(text.text);
    if (!type) errors_.add(text.at, fmt::format("there is no type '{}'", text.text), "u8 to u64, i8 to i64, f16, f32, f64");
    r_.type = type.value_or(ValueType{});
    r_.elements = keys_.maybeFormula("elements");
    const Node* values = keys_.get("values", Node::Kind::kArray);
    if (values == nullptr) {
      if (!r_.elements)
        errors_.add(r_.at, fmt::format("nothing says how many elements '{}' has", r_.name),
                    "elements = \"width * height\", or values = [...]");
      return;
    }
    if (values->items.size() > kMostValues) errors_.add(values->at, "too many values", "data = \"file:NAME\"");
    r_.data = DescribedResource::Data::kFormulas;
    ValueType now = r_.type;
    for (const Node& item : values->items) r_.values.push_back(elementOf(item, now));
  }

  // "width", "f32: 0.5", "addr: nodes + 16".
  DescribedResource::Element elementOf(const Node& node, ValueType& type) {
    std::string_view rest = node.text;
    TextPlace at{node.at.line, node.at.column + 1};
    const std::size_t colon = rest.find(':');
    const std::string_view word = rest.substr(0, std::min(colon, rest.size()));
    if (std::optional<Addressed> addressed = addressedIn(node))
      return {{ValueType::Kind::kUnsigned, 8}, take(Formula::parse(addressed->offset, d_.scope)), std::move(addressed->name)};
    if (node.kind == Node::Kind::kString && colon != std::string_view::npos) {
      if (const std::optional<ValueType> named = valueTypeByName(word)) {
        type = *named;
        at.column += static_cast<std::uint32_t>(colon + 1);
        rest.remove_prefix(colon + 1);
        return {type, take(Formula::parse(rest, at, d_.scope)), ""};
      }
    }
    return {type, take(Formula::parse(node, d_.scope)), ""};
  }

  Formula take(Expected<Formula> formula) {
    if (formula) return std::move(*formula);
    errors_.add(formula.error());
    return {};
  }

  void readData() {
    if (!keys_.has("data")) return;
    r_.text = keys_.placed("data");
    const std::string_view text = r_.text.text;
    if (r_.data == DescribedResource::Data::kFormulas) errors_.add(r_.text.at, "it has both data and values", "leave one of them out");
    if (text == "poison") return;
    if (text == "zeros" || text.starts_with("fill:")) {
      const Expected<std::uint64_t> byte = parseValue("", {ValueType::Kind::kUnsigned, 1}, text == "zeros" ? "0" : text.substr(5));
      if (!byte) errors_.add(r_.text.at, "no byte", "fill:0x7f");
      r_.fill = static_cast<std::byte>(byte ? *byte : 0);
    } else if (text == "input" || text.starts_with("input+")) {
      r_.data = DescribedResource::Data::kInput;
      if (text == "input") return;
      const auto [end, code] = std::from_chars(text.data() + 6, text.data() + text.size(), r_.seedStep);
      if (code != std::errc() || end != text.data() + text.size()) errors_.add(r_.text.at, "no number after 'input+'", "input+1");
    } else if (text.starts_with("file:")) {
      r_.data = DescribedResource::Data::kFile;
      r_.text.text = text.substr(5);
    } else if (looksLikeValues(text)) {
      r_.data = DescribedResource::Data::kTyped;
      if (const Expected<ParsedValues> values = parseValues("data", text); !values)
        errors_.add(r_.text.at, values.error().what, values.error().hint);
    } else if (const Expected<golden::InputSpec> input = golden::parseInput(text); input) {
      r_.data = DescribedResource::Data::kGenerator;
    } else {
      errors_.add(r_.text.at, fmt::format("'{}' is no data", text),
                  "input, input+1, noise:7, ramp, checkerboard, extremes, constant:1, impulse:0,0, zeros, poison, fill:BYTE, file:NAME, or "
                  "values: u32:1,2,3");
    }
  }

  const KeyReader keys_;
  const Description& d_;
  FirstError& errors_;
  DescribedResource r_;
};

class DispatchReader {
 public:
  DispatchReader(const Node& node, const Description& d, FirstError& errors)
      : keys_(node, "dispatches[]", errors, &d.scope), d_(d), errors_(errors) {}

  DescribedDispatch run() {
    out_.at = keys_.table().at;
    if (const Node* blit = keys_.get("blit", Node::Kind::kTable)) {
      readBlit(*blit);
      out_.repeat = keys_.formula("repeat", 1);
      return std::move(out_);
    }
    readModule();
    out_.groups = keys_.formulas("groups", 3);
    out_.barrier = keys_.truth("barrier", true);
    out_.repeat = keys_.formula("repeat", 1);
    readPush();
    keys_.each("spec", [&](const std::string& name, TextPlace at, const Node& node) {
      out_.spec.push_back({{name, at}, keys_.formulasOf(node, 1)});
    });
    keys_.each("bind", [&](const std::string& where, TextPlace at, const Node& node) { readBinding({where, at}, node); });
    return std::move(out_);
  }

 private:
  void readModule() {
    const PlacedText name = keys_.placed("module");
    const auto found = std::ranges::find(d_.modules, name.text, &DescribedModule::name);
    if (!keys_.has("module") && d_.modules.size() == 1) return;
    if (found != d_.modules.end()) {
      out_.module = static_cast<std::size_t>(found - d_.modules.begin());
      return;
    }
    std::string names;
    for (const DescribedModule& m : d_.modules) names += (names.empty() ? "there are " : ", ") + m.name;
    errors_.add(name.at, keys_.has("module") ? fmt::format("there is no module '{}'", name.text) : "the dispatch names no module", names);
  }

  void readBlit(const Node& node) {
    const KeyReader keys(node, "dispatches[].blit", errors_, &d_.scope);
    const PlacedText name = keys.placed("resource");
    const DescribedResource* r = d_.resource(name.text);
    if (r == nullptr || !r->isImage) errors_.add(name.at, fmt::format("there is no image '{}'", name.text), resourceNames());
    for (const std::string& key : keys_.table().keys)
      if (key != "blit" && key != "repeat")
        errors_.add(node.at, fmt::format("a blit has no '{}'", key), "it is a [[dispatches]] of its own");
    out_.blit = DescribedDispatch::LevelBlit{name.text, keys.formula("from", 0), keys.formula("to", 1)};
  }

  void readPush() {
    const Node* node = keys_.table().find("push");
    if (node == nullptr) return;
    out_.pushInOrder = node->kind != Node::Kind::kTable;
    if (out_.pushInOrder)
      out_.push.push_back(pushed({"push", node->at}, *node));
    else
      keys_.each("push", [&](const std::string& name, TextPlace at, const Node& value) { out_.push.push_back(pushed({name, at}, value)); });
  }

  // A formula, "addr: NAME + FORMULA", or several of these.
  DescribedDispatch::Value pushed(PlacedText name, const Node& node) {
    const bool isList = node.kind == Node::Kind::kArray;
    Node formulas = node;
    std::vector<std::string> addresses;
    for (std::size_t i = 0; i < (isList ? node.items.size() : 1); ++i) {
      Node& item = isList ? formulas.items[i] : formulas;
      std::optional<Addressed> addressed = addressedIn(item);
      addresses.push_back(addressed ? addressed->name : "");
      if (!addressed) continue;
      const DescribedResource* r = d_.resource(addresses.back());
      if (r == nullptr || r->isImage)
        errors_.add(item.at, fmt::format("there is no buffer '{}' for addr:", addresses.back()), resourceNames());
      item = std::move(addressed->offset);
    }
    return {std::move(name), keys_.formulasOf(formulas, kMostValues), std::move(addresses)};
  }

  void readBinding(PlacedText where, const Node& node) {
    DescribedBinding b;
    b.where = std::move(where);
    if (node.kind == Node::Kind::kString) {
      b.resource = {node.text, node.at};
    } else {
      const KeyReader keys(node, "dispatches[].bind.*", errors_, &d_.scope);
      b.resource = keys.placed("resource");
      b.level = keys.maybeFormula("level");
      b.levels = keys.maybeFormula("levels");
      b.layer = keys.maybeFormula("layer");
      b.layers = keys.maybeFormula("layers");
      b.offset = keys.maybeFormula("offset");
      b.size = keys.maybeFormula("size");
      if (keys.has("format")) {
        b.format = parseFormat(keys.text("format"));
        if (!b.format)
          errors_.add(keys.placed("format").at, fmt::format("there is no format '{}'", keys.text("format")), "rgba8ui or R8G8B8A8_UINT");
      }
      if (keys.has("sampler")) {
        const Expected<SamplerState> state = samplerByText(keys.text("sampler"));
        if (!state) errors_.add(keys.placed("sampler").at, state.error().what, state.error().hint);
        b.sampler = state ? *state : SamplerState{};
      }
    }
    const bool alone = b.sampler && b.resource.text.empty();
    if (!alone && d_.resource(b.resource.text) == nullptr)
      errors_.add(b.resource.at, fmt::format("there is no resource '{}'", b.resource.text), resourceNames());
    out_.bindings.push_back(std::move(b));
  }

  std::string resourceNames() const {
    std::string names;
    for (const DescribedResource& r : d_.resources) names += (names.empty() ? "there are " : ", ") + r.name;
    return names;
  }

  const KeyReader keys_;
  const Description& d_;
  FirstError& errors_;
  DescribedDispatch out_;
};

}  // namespace

void readResources(const KeyReader& top, Description& into, FirstError& errors) {
  top.each("resources", [&](const std::string& name, TextPlace at, const Node& node) {
    into.resources.push_back(ResourceReader(node, into, errors).run(name, at));
  });
  if (std::ranges::none_of(into.resources, &DescribedResource::output))
    errors.add({1, 1}, "no resource is an output", "output = true in one of [resources.NAME]");
  for (const DescribedResource& r : into.resources)
    for (const DescribedResource::Element& e : r.values)
      if (!e.address.empty() && (into.resource(e.address) == nullptr || into.resource(e.address)->isImage))
        errors.add(r.at, fmt::format("there is no buffer '{}' for addr:", e.address));
}

std::vector<DescribedDispatch> readDispatches(const Node& list, const Description& description, FirstError& errors) {
  std::vector<DescribedDispatch> out;
  for (const Node& node : list.items) out.push_back(DispatchReader(node, description, errors).run());
  return out;
}

}  // namespace lanewise
