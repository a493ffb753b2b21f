// The job of a case of a described kernel: formulas become numbers, resources get their bytes.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "golden/image/half.h"
#include "golden/image/inputs.h"
#include "tools/described/described_kernel.h"
#include "tools/run/typed_image.h"

namespace lanewise {
namespace {

using Data = DescribedResource::Data;

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 32;
constexpr std::uint64_t kMostSide = 65536, kMostPart = 65535, kMostGroups = 0xFFFFFFFF, kMostRepeats = 4096;
constexpr double kMostInvocations = 0x1p36;  // of a dispatch: it would take hours

// The bits of a number in a type. Nothing if an integer does not fit.
std::optional<std::uint64_t> bitsOf(const Number& n, ValueType type) {
  if (type.kind == ValueType::Kind::kFloat) {
    const double value = n.asDouble();
    if (type.bytes == 8) return std::bit_cast<std::uint64_t>(value);
    return type.bytes == 4 ? std::bit_cast<std::uint32_t>(static_cast<float>(value)) : golden::halfFromDouble(value);
  }
  if (n.isFloat) return {};
  const bool negative = n.integer < 0;
  const std::uint32_t bits = type.bytes * 8u;
  // Integers of SPIR-V get their sign from operations, so that either range is taken.
  const std::int64_t least = bits == 64 ? std::numeric_limits<std::int64_t>::min() : -(std::int64_t{1} << (bits - 1));
  if (negative ? n.integer < least : bits < 64 && static_cast<std::uint64_t>(n.integer) >> bits != 0) return {};
  return static_cast<std::uint64_t>(n.integer) & (bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1);
}

// Brings generated values into a range: integers by their remainder, floats by their part of it.
class Into {
 public:
  Into(double low, double high) : low_(low), high_(high) {}

  template <class T>
  T integer(T value) const {
    const auto span = static_cast<std::uint64_t>(high_ - low_) + 1;
    return static_cast<T>(static_cast<std::int64_t>(low_) + static_cast<std::int64_t>(span == 0 ? value : value % span));
  }
  double real(double value) const { return low_ + value * (high_ - low_); }

  void all(std::vector<std::byte>& bytes, golden::Component component) const {
    switch (component) {
      case golden::Component::kU8:
      case golden::Component::kI8:
        return each<std::uint8_t>(bytes, [this](auto v) { return integer(v); });
      case golden::Component::kU16:
      case golden::Component::kI16:
        return each<std::uint16_t>(bytes, [this](auto v) { return integer(v); });
      case golden::Component::kU32:
      case golden::Component::kI32:
        return each<std::uint32_t>(bytes, [this](auto v) { return integer(v); });
      case golden::Component::kU64:
      case golden::Component::kI64:
        return each<std::uint64_t>(bytes, [this](auto v) { return integer(v); });
      case golden::Component::kF32:
        return each<float>(bytes, [this](float v) { return static_cast<float>(real(v)); });
      case golden::Component::kF64:
        return each<double>(bytes, [this](double v) { return real(v); });
      case golden::Component::kF16:
        return each<std::uint16_t>(
            bytes, [this](std::uint16_t v) { return golden::halfFromDouble(real(golden::valueOf(golden::Component::kF16, v))); });
    }
  }

 private:
  template <class T, class Change>
  static void each(std::vector<std::byte>& bytes, const Change& change) {
    for (std::size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
      T value;
      std::memcpy(&value, bytes.data() + at, sizeof value);
      value = static_cast<T>(change(value));
      std::memcpy(bytes.data() + at, &value, sizeof value);
    }
  }
  double low_, high_;
};

class JobMaker {
 public:
  JobMaker(const OpenDescription& open, const Case& c, const golden::Image* input, bool bytes)
      : open_(open), d_(open.says), case_(c), input_(input), bytes_(bytes), values_(open.valuesOf(c)) {}

  Expected<Job> run(std::span<const OpenDispatch> dispatches) {
    Job job;
    job.subgroupSize = case_.subgroupSize;
    job.resources.reserve(d_.resources.size());
    for (const DescribedResource& r : d_.resources) {
      Expected<Resource> resource = resourceOf(r);
      if (!resource) return resource.error();
      total_ += bytes_ ? 0 : size_;
      if (total_ > kMostBytes) return bad(r, "the resources of the case have more than 4 GB");
      job.resources.push_back(std::move(*resource));
    }
    for (const OpenDispatch& d : dispatches)
      if (Status wrong = addDispatches(d, job)) return *wrong;
    return job;
  }

  // Its shape as a picture: a level of several layers or slices is one above the other.
  struct Shape {
    Texels texels;
    golden::Extent extent;
    std::uint32_t levels = 1;
    bool blueFirst = false;
  };
  Expected<Shape> shapeOf(const DescribedResource& r) const {
    if (!r.isImage) {
      const Expected<std::uint64_t> elements = elementsOf(r);
      if (!elements) return elements.error();
      const std::uint64_t w = case_.size.width, h = case_.size.height;
      const bool grid = h > 1 && *elements == w * h;
      const golden::Extent line{static_cast<std::uint32_t>(*elements), 1};
      return Shape{texelsOf(r.type), grid ? golden::Extent{case_.size.width, case_.size.height} : line, 1, false};
    }
    const Expected<ImageData> image = imageOf(r);
    if (!image) return image.error();
    const FormatInfo& f = *formatInfo(image->format);
    Shape shape{
        texelsOf(f), {image->extent.x, image->extent.y}, image->levels, f.componentBits == 8 && f.layout.shift[0] > f.layout.shift[2]};
    const std::uint32_t slices = image->extent.z * image->layers * image->samples;
    if (slices == 1) return shape;
    if (image->levels == 1)
      shape.extent.height *= slices;
    else
      shape = {shape.texels, {static_cast<std::uint32_t>(image->levelOffset(image->levels) / f.texelBytes), 1}, 1, shape.blueFirst};
    return shape;
  }

 private:
  Error bad(const DescribedResource& r, std::string what, std::string hint = "") const {
    return badPlace(d_.file, r.at, fmt::format("resource '{}' of {}: {}", r.name, case_.name(), what), std::move(hint));
  }

  Expected<std::uint64_t> count(const Formula& f, std::string_view what, std::uint64_t least, std::uint64_t greatest) const {
    return f.count(values_, what, least, greatest);
  }

  Expected<std::uint64_t> elementsOf(const DescribedResource& r) const {
    std::uint64_t most = (kMostBytes - 1) / std::max<std::uint64_t>(1, r.type.bytes);
    if (r.elements) return count(*r.elements, "elements", 1, std::min<std::uint64_t>(most, 0xFFFFFFFF));
    std::uint64_t bytes = 0;
    for (const DescribedResource::Element& e : r.values) bytes += e.type.bytes;
    return (bytes + r.type.bytes - 1) / r.type.bytes;
  }

  template <class T>
  Status take(const Formula& f, std::string_view what, std::uint64_t least, std::uint64_t most, T& into) const {
    const Expected<std::uint64_t> n = count(f, what, least, most);
    if (!n) return n.error();
    into = static_cast<T>(*n);
    return {};
  }
  // What is left out stays as it is.
  template <class T>
  Status take(const std::optional<Formula>& f, std::string_view what, std::uint64_t most, T& into) const {
    return f ? take(*f, what, 0, most, into) : Status{};
  }

  // Without its bytes.
  Expected<ImageData> imageOf(const DescribedResource& r) const {
    ImageData image;
    image.format = r.formats.empty() ? r.format : r.formats[static_cast<std::size_t>(values_[r.formatName])];
    image.extent = {case_.size.width, case_.size.height, 1};
    image.dimensions = r.extent.empty() ? 2 : static_cast<std::uint32_t>(r.extent.size());
    std::uint32_t* const axes[] = {&image.extent.x, &image.extent.y, &image.extent.z};
    if (!r.extent.empty()) image.extent = {1, 1, 1};
    for (std::size_t i = 0; i < r.extent.size(); ++i)
      if (Status wrong = take(r.extent[i], "extent", 1, kMostSide, *axes[i])) return *wrong;
    const auto most = static_cast<std::uint64_t>(std::bit_width(std::max({image.extent.x, image.extent.y, image.extent.z})));
    for (const Status& wrong : {take(r.levels, "levels", 1, most, image.levels), take(r.layers, "layers", 1, 2048, image.layers),
                                take(r.samples, "samples", 1, 64, image.samples)})
      if (wrong) return *wrong;
    const double texels = double(image.extent.x) * image.extent.y * image.extent.z * image.layers * image.samples;
    if (texels * formatInfo(image.format)->texelBytes * 1.5 > double(kMostBytes)) return bad(r, "an image of more than 4 GB");
    return image;
  }

  Expected<Resource> resourceOf(const DescribedResource& r) {
    Resource out;
    out.name = r.name;
    out.output = r.output;
    out.undefined = r.data == Data::kFill && r.fill == kPoisonByte;
    if (r.isImage) {
      Expected<ImageData> image = imageOf(r);
      if (!image) return image.error();
      size_ = image->levelOffset(image->levels);
      out.data = std::move(*image);
    } else {
      const Expected<std::uint64_t> elements = elementsOf(r);
      if (!elements) return elements.error();
      size_ = *elements * r.type.bytes;
      out.data = BufferData{};
    }
    if (size_ == 0) return bad(r, "it has no bytes");
    if (Status wrong = fill(r, out)) return *wrong;
    return out;
  }

  // Checks what is said, and fills in the bytes if they are asked for.
  Status fill(const DescribedResource& r, Resource& out) {
    switch (r.data) {
      case Data::kFill:
        if (bytes_) out.bytes().assign(size_, r.fill);
        return {};
      case Data::kFile:
      case Data::kTyped: {
        const std::vector<std::byte>& has = open_.files[static_cast<std::size_t>(&r - d_.resources.data())];
        if (has.size() < size_) return bad(r, fmt::format("{} bytes are given, and it has {}", has.size(), size_), "");
        if (bytes_) out.bytes().assign(has.begin(), has.begin() + static_cast<std::ptrdiff_t>(size_));
        return {};
      }
      case Data::kFormulas:
        return fillValues(r, out);
      default:
        return bytes_ || !r.range.empty() ? fillGenerated(r, out) : Status{};
    }
  }

  Status fillValues(const DescribedResource& r, Resource& out) {
    std::vector<std::byte> bytes;
    auto& buffer = std::get<BufferData>(out.data);
    for (const DescribedResource::Element& e : r.values) {
      const Expected<Number> value = e.value.evaluate(values_);
      if (!value) return value.error();
      const std::optional<std::uint64_t> bits = bitsOf(*value, e.type);
      if (!bits)
        return badPlace(d_.file, e.value.place(), fmt::format("'{}' is no {}", e.value.text(), valueTypeName(e.type)),
                        "int(x) makes an integer");
      if (!e.address.empty() && bytes_) buffer.addresses.push_back({bytes.size(), e.address, *bits});
      const auto* from = reinterpret_cast<const std::byte*>(&*bits);
      bytes.insert(bytes.end(), from, from + e.type.bytes);
    }
    if (bytes.size() > size_) return bad(r, fmt::format("its values have {} bytes, and it has {}", bytes.size(), size_));
    bytes.resize(size_);
    if (bytes_) buffer.bytes = std::move(bytes);
    return {};
  }

  Status fillGenerated(const DescribedResource& r, Resource& out) {
    const Expected<Shape> shape = shapeOf(r);
    if (!shape) return shape.error();
    double ends[2] = {};
    for (std::size_t i = 0; i < r.range.size(); ++i) {
      const Expected<Number> end = r.range[i].evaluate(values_);
      if (!end) return end.error();
      ends[i] = end->asDouble();
    }
    if (!(ends[0] <= ends[1])) return bad(r, fmt::format("its range from {} to {} is empty", ends[0], ends[1]));
    const bool fits = ends[0] >= -0x1p62 && ends[1] <= 0x1p62;
    if (!golden::isFloat(shape->texels.component) && !fits) return bad(r, "its range goes beyond 2^62", "integers have at most 64 bits");
    if (!bytes_) return {};
    Expected<golden::Image> made = generated(r, *shape);
    if (!made) return bad(r, made.error().what, made.error().hint);
    if (!r.range.empty()) Into(ends[0], ends[1]).all(made->bytes, shape->texels.component);
    made->bytes.resize(size_, kPoisonByte);  // the other levels
    out.bytes() = std::move(made->bytes);
    return {};
  }

  Expected<golden::Image> generated(const DescribedResource& r, const Shape& shape) const {
    if (r.data == Data::kGenerator) return golden::makeInput(r.text.text, shape.extent, shape.texels.channels, shape.texels.component);
    const bool same = input_ != nullptr && input_->extent == shape.extent && input_->channels == shape.texels.channels &&
                      input_->component == shape.texels.component;
    if (same && r.seedStep == 0) return *input_;
    Expected<golden::InputSpec> spec = golden::parseInput(case_.input);
    if (!spec) return spec.error();
    spec->seed += r.seedStep;
    return golden::makeInput(*spec, shape.extent, shape.texels.channels, shape.texels.component);
  }

  Status addDispatches(const OpenDispatch& d, Job& job) {
    values_.back() = 0;
    const Expected<std::uint64_t> times = count(d.says->repeat, "repeat", 0, kMostRepeats);
    if (!times) return times.error();
    for (std::uint64_t i = 0; i < *times; ++i) {
      values_.back() = static_cast<std::int64_t>(i);
      if (Status wrong = addDispatch(d, job)) return wrong;
    }
    values_.back() = 0;
    return {};
  }

  Status addBlit(const DescribedDispatch::LevelBlit& says, Job& job) const {
    const auto& image = std::get<ImageData>(job.resources[resourceNamed(job.resources, says.resource)].data);
    const Expected<std::uint64_t> from = count(says.from, "from", 0, image.levels - 1), to = count(says.to, "to", 0, image.levels - 1);
    if (!from) return from.error();
    if (!to) return to.error();
    job.blits.push_back({says.resource, static_cast<std::uint32_t>(*from), static_cast<std::uint32_t>(*to),
                         static_cast<std::uint32_t>(job.dispatches.size())});
    return {};
  }

  Status addDispatch(const OpenDispatch& d, Job& job) {
    if (d.says->blit) return addBlit(*d.says->blit, job);
    Dispatch out;
    std::uint32_t* const axes[] = {&out.groups.x, &out.groups.y, &out.groups.z};
    for (std::size_t i = 0; i < d.says->groups.size(); ++i) {
      const Expected<std::uint64_t> groups = count(d.says->groups[i], "groups", 0, kMostGroups);
      if (!groups) return groups.error();
      *axes[i] = static_cast<std::uint32_t>(*groups);
    }
    const std::uint32_t* local = d.code.entry->localSize;
    if (double(out.groups.x) * out.groups.y * out.groups.z * local[0] * local[1] * local[2] > kMostInvocations)
      return badPlace(d_.file, d.says->groups[0].place(), "a dispatch of more than 2^36 invocations");
    if (bytes_) out.push.resize(d.pushBytes);
    for (const TypedFormula& p : d.push) {
      const Expected<std::uint64_t> bits = typed(p);
      if (!bits) return bits.error();
      if (bytes_) std::memcpy(out.push.data() + p.at, &*bits, p.type.bytes);
    }
    if (bytes_) out.pushAddresses = d.pushAddresses;
    for (Address& a : out.pushAddresses) std::memcpy(&a.offset, out.push.data() + a.at, sizeof(a.offset));  // until then it stands there
    for (const TypedFormula& s : d.spec) {
      const Expected<std::uint64_t> bits = typed(s);
      if (!bits) return bits.error();
      if (bytes_) out.spec.push_back({s.at, *bits});
    }
    if (bytes_) {
      out.module = d.code.module;
      out.entryPoint = d.code.entry->name;
      out.barrierBefore = d.says->barrier;
    }
    if (bytes_) out.bindings.reserve(d.bindings.size());
    for (const OpenDispatch::Bound& bound : d.bindings) {
      if (!bytes_ && bound.says == nullptr) continue;  // there is nothing to check
      Expected<Binding> binding = bindingOf(bound);
      if (!binding) return binding.error();
      out.bindings.push_back(std::move(*binding));
    }
    job.dispatches.push_back(std::move(out));
    return {};
  }

  Expected<std::uint64_t> typed(const TypedFormula& f) const {
    const Expected<Number> value = f.value->evaluate(values_);
    if (!value) return value.error();
    if (f.truth) return std::uint64_t{value->asDouble() != 0 ? 1u : 0u};
    const std::optional<std::uint64_t> bits = bitsOf(*value, f.type);
    if (bits) return *bits;
    return badPlace(
        d_.file, f.value->place(),
        fmt::format("'{}' is {}, which is no {} for '{}'", f.value->text(),
                    value->isFloat ? fmt::format("{}", value->real) : std::to_string(value->integer), valueTypeName(f.type), f.name),
        value->isFloat ? "int(x) makes an integer" : "");
  }

  Expected<Binding> bindingOf(const OpenDispatch::Bound& bound) const {
    Binding b;
    b.set = bound.slot.set;
    b.binding = bound.slot.binding;
    b.element = bound.slot.element;
    b.resource = bound.resource;
    b.viewFormat = bound.format;
    if (bound.says == nullptr) return b;
    const DescribedBinding& says = *bound.says;
    if (says.format) b.viewFormat = *says.format;
    if (says.sampler) b.sampler = *says.sampler;
    for (const Status& wrong : {take(says.level, "level", kMostPart, b.baseLevel), take(says.levels, "levels", kMostPart, b.levelCount),
                                take(says.layer, "layer", kMostPart, b.baseLayer), take(says.layers, "layers", kMostPart, b.layerCount),
                                take(says.offset, "offset", kMostBytes, b.offset), take(says.size, "size", kMostBytes, b.size)})
      if (wrong) return *wrong;
    return b;
  }

  const OpenDescription& open_;
  const Description& d_;
  const Case& case_;
  const golden::Image* input_;
  const bool bytes_;
  std::vector<std::int64_t> values_;
  std::size_t size_ = 0;  // bytes of the resource that is being made
  std::uint64_t total_ = 0;
};

}  // namespace

std::vector<std::int64_t> OpenDescription::valuesOf(const Case& c) const {
  std::vector<std::int64_t> values = {c.size.width, c.size.height};
  for (const std::uint32_t value : c.values) values.push_back(value);
  values.push_back(0);
  return values;
}

const DescribedResource* OpenDescription::input() const {
  for (const DescribedResource& r : says.resources)
    if (r.data == Data::kInput && r.seedStep == 0) return &r;
  return nullptr;
}

Expected<Job> describedJob(const OpenDescription& open, std::span<const OpenDispatch> dispatches, const Case& c, const golden::Image& input,
                           bool bytes) {
  return JobMaker(open, c, bytes ? &input : nullptr, bytes).run(dispatches);
}

InputShape describedInput(const OpenDescription& open, const Case& c) {
  const DescribedResource* r = open.input();
  if (r == nullptr) return {1, golden::Component::kU8, {1, 1}};
  const auto shape = JobMaker(open, c, nullptr, false).shapeOf(*r);
  if (!shape) return {};  // Kernel::fits says why
  return {shape->texels.channels, shape->texels.component, shape->extent};
}

Expected<std::vector<golden::Image>> describedShapes(const OpenDescription& open, const Case& c) {
  std::vector<golden::Image> images;
  JobMaker maker(open, c, nullptr, false);
  for (const DescribedResource& r : open.says.resources) {
    if (!r.output) continue;
    const auto shape = maker.shapeOf(r);
    if (!shape) return shape.error();
    golden::Image image;
    image.extent = shape->extent;
    image.channels = shape->texels.channels;
    image.component = shape->texels.component;
    image.levels = shape->levels;
    image.blueFirst = shape->blueFirst;
    images.push_back(std::move(image));
  }
  return images;
}

Expected<std::vector<golden::Image>> describedOutputs(const OpenDescription& open, const Case& c, RunResult run) {
  Expected<std::vector<golden::Image>> images = describedShapes(open, c);
  if (!images) return images;
  for (std::size_t i = 0; i < images->size(); ++i) {
    golden::Image& image = (*images)[i];
    if (i < run.outputs.size()) image.bytes = std::move(run.outputs[i].bytes());
    if (!image.wellFormed()) return Error{Outcome::kInternal, "an output has not the shape of its description", c.name(), ""};
  }
  return images;
}

}  // namespace lanewise
