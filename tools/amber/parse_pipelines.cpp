// PIPELINE and DERIVE_PIPELINE, and what is in them.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "tools/amber/parser.h"

namespace lanewise::amber {
namespace {

constexpr std::size_t kMostElements = 4096;  // of a binding

struct UseRow {
  std::string_view name;
  BoundAs as;
  bool isDynamic = false;
};
constexpr UseRow kUses[] = {{"uniform", BoundAs::kUniform},
                            {"storage", BoundAs::kStorage},
                            {"uniform_dynamic", BoundAs::kUniform, true},
                            {"storage_dynamic", BoundAs::kStorage, true},
                            {"uniform_texel_buffer", BoundAs::kUniformTexelBuffer},
                            {"storage_texel_buffer", BoundAs::kStorageTexelBuffer},
                            {"storage_image", BoundAs::kStorageImage},
                            {"sampled_image", BoundAs::kSampledImage},
                            {"combined_image_sampler", BoundAs::kCombinedImageSampler}};

constexpr const char* kFullFeature = "SubgroupSizeControl.computeFullSubgroups";
constexpr const char* kSizeFeature = "SubgroupSizeControl.subgroupSizeControl";

}  // namespace

Status Parser::pipeline(const Token& command) {
  const Expected<Token> kind = word("the type of the pipeline");
  if (!kind) return kind.error();
  if (const char* to = foreignTo(kind->text)) return foreign(*kind, to);
  if (!kind->is("compute")) return tokens_.bad(kind->at, fmt::format("there is no type of pipeline '{}'", kind->text), "compute");
  const Expected<Token> name = word("the name of the pipeline");
  if (!name) return name.error();
  if (Status bad = newName(*name, pipelines_, "pipeline")) return bad;
  if (Status bad = endOfLine()) return bad;
  return body(command, Pipeline{.name = name->text, .at = name->at});
}

Status Parser::derive(const Token& command) {
  const Expected<Token> name = word("the name of the pipeline");
  if (!name) return name.error();
  if (Status bad = newName(*name, pipelines_, "pipeline")) return bad;
  if (Status bad = keyword("FROM")) return bad;
  const Expected<std::size_t> parent = named(pipelines_, "pipeline");
  if (!parent) return parent.error();
  if (Status bad = endOfLine()) return bad;
  Pipeline p = script_.pipelines[*parent];
  p.name = name->text;
  p.at = name->at;
  return body(command, std::move(p));
}

Status Parser::body(const Token& command, Pipeline p) {
  for (tokens_.skipLines(); !tokens_.take("END"); tokens_.skipLines()) {
    if (tokens_.atEnd()) return tokens_.bad(command.at, fmt::format("{} without END", command.text));
    const Token w = tokens_.next();
    if (Status bad = part(w, p)) return bad;
    if (Status bad = endOfLine()) return bad;
  }
  if (!p.shader) return tokens_.bad(p.at, fmt::format("the pipeline '{}' has no shader", p.name), "ATTACH");
  pipelines_[p.name] = script_.pipelines.size();
  script_.pipelines.push_back(std::move(p));
  return {};
}

Status Parser::part(const Token& w, Pipeline& p) {
  if (w.is("ATTACH")) return attach(w, p);
  if (w.is("BIND")) return bind(w, p);
  if (w.is("SUBGROUP")) return subgroups(w, p);
  if (w.is("SHADER_OPTIMIZATION")) return passes(w, p);
  if (w.is("FRAMEBUFFER_SIZE")) {
    for (std::uint32_t* into : {&p.framebuffer.x, &p.framebuffer.y}) {
      const Expected<std::uint32_t> side = integer("a number of texels", 1u << 14);
      if (!side) return side.error();
      if (*side == 0) return tokens_.bad(w.at, "a framebuffer without texels");
      *into = *side;
    }
    return {};
  }
  if (const char* to = foreignTo(w.text)) return foreign(w, to);
  return tokens_.bad(w.at, fmt::format("'{}' says nothing of a pipeline", w.text), "ATTACH, BIND, SUBGROUP, SHADER_OPTIMIZATION");
}

Status Parser::attach(const Token& w, Pipeline& p) {
  const Expected<std::size_t> shader = named(shaders_, "shader");
  if (!shader) return shader.error();
  p.shader = *shader;
  p.attachedAt = w.at;
  p.entry = "main";
  p.spec.clear();
  if (tokens_.take("TYPE")) {
    const Expected<Token> stage = word("the type of the shader");
    if (!stage) return stage.error();
    if (const char* to = foreignTo(stage->text)) return foreign(*stage, to);
    if (!stage->is("compute")) return tokens_.bad(stage->at, fmt::format("there is no type of shader '{}'", stage->text), "compute");
  }
  if (tokens_.take("ENTRY_POINT")) {
    const Expected<Token> entry = word("the name of an entry point");
    if (!entry) return entry.error();
    p.entry = entry->text;
  }
  while (tokens_.take("SPECIALIZE"))
    if (Status bad = specialise(p)) return bad;
  return {};
}

// SPECIALIZE id AS type value.
Status Parser::specialise(Pipeline& p) {
  const Expected<std::uint32_t> id = integer("the number of a constant");
  if (!id) return id.error();
  if (Status bad = keyword("AS")) return bad;
  const Expected<Token> typeName = word("a type");
  if (!typeName) return typeName.error();
  const std::optional<DataType> type = dataTypeNamed(typeName->text, {});
  if (!type || type->kind != DataType::Kind::kNumber || type->rows != 1 || type->columns != 1 || type->array)
    return tokens_.bad(typeName->at, fmt::format("'{}' is no type of a constant", typeName->text), "uint32, int32 or float");
  const Expected<Token> value = word("a number");
  if (!value) return value.error();
  const std::optional<std::uint64_t> bits = bitsOfNumber(value->text, type->number, type->bits);
  if (!bits) return tokens_.bad(value->at, fmt::format("'{}' is no {}", value->text, typeName->text));
  std::erase_if(p.spec, [&](const SpecConstant& s) { return s.id == *id; });
  p.spec.push_back({*id, *bits});
  return {};
}

Status Parser::passes(const Token& w, Pipeline& p) {
  if (const Expected<std::size_t> shader = named(shaders_, "shader"); !shader) return shader.error();
  p.passes.clear();
  for (tokens_.skipLines(); !tokens_.take("END"); tokens_.skipLines()) {
    if (tokens_.atEnd()) return tokens_.bad(w.at, "SHADER_OPTIMIZATION without END");
    const Token pass = tokens_.next();
    p.passes.push_back(pass.text.starts_with('-') ? pass.text : "--" + pass.text);
  }
  return {};
}

Status Parser::subgroups(const Token& w, Pipeline& p) {
  if (const Expected<std::size_t> shader = named(shaders_, "shader"); !shader) return shader.error();
  const auto needs = [&](const Token& at, const char* feature) -> Status {
    if (features_.contains(feature)) return {};
    return tokens_.bad(at.at, fmt::format("{} needs a feature that the script does not ask for", at.text),
                       fmt::format("DEVICE_FEATURE {}", feature));
  };
  for (tokens_.skipLines(); !tokens_.take("END"); tokens_.skipLines()) {
    if (tokens_.atEnd()) return tokens_.bad(w.at, "SUBGROUP without END");
    const Token setting = tokens_.next();
    if (setting.is("FULLY_POPULATED") || setting.is("VARYING_SIZE")) {
      const Expected<bool> on = onOrOff();
      if (!on) return on.error();
      const bool full = setting.is("FULLY_POPULATED");
      (full ? p.subgroups.full : p.subgroups.varying) = *on;
      if (*on)
        if (Status bad = needs(setting, full ? kFullFeature : kSizeFeature)) return bad;
    } else if (setting.is("REQUIRED_SIZE")) {
      if (Status bad = needs(setting, kSizeFeature)) return bad;
      const Token value = tokens_.peek();
      using Required = Subgroups::Required;
      if (tokens_.take("MIN")) {
        p.subgroups.required = Required::kLeast;
      } else if (tokens_.take("MAX")) {
        p.subgroups.required = Required::kGreatest;
      } else {
        const Expected<std::uint32_t> size = integer("MIN, MAX or a power of two up to 128");
        if (!size) return size.error();
        if (!std::has_single_bit(*size) || *size > 128)
          return tokens_.bad(value.at, fmt::format("no subgroup has {} invocations", *size), "a power of two up to 128");
        p.subgroups.required = Required::kSize;
        p.subgroups.size = *size;
      }
    } else {
      return tokens_.bad(setting.at, fmt::format("'{}' says nothing of subgroups", setting.text),
                         "FULLY_POPULATED, VARYING_SIZE or REQUIRED_SIZE");
    }
  }
  return {};
}

Status Parser::bind(const Token& w, Pipeline& p) {
  const Expected<Token> what = word("BUFFER or SAMPLER");
  if (!what) return what.error();
  if (what->is("SAMPLER") || what->is("SAMPLER_ARRAY")) return bindSamplers(w, p, what->text != "SAMPLER");
  if (what->is("BUFFER") || what->is("BUFFER_ARRAY")) return bindBuffers(w, p, what->text != "BUFFER");
  if (what->is("IMAGE") || what->is("IMAGE_ARRAY")) return bindBuffers(w, p, what->text != "IMAGE");
  if (const char* to = foreignTo(what->text)) return foreign(*what, to);
  return tokens_.bad(what->at, fmt::format("'{}' cannot be bound", what->text), "BUFFER, BUFFER_ARRAY, SAMPLER or SAMPLER_ARRAY");
}

// Takes the place of what is bound there already, as a derived pipeline may.
Status Parser::placeOf(Bound& bound) {
  if (tokens_.peek().is("KERNEL")) return foreign(tokens_.peek(), "OpenCL C");
  if (Status bad = keyword("DESCRIPTOR_SET")) return bad;
  const Expected<std::uint32_t> set = integer("the number of a descriptor set", 31);
  if (!set) return set.error();
  if (Status bad = keyword("BINDING")) return bad;
  const Expected<std::uint32_t> binding = integer("the number of a binding", 1u << 20);
  if (!binding) return binding.error();
  bound.set = *set;
  bound.binding = *binding;
  return {};
}

Status Parser::bindSamplers(const Token& w, Pipeline& p, bool several) {
  Bound bound{.at = w.at, .as = BoundAs::kSampler};
  do {
    const Expected<std::size_t> s = named(samplers_, "sampler");
    if (!s) return s.error();
    bound.samplers.push_back(*s);
  } while (several && bound.samplers.size() < kMostElements && samplers_.contains(tokens_.peek().text));
  if (Status bad = placeOf(bound)) return bad;
  std::erase_if(p.bound, [&](const Bound& b) { return b.set == bound.set && b.binding == bound.binding; });
  p.bound.push_back(std::move(bound));
  return {};
}

Status Parser::bindBuffers(const Token& w, Pipeline& p, bool several) {
  Bound bound{.at = w.at};
  do {
    const Expected<std::size_t> b = named(buffers_, "buffer");
    if (!b) return b.error();
    bound.buffers.push_back(*b);
  } while (several && bound.buffers.size() < kMostElements && !tokens_.peek().is("AS") && tokens_.peek().isWord());
  if (tokens_.peek().is("KERNEL")) return foreign(tokens_.peek(), "OpenCL C");
  if (Status bad = keyword("AS")) return bad;
  const Expected<Token> use = word("what it is bound as");
  if (!use) return use.error();
  if (use->is("push_constant")) {
    if (several) return tokens_.bad(use->at, "one buffer holds the push constants");
    p.push = bound.buffers[0];
    return {};
  }
  if (const char* to = foreignTo(use->text)) return foreign(*use, to);
  const auto* row = std::ranges::find(kUses, use->text, &UseRow::name);
  if (row == std::end(kUses)) return tokens_.bad(use->at, fmt::format("a buffer is not bound as '{}'", use->text), "uniform, storage, ...");
  bound.as = row->as;
  if (bound.as == BoundAs::kCombinedImageSampler) {
    if (Status bad = keyword("SAMPLER")) return bad;
    do {
      const Expected<std::size_t> s = named(samplers_, "sampler");
      if (!s) return s.error();
      bound.samplers.push_back(*s);
    } while (several && samplers_.contains(tokens_.peek().text));
    if (bound.samplers.size() != 1 && bound.samplers.size() != bound.buffers.size())
      return tokens_.bad(w.at, "as many samplers as buffers are expected, or one");
  }
  if (Status bad = placeOf(bound)) return bad;
  if (Status bad = partsOf(bound)) return bad;
  if (row->isDynamic && bound.offsets.empty()) return tokens_.unexpected("OFFSET");
  bound.offsets.resize(bound.buffers.size());
  bound.ranges.resize(bound.buffers.size());
  std::erase_if(p.bound, [&](const Bound& b) { return b.set == bound.set && b.binding == bound.binding; });
  p.bound.push_back(std::move(bound));
  return {};
}

// What follows the numbers of a binding.
Status Parser::partsOf(Bound& bound) {
  const std::size_t count = bound.buffers.size();
  while (!tokens_.peek().endsLine()) {
    const Token w = tokens_.next();
    if (w.is("BASE_MIP_LEVEL")) {
      const Expected<std::uint32_t> level = integer("the number of a level", 31);
      if (!level) return level.error();
      bound.baseLevel = *level;
      continue;
    }
    const bool range = w.is("DESCRIPTOR_RANGE");
    if (!range && !w.is("OFFSET") && !w.is("DESCRIPTOR_OFFSET"))
      return tokens_.bad(w.at, fmt::format("'{}' says nothing of a binding", w.text), "OFFSET, DESCRIPTOR_OFFSET or DESCRIPTOR_RANGE");
    std::vector<std::uint64_t>& into = range ? bound.ranges : bound.offsets;
    into.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      if (range && tokens_.take("-1")) continue;  // all the rest
      const Expected<std::uint64_t> bytes = integer<std::uint64_t>("a number of bytes for each buffer", kMostBytes);
      if (!bytes) return bytes.error();
      into[i] += *bytes;  // a dynamic offset is added to that of the descriptor
    }
  }
  return {};
}

}  // namespace lanewise::amber
