// A description against the modules that it names.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "model/spirv/validate.h"
#include "tools/described/described_kernel.h"
#include "tools/described/key_reader.h"
#include "tools/run/make_job.h"
#include "tools/run/type_text.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;

// The scalars of a block, in the order of their bytes.
std::vector<LeafAt> leavesOf(const Type& block, std::uint32_t bytes) {
  std::vector<LeafAt> leaves;
  for (std::uint32_t at = 0; at < bytes;) {
    const std::optional<LeafAt> leaf = leafAt(block, at);
    if (leaf && (leaves.empty() || leaves.back().offset != leaf->offset)) leaves.push_back(*leaf);
    at = leaf ? static_cast<std::uint32_t>(leaf->offset) + scalarBytes(leaf->scalar) : at + 1;
  }
  return leaves;
}

// Whether a scalar is (a part of) the named member: "size", "size.x" of "size.x"; "data[1]" of "data".
bool belongs(const std::string& path, const std::string& name) {
  return path == name || (path.starts_with(name) && (path[name.size()] == '.' || path[name.size()] == '['));
}

class DispatchOpener {
 public:
  DispatchOpener(const DescribedDispatch& says, const OpenModule& code, const Description& d) : d_(d), errors_(d.file) {
    out_.says = &says;
    out_.code = code;
  }

  Expected<OpenDispatch> run() {
    openPush();
    openSpec();
    openBindings();
    if (errors_.status()) return *errors_.status();
    return std::move(out_);
  }

 private:
  static constexpr ValueType kAddress{ValueType::Kind::kUnsigned, 8};

  const InterfaceEntry& entry() const { return *out_.code.entry; }

  void addPush(const LeafAt& leaf, const DescribedDispatch::Value& given, std::size_t i) {
    const Formula& value = given.values[i];
    const std::string& address = given.addresses[i];
    if (leaf.pointer && address.empty())
      errors_.add(value.place(), fmt::format("the push constant '{}' is a device address", leaf.path), "\"addr: RESOURCE\"");
    else if (!address.empty() && scalarBytes(leaf.scalar) != 8)
      errors_.add(value.place(),
                  fmt::format("the push constant '{}' has {} bytes, and an address has 8", leaf.path, scalarBytes(leaf.scalar)));
    else if (scalarBytes(leaf.scalar) == 0)
      errors_.add(value.place(), fmt::format("the push constant '{}' has no value that a formula can give", leaf.path));
    else
      out_.push.push_back({static_cast<std::uint32_t>(leaf.offset), address.empty() ? typeOf(leaf) : kAddress, false, &value, leaf.path});
    if (!address.empty()) out_.pushAddresses.push_back({leaf.offset, address, 0});
  }

  void openPush() {
    out_.pushBytes = entry().pushBytes;
    const auto& given = out_.says->push;
    if (entry().push == nullptr || entry().pushBytes == 0) {
      if (!given.empty()) errors_.add(given[0].name.at, fmt::format("entry point '{}' has no push constants", entry().name));
      return;
    }
    const std::vector<LeafAt> leaves = leavesOf(*entry().push, entry().pushBytes);
    const std::string block = blockText(*entry().push);
    if (out_.says->pushInOrder) {
      const auto& values = given[0].values;
      if (values.size() != leaves.size())
        errors_.add(given[0].name.at, fmt::format("{} values for the {} scalars of the push constants", values.size(), leaves.size()),
                    "the block is " + block);
      for (std::size_t i = 0; i < std::min(values.size(), leaves.size()); ++i) addPush(leaves[i], given[0], i);
      return;
    }
    std::vector<bool> has(leaves.size());
    for (const DescribedDispatch::Value& value : given) {
      std::vector<std::size_t> mine;
      for (std::size_t i = 0; i < leaves.size(); ++i)
        if (belongs(leaves[i].path, value.name.text)) mine.push_back(i);
      if (mine.empty())
        errors_.add(value.name.at, fmt::format("the push constants have no member '{}'", value.name.text), "the block is " + block);
      else if (mine.size() != value.values.size())
        errors_.add(value.name.at,
                    fmt::format("{} values for '{}', which has {} scalars", value.values.size(), value.name.text, mine.size()),
                    "the block is " + block);
      for (std::size_t i = 0; i < std::min(mine.size(), value.values.size()); ++i) {
        if (has[mine[i]]) errors_.add(value.name.at, fmt::format("the push constant '{}' is there twice", leaves[mine[i]].path));
        addPush(leaves[mine[i]], value, i);
        has[mine[i]] = true;
      }
    }
    for (std::size_t i = 0; i < leaves.size(); ++i)
      if (!has[i])
        errors_.add(out_.says->at, fmt::format("the push constant '{}' has no value", leaves[i].path),
                    fmt::format("in `push`; the block is {}", block));
  }

  void openSpec() {
    for (const DescribedDispatch::Value& value : out_.says->spec) {
      if (value.values.empty()) continue;
      const InterfaceSpec* found = nullptr;
      std::string names;
      for (const InterfaceSpec& s : out_.code.interface->spec) {
        if (std::to_string(s.id) == value.name.text || (!s.name.empty() && s.name == value.name.text)) found = &s;
        names += fmt::format("{}{}{}", names.empty() ? "it has " : ", ", s.id, s.name.empty() ? "" : " (" + s.name + ")");
      }
      if (found == nullptr)
        errors_.add(value.name.at, fmt::format("the module has no specialization constant '{}'", value.name.text),
                    names.empty() ? "it has none" : names);
      else if (std::ranges::find(out_.spec, found->id, &TypedFormula::at) != out_.spec.end())
        errors_.add(value.name.at, fmt::format("the specialization constant {} is there twice", found->id));
      else
        out_.spec.push_back(
            {found->id, typeOf(found->scalar, found->isSigned), found->scalar == Scalar::kBool, &value.values[0], value.name.text});
    }
  }

  const InterfaceBinding* declared(const Slot& slot) const {
    for (const InterfaceBinding& b : entry().bindings)
      if (slot.name.empty() ? b.set == slot.set && b.binding == slot.binding : b.name == slot.name) return &b;
    return nullptr;
  }

  void add(const InterfaceBinding& binding, Slot slot, const std::string& resource, const DescribedBinding* says, TextPlace at) {
    slot.set = binding.set;
    slot.binding = binding.binding;
    slot.name.clear();
    const DescribedResource* r = d_.resource(resource);
    const bool sampler = binding.kind == DescriptorKind::kSampler;
    if (sampler != (r == nullptr) || (r && r->isImage != binding.isImage()))
      errors_.add(at,
                  fmt::format("binding {} is a {}, and '{}' is {}", binding.text(), descriptorKindName(binding.kind), resource,
                              r == nullptr ? "nothing"
                              : r->isImage ? "an image"
                                           : "a buffer"),
                  suggestion(binding));
    if (slot.element != 0 && (!binding.array || (binding.count != 0 && slot.element >= binding.count)))
      errors_.add(at, fmt::format("binding {} has {}", binding.text(),
                                  binding.array ? fmt::format("{} descriptors", binding.count) : "one descriptor, no array"));
    const auto same = [&](const OpenDispatch::Bound& b) {
      return b.slot.set == slot.set && b.slot.binding == slot.binding && b.slot.element == slot.element;
    };
    if (std::ranges::any_of(out_.bindings, same)) errors_.add(at, fmt::format("binding {} is there twice", binding.text()));
    if (says != nullptr) refuseUseless(binding, *says);
    Format format = Format::UNDEFINED;
    if (binding.isTexelBuffer()) {
      format = says && says->format ? *says->format : formatBySpirv(binding.type->imageFormat);
      if (format == Format::UNDEFINED)
        errors_.add(at, fmt::format("which format has the texel buffer {}?", binding.text()),
                    "{ resource = \"NAME\", format = \"rgba32f\" }");
    }
    out_.bindings.push_back({slot, resource, says, format});
  }

  // What a view of an image has, and a buffer has not, and the other way round.
  void refuseUseless(const InterfaceBinding& binding, const DescribedBinding& says) {
    const bool isImage = binding.isImage();
    const std::pair<bool, const char*> useless[] = {
        {says.level && !isImage, "level"},
        {says.levels && !isImage, "levels"},
        {says.layer && !isImage, "layer"},
        {says.layers && !isImage, "layers"},
        {says.offset && !binding.isBuffer(), "offset"},
        {says.size && !binding.isBuffer(), "size"},
        {says.format && !isImage && !binding.isTexelBuffer(), "format"},
        {says.sampler && !binding.hasSampler(), "sampler"},
    };
    for (const auto& [is, key] : useless)
      if (is)
        errors_.add(says.where.at,
                    fmt::format("binding {} is a {}, which has no '{}'", binding.text(), descriptorKindName(binding.kind), key));
  }

  void openBindings() {
    std::string names;
    for (const InterfaceBinding& b : entry().bindings) names += (names.empty() ? "it uses " : ", ") + b.text();
    for (const DescribedBinding& b : out_.says->bindings) {
      Expected<Slot> slot = parseSlot("", b.where.text);
      const InterfaceBinding* binding = slot ? declared(*slot) : nullptr;
      if (!slot)
        errors_.add(b.where.at, slot.error().what, "SET:BINDING, SET:BINDING:ELEMENT or the binding's name");
      else if (binding == nullptr)
        errors_.add(b.where.at, fmt::format("entry point '{}' uses no binding {}", entry().name, b.where.text),
                    names.empty() ? "it uses none" : names);
      else
        add(*binding, *slot, b.resource.text, &b, b.where.at);
    }
    for (const InterfaceBinding& b : entry().bindings) {
      const auto has = [&](const OpenDispatch::Bound& bound) { return bound.slot.set == b.set && bound.slot.binding == b.binding; };
      if (std::ranges::any_of(out_.bindings, has)) continue;
      if (!b.name.empty() && d_.resource(b.name) != nullptr)
        add(b, {}, b.name, nullptr, out_.says->at);
      else
        errors_.add(out_.says->at, fmt::format("nothing is said of {} {}", descriptorKindName(b.kind), b.text()),
                    fmt::format("bind = {{ \"{}:{}\" = \"RESOURCE\" }}, or a resource of the name '{}'", b.set, b.binding, b.name));
    }
  }

  const Description& d_;
  FirstError errors_;
  OpenDispatch out_;
};

SourceOptions sourceOf(const DescribedModule& m) {
  SourceOptions source = m.source;
  source.entry = m.entry;
  return source;
}

}  // namespace

Expected<OpenModule> openModule(const DescribedModule& m, const std::string& description, const KeptIn& keptIn) {
  const std::string file = (fs::path(description).parent_path() / m.file.text).string();
  std::error_code failed;
  if (!fs::exists(file, failed))
    return badPlace(description, m.file.at, fmt::format("there is no file '{}'", file), "it is searched beside the description");
  const auto named = [&](Error error) { return namedAt(std::move(error), description, m.file.at); };
  const Expected<std::shared_ptr<const ShaderModule>> module = loadModule(file, sourceOf(m), keptIn);
  if (!module) return named(module.error());
  if (Status wrong = spirv::validate(file, (**module).words); wrong && wrong->outcome == Outcome::kBadInput) return named(*wrong);
  Expected<Interface> interface = readInterface(**module);
  if (!interface) return named(interface.error());
  OpenModule out{*module, std::make_shared<const Interface>(std::move(*interface)), nullptr};
  const auto& entries = out.interface->entries;
  out.entry = m.entry.empty() && entries.size() == 1 ? entries.data() : out.interface->entry(m.entry.empty() ? "main" : m.entry);
  if (out.entry) return out;
  std::string names;
  for (const InterfaceEntry& e : entries) names += (names.empty() ? "it has " : ", ") + e.name;
  return badPlace(description, m.file.at,
                  fmt::format("'{}' has no compute entry point '{}'", m.file.text, m.entry.empty() ? "main" : m.entry),
                  names.empty() ? "it has none" : names);
}

Expected<OpenDispatch> openDispatch(const DescribedDispatch& says, const OpenModule& code, const Description& description) {
  return DispatchOpener(says, code, description).run();
}

}  // namespace lanewise
