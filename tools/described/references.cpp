// What says what the results of a described kernel are, and what they may differ by.
#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <filesystem>

#include "golden/pictures/picture_io.h"
#include "model/base/file.h"
#include "model/model.h"
#include "tools/described/described_kernel.h"
#include "tools/run/pictures.h"
#include "tools/run/typed_image.h"

namespace lanewise {
namespace {

using Images = std::vector<golden::Image>;
using Expect = std::function<Expected<Images>(const Case&, const golden::Image&)>;
using Judging = std::function<Expected<std::vector<golden::Bounds>>(const Case&, const golden::Image&)>;

// Its case of the built-in kernel that says what is right.
Expected<Case> judgedCase(const OpenDescription& open, const Case& c) {
  Case judged{open.judge, c.size, {}, c.input, 0};
  for (const Parameter& p : open.judge->parameters) {
    std::uint32_t value = p.fallback;
    for (std::size_t i = 0; i < open.says.parameters.size(); ++i) {
      const Parameter& own = open.says.parameters[i].parameter;
      if (own.name != p.name) continue;
      const Expected<std::uint32_t> parsed = p.parse(own.text(c.values[i]));
      if (!parsed)
        return badPlace(open.says.file, open.says.reference.kernel->at, fmt::format("{}: {}", open.judge->name, parsed.error().what),
                        parsed.error().hint);
      value = *parsed;
    }
    judged.values.push_back(value);
  }
  if (Status bad = outsideDomain(judged)) return badPlace(open.says.file, open.says.reference.kernel->at, bad->what, bad->hint);
  return judged;
}

// The shape of what the built-in kernel reads and gives must be that of the description.
Status sameShape(const OpenDescription& open, const Case& c, const Case& judged, std::span<const golden::Image> images) {
  const TextPlace at = open.says.reference.kernel->at;
  const InputShape own = describedInput(open, c), its = inputShape(judged);
  if (own.channels != its.channels || own.component != its.component || own.extent != its.extent)
    return badPlace(open.says.file, at,
                    fmt::format("{} reads another input: {}x{} of {} {}", open.judge->name, its.extent.width, its.extent.height,
                                its.channels, golden::componentName(its.component)),
                    "the resource with data = \"input\" must have this shape");
  const auto outputs = std::ranges::count_if(open.says.resources, &DescribedResource::output);
  if (static_cast<std::size_t>(outputs) != images.size())
    return badPlace(open.says.file, at,
                    fmt::format("{} gives {} outputs, and the description has {}", open.judge->name, images.size(), outputs));
  return {};
}

TextPlace placeOfGroups(std::span<const OpenDispatch> dispatches) {
  for (const OpenDispatch& d : dispatches)
    if (d.says != nullptr && !d.says->groups.empty()) return d.says->groups[0].place();
  return {};
}

// Nothing can be said of a case in which nothing runs.
Status refuseEmpty(const OpenDescription& open, std::span<const OpenDispatch> dispatches, const Case& c, const Job& job) {
  const auto isEmpty = [](const Dispatch& d) { return d.groups.x == 0 || d.groups.y == 0 || d.groups.z == 0; };
  if (!job.blits.empty() || !std::ranges::all_of(job.dispatches, isEmpty)) return {};
  return badPlace(open.says.file, placeOfGroups(dispatches),
                  fmt::format("nothing runs in the case {}: no dispatch has a workgroup", pointText(c)),
                  "`where` leaves out cases that the kernel does not have");
}

// Whether a dispatch has workgroups. It is seen without the whole job, which would cost as much as a small case.
bool surelyRuns(const OpenDescription& open, const Case& c) {
  const std::vector<std::int64_t> values = open.valuesOf(c);
  const auto isPositive = [&](const Formula& f) {
    const Expected<Number> n = f.evaluate(values);
    return n && n->asDouble() > 0;
  };
  return std::ranges::any_of(open.dispatches, [&](const OpenDispatch& d) {
    return !d.says->blit && isPositive(d.says->repeat) && std::ranges::all_of(d.says->groups, isPositive);
  });
}

// The same of cases in which the kernel's own dispatches do something.
template <typename Says>
Says whereItRuns(const std::shared_ptr<const OpenDescription>& open, Says says) {
  return [open, says = std::move(says)](const Case& c, const golden::Image& input) -> decltype(says(c, input)) {
    if (surelyRuns(*open, c)) return says(c, input);
    const Expected<Job> job = describedJob(*open, open->dispatches, c, {}, false);
    if (!job) return job.error();
    if (Status bad = refuseEmpty(*open, open->dispatches, c, *job)) return *bad;
    return says(c, input);
  };
}

// A run on the model, apart from what else the threads do: they may wait for this very result.
Expected<Images> runOnModel(const OpenDescription& open, std::span<const OpenDispatch> dispatches, const Case& c,
                            const golden::Image& input) {
  const Expected<Job> job = describedJob(open, dispatches, c, input);
  if (!job) return job.error();
  if (Status bad = refuseEmpty(open, dispatches, c, *job)) return *bad;
  RunResult run;
  tbb::this_task_arena::isolate([&] { run = open.model->run(*job); });
  if (run.error) return *run.error;
  return describedOutputs(open, c, std::move(run));
}

// "<u4", as numpy names the type of a resource's elements or components.
std::string numpyType(const DescribedResource& r, const ImageData* image) {
  const Texels texels = image ? texelsOf(*formatInfo(image->format)) : texelsOf(r.type);
  const std::size_t bytes = golden::componentBytes(texels.component);
  return fmt::format("{}{}{}", bytes == 1 ? '|' : '<', golden::componentName(texels.component)[0], bytes);
}

// Its shape for numpy: rows, columns and channels of an image, elements of a buffer; one row of components for an image with levels.
std::vector<std::uint64_t> numpyShape(const Resource& r, std::uint64_t componentBytes) {
  const std::uint64_t components = r.bytes().size() / componentBytes;
  const auto* image = std::get_if<ImageData>(&r.data);
  if (image == nullptr || image->levels > 1) return {components};
  std::vector<std::uint64_t> shape;
  const std::uint64_t slices = std::uint64_t{image->extent.z} * image->layers * image->samples;
  if (slices > 1) shape.push_back(slices);
  shape.insert(shape.end(), {image->extent.y, image->extent.x});
  if (const std::uint64_t channels = components / (slices * image->extent.x * image->extent.y); channels > 1) shape.push_back(channels);
  return shape;
}

Expected<Images> askProgram(const OpenDescription& open, const Case& c, const golden::Image& input) {
  const Expected<Job> job = describedJob(open, open.dispatches, c, input);
  if (!job) return job.error();
  ReferenceQuestion q;
  q.name = pointText(c);
  q.values = {{"width", c.size.width}, {"height", c.size.height}};
  for (std::size_t i = 0; i < c.values.size(); ++i) {
    const Parameter& p = open.says.parameters[i].parameter;
    if (p.choices.empty())
      q.values.emplace_back(p.name, c.values[i]);
    else
      q.choices.emplace_back(p.name, p.text(c.values[i]));
  }
  for (std::size_t i = 0; i < job->resources.size(); ++i) {
    const Resource& r = job->resources[i];
    ReferenceArray a{r.name, numpyType(open.says.resources[i], std::get_if<ImageData>(&r.data)), {}, r.bytes().size(), &r.bytes()};
    a.shape = numpyShape(r, static_cast<std::uint64_t>(a.dtype.back() - '0'));
    if (!r.undefined) q.inputs.push_back(a);
    if (r.output) q.outputs.push_back(a);
  }
  Expected<std::vector<std::vector<std::byte>>> answer = open.program->ask(q);
  if (!answer) return answer.error();
  Expected<Images> images = describedShapes(open, c);
  for (std::size_t i = 0; images && i < images->size(); ++i) (*images)[i].bytes = std::move((*answer)[i]);
  return images;
}

// A picture's file as a resource of this format has it; other files as they are.
Expected<std::vector<std::byte>> fileBytes(const std::string& file, const Resource& r) {
  const auto* like = std::get_if<ImageData>(&r.data);
  if (like != nullptr && isPictureFile(file)) {
    const Expected<golden::Image> picture = golden::readImage(file);
    if (!picture) return picture.error();
    ImageData image = *like;
    image.bytes.resize(image.levelOffset(image.levels));
    std::vector<std::string> notes;
    if (Status wrong = pictureToImage(*picture, image, notes)) return *wrong;
    return std::move(image.bytes);
  }
  const Expected<std::string> text = readWholeFile(file);
  if (!text) return text.error();
  const auto bytes = std::as_bytes(std::span(*text));
  return std::vector<std::byte>(bytes.begin(), bytes.end());
}

Expected<Images> readExpected(const OpenDescription& open, const Case& c) {
  const auto found = open.expected.find(pointText(c));
  if (found == open.expected.end()) return badPlace(open.says.file, open.says.reference.at, "there are no expected files for " + c.name());
  const Expected<Job> job = describedJob(open, open.dispatches, c, {}, false);
  if (!job) return job.error();
  Expected<Images> images = describedShapes(open, c);
  std::size_t output = 0;
  for (std::size_t i = 0; images && i < job->resources.size(); ++i) {
    if (!job->resources[i].output) continue;
    golden::Image& image = (*images)[output++];
    for (const auto& [name, file] : found->second->outputs) {
      if (name.text != job->resources[i].name) continue;
      const std::string path = (std::filesystem::path(open.says.file).parent_path() / file.text).string();
      Expected<std::vector<std::byte>> bytes = fileBytes(path, job->resources[i]);
      if (!bytes) return badPlace(open.says.file, file.at, bytes.error().text(), bytes.error().hint);
      const std::size_t meant = image.levelOffset(image.levels);
      if (bytes->size() != meant)
        return badPlace(open.says.file, file.at, fmt::format("'{}' has {} bytes, and {} are meant", path, bytes->size(), meant));
      image.bytes = std::move(*bytes);
    }
  }
  return images;
}

Expected<Images> recall(const OpenDescription& open, const Case& c) {
  const auto found = open.recorded.cases.find(pointText(c));
  if (found == open.recorded.cases.end())
    return Error{Outcome::kGoldenTrouble, fmt::format("no result is recorded for {}", c.name()), open.recordedFile,
                 fmt::format("`lanewise golden approve {}` records what the model gives", open.says.file)};
  Expected<Images> images = describedShapes(open, c);
  for (std::size_t i = 0; images && i < images->size(); ++i) {
    golden::Image& image = (*images)[i];
    if (i >= found->second.size() || found->second[i].size() != image.levelOffset(image.levels))
      return Error{Outcome::kGoldenTrouble, fmt::format("the result recorded for {} is of an earlier description", c.name()),
                   open.recordedFile, fmt::format("`lanewise golden approve {}` records it again", open.says.file)};
    image.bytes = found->second[i];
  }
  return images;
}

// The quick set of a kernel with expected files has these cases, and it has no others.
Status setExpected(Kernel& k, OpenDescription& open) {
  k.quick.clear();
  for (const DescribedReference::File& file : open.says.reference.files) {
    const Expected<Case> c = parsePoint(k, file.what.text);
    if (!c) return badPlace(open.says.file, file.what.at, c.error().what, c.error().hint);
    if (Status outside = outsideDomain(*c)) return badPlace(open.says.file, file.what.at, outside->what, outside->hint);
    if (!open.expected.emplace(pointText(*c), &file).second) return badPlace(open.says.file, file.what.at, "the case is there twice");
    CaseBlock block;
    block.sizes = {c->size};
    for (const std::uint32_t value : c->values) block.values.push_back({value});
    block.inputs = {c->input};
    k.quick.push_back(std::move(block));
  }
  k.has = [has = k.has, &open](const Case& c) { return has(c) && open.expected.contains(pointText(c)); };
  return {};
}

Status setJudge(Kernel& k, const std::shared_ptr<const OpenDescription>& open, Expect& expect) {
  k.oracle = open->judge->oracle;
  if (!open->judge->exact()) {
    if (!open->says.tolerances.empty())
      return badPlace(open->says.file, open->says.tolerances[0].at, fmt::format("{} has bounds of its own", open->judge->name),
                      "leave [tolerance] out");
    k.bounds = whereItRuns(open, Judging([open](const Case& c, const golden::Image& input) -> Expected<std::vector<golden::Bounds>> {
                             const Expected<Case> judged = judgedCase(*open, c);
                             if (!judged) return judged.error();
                             return open->judge->bounds(*judged, input);
                           }));
    return {};
  }
  expect = [open](const Case& c, const golden::Image& input) -> Expected<Images> {
    const Expected<Case> judged = judgedCase(*open, c);
    if (!judged) return judged.error();
    Expected<Images> images = open->judge->expect(*judged, input);
    if (images)
      if (Status bad = sameShape(*open, c, *judged, *images)) return *bad;
    return images;
  };
  return {};
}

// Bounds around what is expected.
Status setTolerances(Kernel& k, const std::shared_ptr<const OpenDescription>& open, const Expect& expect) {
  const std::vector<Tolerance>& all = open->says.tolerances;
  Case plain{&k, {1, 1}, {}, kPlainInput, 0};
  for (const Parameter& p : k.parameters) plain.values.push_back(p.fallback);
  const Expected<Images> shapes = describedShapes(*open, plain);
  std::vector<std::vector<const Tolerance*>> of;
  for (const DescribedResource& r : open->says.resources) {
    if (!r.output) continue;
    const std::size_t output = of.size();
    of.emplace_back();
    for (const Tolerance& t : all) {
      if (t.output != r.name) continue;
      of.back().push_back(&t);
      if (!shapes) continue;
      const std::optional<std::uint32_t> channel = t.channel ? channelNumber(*t.channel, (*shapes)[output]) : std::nullopt;
      if (!channel && t.channel)
        return badPlace(open->says.file, t.at, fmt::format("'{}' has no component '{}'", r.name, *t.channel),
                        fmt::format("all, or one of its {} components by letter or number", (*shapes)[output].channels));
      if (t.rmse) k.contract.means.push_back({output, channel, *t.rmse});
    }
  }
  k.contract.allows = tolerancesText(all);
  k.bounds = [expect, of](const Case& c, const golden::Image& input) -> Expected<std::vector<golden::Bounds>> {
    const Expected<Images> images = expect(c, input);
    if (!images) return images.error();
    std::vector<golden::Bounds> bounds;
    for (std::size_t i = 0; i < images->size() && i < of.size(); ++i) bounds.push_back(boundsOf((*images)[i], of[i]));
    return bounds;
  };
  return {};
}

}  // namespace

std::string pointText(const Case& c) {
  const std::string key = c.goldenKey();
  return key.substr(c.kernel->contract.name.size() + 3);
}

Expected<Images> resultOnModel(const OpenDescription& open, const Case& c, const golden::Image& input) {
  return runOnModel(open, open.dispatches, c, input);
}

Status setReference(Kernel& k, const std::shared_ptr<OpenDescription>& mutableOpen) {
  const std::shared_ptr<const OpenDescription> open = mutableOpen;
  const DescribedReference& r = open->says.reference;
  Expect expect;
  if (open->judge != nullptr) {
    if (Status bad = setJudge(k, open, expect)) return bad;
  } else if (!r.dispatches.empty()) {
    k.oracle = "reference-dispatches";
    expect = [open](const Case& c, const golden::Image& input) { return runOnModel(*open, open->reference, c, input); };
  } else if (open->program) {
    k.oracle = "reference-program";
    expect = [open](const Case& c, const golden::Image& input) { return askProgram(*open, c, input); };
  } else if (!r.files.empty()) {
    k.oracle = "expected-files";
    if (Status bad = setExpected(k, *mutableOpen)) return bad;
    expect = [open](const Case& c, const golden::Image&) { return readExpected(*open, c); };
  } else if (!open->recordedFile.empty()) {
    k.oracle = "recorded";
    k.recorded = true;
    k.contract.allows = fmt::format("as recorded {}and approved; recorded results are not proved",
                                    open->recorded.date.empty() ? "" : "on " + open->recorded.date + " ");
    expect = [open](const Case& c, const golden::Image&) { return recall(*open, c); };
  } else {
    k.oracle = "none";
    k.invariants = true;
    k.contract.allows = "the same in every run; nothing says what is right";
    expect = [open](const Case& c, const golden::Image& input) { return resultOnModel(*open, c, input); };
  }
  if (!expect) return {};
  expect = whereItRuns(open, std::move(expect));
  if (!open->says.tolerances.empty()) return setTolerances(k, open, expect);
  k.expect = std::move(expect);
  return {};
}

}  // namespace lanewise
