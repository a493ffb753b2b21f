// The input of a case, and the expectation for its outputs.
#include <fmt/format.h>

#include "golden/image/inputs.h"
#include "tools/catalogue/catalogue.h"

namespace lanewise {

InputShape inputShape(const Case& c) {
  if (c.kernel->shape) return c.kernel->shape(c);
  InputShape shape;
  shape.extent = {c.size.width, c.size.height};
  for (std::size_t i = 0; i < c.kernel->parameters.size(); ++i) {
    const Parameter& p = c.kernel->parameters[i];
    const FormatInfo* format = p.name == kFormatParameter ? formatInfo(formatByName(p.text(c.values[i]))) : nullptr;
    if (format == nullptr || format->numeric != NumericFormat::kSfloat) continue;
    shape.channels = format->components;
    shape.component = format->componentBits == 16 ? golden::Component::kF16 : golden::Component::kF32;
  }
  return shape;
}

Expected<golden::Image> inputOf(const Case& c) {
  const InputShape shape = inputShape(c);
  return golden::makeInput(c.input, shape.extent, shape.channels, shape.component);
}

std::string wrongSubgroup(const Kernel& kernel, std::uint32_t size) {
  if (size >= kernel.leastSubgroup && size <= kernel.greatestSubgroup) return {};
  return fmt::format("it is right for subgroups of {} to {} lanes, not of {}", kernel.leastSubgroup, kernel.greatestSubgroup, size);
}

std::string cannotRun(const Case& c, const Profile& profile) {
  if (c.subgroupSize != 0 && (c.subgroupSize < profile.minSubgroupSize || c.subgroupSize > profile.maxSubgroupSize))
    return fmt::format("its subgroup size is {}", profile.subgroupSize);
  const std::uint32_t subgroup = c.subgroupSize != 0 ? c.subgroupSize : profile.subgroupSize;
  if (const std::string wrong = wrongSubgroup(*c.kernel, subgroup); !wrong.empty()) return wrong;
  if (c.kernel->workgroupInvocations > profile.maxWorkgroupInvocations)
    return fmt::format("its workgroups have up to {} invocations", profile.maxWorkgroupInvocations);
  if (profile.subTexelBits != 0 && profile.subTexelBits < c.kernel->subTexelBits)
    return fmt::format("its filter's weights have {} bits", profile.subTexelBits);
  // The model has no list of capabilities: it reports each instruction that it cannot execute.
  const auto& has = profile.capabilities;
  const auto lacks = [&](const std::string& what) {
    return !what.empty() && !has.empty() && std::find(has.begin(), has.end(), what) == has.end();
  };
  if (lacks(c.kernel->needs)) return fmt::format("it has no {}", c.kernel->needs);
  for (std::size_t i = 0; i < c.values.size(); ++i) {
    const Parameter& p = c.kernel->parameters[i];
    if (c.values[i] != p.lowest && lacks(p.needs)) return fmt::format("it has no {}", p.needs);
  }
  return {};
}

Expected<Expectation> expectationOf(const Case& c, const golden::Image& input) {
  Expectation expected;
  expected.contract = c.kernel->contract;
  if (c.kernel->exact()) {
    Expected<std::vector<golden::Image>> images = c.kernel->expect(c, input);
    if (!images) return images.error();
    expected.images = std::move(*images);
    return expected;
  }
  Expected<std::vector<golden::Bounds>> bounds = c.kernel->bounds(c, input);
  if (!bounds) return bounds.error();
  for (golden::Bounds& b : *bounds) {
    expected.images.push_back(std::move(b.low));
    expected.high.push_back(std::move(b.high));
    if (!expected.contract.means.empty()) expected.centres.push_back(std::move(b.centre));
  }
  return expected;
}

namespace {

// The first mean beyond its limit; its evidence are the components that differ at all.
Expected<std::optional<OutputDiff>> firstMean(const Expectation& expected, const std::vector<golden::Image>& got) {
  for (const golden::MeanLimit& mean : expected.contract.means) {
    const std::size_t i = mean.output;
    if (i >= expected.centres.size()) continue;
    golden::Contract exact;
    exact.poison = expected.contract.poison;
    Expected<golden::Diff> diff = golden::compareImages(expected.centres[i], got[i], exact);  // an error where the shapes differ
    if (!diff) return diff.error();
    if (golden::rootMeanSquare(expected.centres[i], got[i], mean.channel) <= mean.most) continue;
    return std::optional<OutputDiff>{{i, std::move(*diff)}};
  }
  return std::optional<OutputDiff>{};
}

}  // namespace

Expected<std::optional<OutputDiff>> firstDifference(const Expectation& expected, const std::vector<golden::Image>& got) {
  for (std::size_t i = 0; i < expected.images.size(); ++i) {
    const golden::Image& image = expected.images[i];
    if (image.bytes == got[i].bytes) continue;
    Expected<golden::Diff> diff = expected.high.empty() ? golden::compareImages(image, got[i], expected.contract)
                                                        : golden::compareWithin({image, expected.high[i]}, got[i], expected.contract);
    if (!diff) return diff.error();
    if (!diff->withinTolerance()) return std::optional<OutputDiff>{{i, std::move(*diff)}};
  }
  return firstMean(expected, got);
}

Expected<Judged> judge(const Expectation& expected, RunResult& run) {
  if (run.outputs.size() != expected.images.size())
    return Error{Outcome::kInternal, fmt::format("{} outputs came back, {} were expected", run.outputs.size(), expected.images.size()), "",
                 ""};
  Judged judged;
  for (std::size_t i = 0; i < expected.images.size(); ++i) {
    const golden::Image& like = expected.images[i];
    if (run.outputs[i].bytes().size() != like.bytes.size())
      return Error{Outcome::kInternal, "an output has not the expected number of bytes", run.outputs[i].name, ""};
    golden::Image image = golden::makeLike(like);
    image.bytes = std::move(run.outputs[i].bytes());
    judged.got.push_back(std::move(image));
  }
  Expected<std::optional<OutputDiff>> wrong = firstDifference(expected, judged.got);
  if (!wrong) return wrong.error();
  judged.wrong = std::move(*wrong);
  return judged;
}

std::string Judged::text() const {
  return wrong ? texelText(wrong->diff, got[wrong->output].extent, golden::channelLetters(got[wrong->output])) : "";
}

std::string texelText(const golden::Diff& diff, golden::Extent extent, std::string_view channels) {
  if (!diff.first) return {};
  const golden::TexelDiff& t = *diff.first;
  std::string place = extent.height == 1 ? std::to_string(t.x) : fmt::format("({}, {})", t.x, t.y);
  if (t.level != 0) place += fmt::format(" of level {}", t.level);
  const auto value = [&](std::uint64_t bits) { return golden::valueText(diff.component, bits); };
  const std::string expected =
      t.leastBits == t.greatestBits ? value(t.expectedBits) : fmt::format("{} to {}", value(t.leastBits), value(t.greatestBits));
  std::string out = fmt::format("texel {}: {} expected, {} got", place, expected, value(t.gotBits));
  if (t.channel < channels.size()) out += fmt::format(" (channel {})", channels[t.channel]);
  return t.undefined ? out + ", looks never written" : out;
}

}  // namespace lanewise
