#include "tools/cli/run_expect.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "golden/pictures/picture_io.h"
#include "model/base/file.h"
#include "tools/catalogue/catalogue.h"
#include "tools/run/output.h"
#include "tools/run/pictures.h"
#include "tools/run/typed_image.h"

namespace lanewise {
namespace {

constexpr const char* kExpectOption = "--expect";
constexpr const char* kToleranceOption = "--tolerance";

std::optional<std::size_t> outputNamed(const RunJob& runJob, const std::string& text) {
  const Expected<Slot> slot = parseSlot(kExpectOption, text);
  return slot ? outputNamed(runJob, *slot) : std::nullopt;
}

Error noOutput(const RunJob& runJob, const char* option, const std::string& name) {
  std::string names;
  for (const RunOutput& o : runJob.outputs) names += (names.empty() ? "there are " : ", ") + o.title;
  return {Outcome::kBadInput, fmt::format("there is no output '{}'", name), option, names.empty() ? "there is none" : names};
}

// The resource of an output, in the order of the job.
const Resource& resourceOf(const RunJob& runJob, std::size_t output) {
  for (const Resource& r : runJob.job.resources)
    if (r.output && output-- == 0) return r;
  return runJob.job.resources.front();
}

Expected<std::vector<std::byte>> bytesOf(const std::string& data, const Resource& r) {
  if (looksLikeValues(data)) {
    Expected<ParsedValues> values = parseValues(kExpectOption, data);
    if (!values) return values.error();
    return std::move(values->bytes);
  }
  const std::string file = data.starts_with('@') ? data.substr(1) : data;
  if (const auto* like = std::get_if<ImageData>(&r.data); like != nullptr && isPictureFile(file)) {
    const Expected<golden::Image> picture = golden::readImage(file);
    if (!picture) return picture.error();
    ImageData image = *like;
    std::vector<std::string> notes;
    if (Status wrong = pictureToImage(*picture, image, notes))
      return Error{wrong->outcome, wrong->what, fmt::format("{} {}", kExpectOption, file), wrong->hint};
    return std::move(image.bytes);
  }
  const Expected<std::string> text = readWholeFile(file);
  if (!text) return text.error();
  const auto bytes = std::as_bytes(std::span(*text));
  return std::vector<std::byte>(bytes.begin(), bytes.end());
}

// "ulp=2": a part of a tolerance.
Status addLimit(Tolerance& t, const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string kind = text.substr(0, equals);
  double value = -1;
  if (equals != std::string::npos) {
    const auto [end, code] = std::from_chars(text.data() + equals + 1, text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size()) value = -1;
  }
  const bool known = kind == "ulp" || kind == "absolute" || kind == "relative" || kind == "rmse";
  if (!known || !(value >= 0) || value > 1e300)
    return Error{Outcome::kBadInput, fmt::format("'{}' is no tolerance", text), kToleranceOption,
                 "ulp=2, absolute=1e-5, relative=1e-6 or rmse=0.5"};
  if (kind == "ulp") t.ulp = static_cast<std::uint64_t>(std::min(value, 0x1p40));
  if (kind == "absolute") t.absolute = value;
  if (kind == "relative") t.relative = value;
  if (kind == "rmse") t.rmse = value;
  t.values = t.values || kind != "rmse";
  t.reason = "--tolerance says so";
  return {};
}

Status addTolerances(const std::vector<std::string>& texts, const RunJob& runJob, std::vector<ExpectedOutput>& out) {
  for (const std::string& text : texts) {
    const std::size_t colon = text.rfind(':', text.find('='));
    const std::string name = colon == std::string::npos ? "" : text.substr(0, colon);
    const std::optional<std::size_t> output = name.empty() ? std::nullopt : outputNamed(runJob, name);
    if (!name.empty() && !output) return noOutput(runJob, kToleranceOption, name);
    bool used = false;
    for (ExpectedOutput& e : out) {
      if (output && e.output != *output) continue;
      used = true;
      if (const std::string_view why = whyExact(runJob.outputs[e.output], resourceOf(runJob, e.output)); !why.empty())
        return Error{Outcome::kBadInput, fmt::format("{} has no tolerance: {}", runJob.outputs[e.output].title, why), kToleranceOption,
                     "such results are compared exactly"};
      if (e.tolerances.empty()) e.tolerances.emplace_back();
      if (Status wrong = addLimit(e.tolerances[0], name.empty() ? text : text.substr(colon + 1))) return wrong;
    }
    if (!used) return Error{Outcome::kBadInput, "nothing is expected that could differ", kToleranceOption, "--expect NAME=FILE"};
  }
  return {};
}

}  // namespace

Expected<std::vector<ExpectedOutput>> readExpected(const std::vector<std::string>& expect, const std::vector<std::string>& tolerance,
                                                   const RunJob& runJob) {
  std::vector<ExpectedOutput> out;
  for (const std::string& text : expect) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals + 1 == text.size())
      return Error{Outcome::kBadInput, fmt::format("'{}' is not NAME=DATA", text), kExpectOption,
                   "e.g. sums=expected.bin or 0:1=u32:1,2,3"};
    const std::optional<std::size_t> output = outputNamed(runJob, text.substr(0, equals));
    if (!output) return noOutput(runJob, kExpectOption, text.substr(0, equals));
    const Resource& r = resourceOf(runJob, *output);
    Expected<std::vector<std::byte>> bytes = bytesOf(text.substr(equals + 1), r);
    if (!bytes) return bytes.error();
    if (bytes->size() != r.bytes().size())
      return Error{Outcome::kBadInput,
                   fmt::format("{} bytes are expected of {}, which has {}", bytes->size(), runJob.outputs[*output].title, r.bytes().size()),
                   fmt::format("{} {}", kExpectOption, text.substr(0, equals)), ""};
    out.push_back({*output, std::move(*bytes), {}});
  }
  if (Status wrong = addTolerances(tolerance, runJob, out)) return *wrong;
  return out;
}

Expected<WrongOutput> wrongOutput(const RunJob& runJob, const std::vector<ExpectedOutput>& expected, const RunResult& run) {
  for (const ExpectedOutput& e : expected) {
    const Resource& output = run.outputs[e.output];
    const auto placeOf = [&](std::uint64_t byte) { return fmt::format("{} {}", output.name, placeIn(output, byte)); };
    Resource right = output;
    right.bytes() = e.bytes;
    if (e.tolerances.empty()) {
      const auto first = static_cast<std::uint64_t>(std::ranges::mismatch(output.bytes(), e.bytes).in1 - output.bytes().begin());
      if (first == output.bytes().size()) continue;
      const std::string text = differenceText(runJob.outputs[e.output], right, "expected", output, "got");
      return WrongOutput{text.substr(0, text.find_last_not_of('\n') + 1), placeOf(first)};
    }
    const golden::Bounds bounds = boundsOf(typedImage(runJob.outputs[e.output], right), {e.tolerances.data()});
    Expectation all;
    all.images = {bounds.low};
    all.high = {bounds.high};
    all.centres = {bounds.centre};
    if (e.tolerances[0].rmse) all.contract.means = {{0, std::nullopt, *e.tolerances[0].rmse}};
    const std::vector<golden::Image> got = {typedImage(runJob.outputs[e.output], output)};
    const Expected<std::optional<OutputDiff>> wrong = firstDifference(all, got);
    if (!wrong) return wrong.error();
    if (!*wrong) continue;
    const auto& first = (**wrong).diff.first;
    return WrongOutput{
        fmt::format("{}: {}", runJob.outputs[e.output].title, texelText((**wrong).diff, got[0].extent, golden::channelLetters(got[0]))),
        first ? placeOf(got[0].offset(first->level, first->x, first->y, first->channel)) : ""};
  }
  return WrongOutput{};
}

}  // namespace lanewise
