#include "tools/catalogue/pyramid_parts.h"

#include "tools/catalogue/families.h"

namespace lanewise {
namespace {

Binding levelBinding(std::uint32_t binding, std::uint32_t element, std::string resource, std::uint32_t level, Format view) {
  Binding b;
  b.binding = binding;
  b.element = element;
  b.resource = std::move(resource);
  b.baseLevel = level;
  b.levelCount = 1;
  b.viewFormat = view;
  return b;
}

}  // namespace

Parameter levelsParameter(std::span<const golden::LevelCount> conventions) {
  Parameter p{kLevelsParameter, 0, static_cast<std::uint32_t>(conventions.size()) - 1, 0, {}};
  for (const golden::LevelCount convention : conventions) p.choices.emplace_back(golden::levelCountName(convention));
  return p;
}

std::uint32_t pyramidLevels(const Case& c) {
  for (const Parameter& p : c.kernel->parameters)
    if (p.name == kLevelsParameter)
      return std::max(1u, golden::levelCount({c.size.width, c.size.height}, *golden::levelCountByName(p.text(c.value(kLevelsParameter)))));
  return 1;
}

Resource pyramidOn(std::string name, Format format, std::span<const golden::Image> bases, std::uint32_t levels) {
  Resource r = undefinedImage(std::move(name), format, {bases[0].extent.width, bases[0].extent.height, 1}, levels);
  ImageData& image = std::get<ImageData>(r.data);
  image.layers = static_cast<std::uint32_t>(bases.size());
  image.bytes.assign(image.levelOffset(levels), kPoisonByte);
  std::size_t at = 0;
  for (const golden::Image& base : bases) {
    std::copy(base.bytes.begin(), base.bytes.end(), image.bytes.begin() + static_cast<std::ptrdiff_t>(at));
    at += base.bytes.size();
  }
  r.undefined = false;
  return r;
}

Resource zeroedCounters(std::uint32_t layers) {
  Resource r;
  r.name = "counters";
  r.data = BufferData{std::vector<std::byte>(std::size_t{4} * layers)};
  return r;
}

std::vector<Binding> spdBindings(const std::string& source, const std::string& pyramid, Pictures pictures, Format view) {
  std::vector<Binding> bindings = {levelBinding(0, 0, source, 0, view)};
  for (std::uint32_t l = 0; l < pictures.declared; ++l)
    bindings.push_back(levelBinding(1, l, pyramid, std::min(l, pictures.levels - 1), view));
  Binding counters;
  counters.binding = 2;
  counters.resource = "counters";
  bindings.push_back(std::move(counters));
  return bindings;
}

std::vector<Dispatch> levelDispatches(const Case& c, std::shared_ptr<const ShaderModule> module, const LevelDispatch& plan) {
  std::vector<Dispatch> dispatches;
  for (std::uint32_t l = 1; l < pyramidLevels(c); ++l) {
    const golden::Extent base{c.size.width, c.size.height}, from = golden::levelExtent(base, l - 1), to = golden::levelExtent(base, l);
    Dispatch d;
    d.module = module;
    d.groups = {groupsFor(to.width, plan.side), groupsFor(to.height, plan.side), plan.layers};
    d.push = pushWords({from.width, from.height, c.value(kReductionParameter)});
    d.bindings = {levelBinding(0, 0, plan.pyramid, l - 1, plan.view), levelBinding(1, 0, plan.pyramid, l, plan.view)};
    dispatches.push_back(std::move(d));
  }
  return dispatches;
}

}  // namespace lanewise
