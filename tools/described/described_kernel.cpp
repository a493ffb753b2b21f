#include "tools/described/described_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "golden/pictures/picture_io.h"
#include "model/base/file.h"
#include "model/model.h"
#include "tools/run/pictures.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;

// What a resource's file or typed values hold.
Expected<std::vector<std::byte>> givenBytes(const DescribedResource& r, const Description& d) {
  if (r.data == DescribedResource::Data::kTyped) {
    Expected<ParsedValues> values = parseValues("data", r.text.text);
    if (!values) return badPlace(d.file, r.text.at, values.error().what, values.error().hint);
    if (!values->addresses.empty()) return badPlace(d.file, r.text.at, "an address is an element of `values`", "values = [\"addr: NAME\"]");
    return std::move(values->bytes);
  }
  if (r.data != DescribedResource::Data::kFile) return std::vector<std::byte>();
  const std::string file = (fs::path(d.file).parent_path() / r.text.text).string();
  if (!r.isImage || !isPictureFile(file)) {
    const Expected<std::string> text = readWholeFile(file);
    if (!text) return badPlace(d.file, r.text.at, text.error().text(), "it is searched beside the description");
    const auto bytes = std::as_bytes(std::span(*text));
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  }
  const Expected<golden::Image> picture = golden::readImage(file);
  if (!picture) return namedAt(picture.error(), d.file, r.text.at);
  ImageData image;
  image.format = r.formats.empty() ? r.format : r.formats[0];
  image.extent = {picture->extent.width, picture->extent.height, 1};
  image.bytes.resize(image.levelOffset(1));
  std::vector<std::string> notes;
  if (Status wrong = pictureToImage(*picture, image, notes)) return namedAt(*wrong, d.file, r.text.at);
  return std::move(image.bytes);
}

Expected<std::shared_ptr<const Kernel>> kernelOf(const std::shared_ptr<OpenDescription>& open) {
  const Description& d = open->says;
  auto k = std::make_shared<Kernel>();
  k->name = d.file;
  k->own = open->dispatches[0].code.module;
  k->module = k->own->name;
  k->summary = d.summary;
  k->promise = d.promise;
  if (open->judge != nullptr) k->contract = open->judge->contract;
  k->contract.name = d.name;
  // A result that starts as something else than poison has other bytes where nothing was written.
  for (const DescribedResource& r : d.resources)
    if (r.output && (r.data != DescribedResource::Data::kFill || r.fill != kPoisonByte)) k->contract.poison.reset();
  for (const DescribedParameter& p : d.parameters) k->parameters.push_back(p.parameter);
  for (const OpenDispatch& dispatch : open->dispatches) {
    if (dispatch.says->blit) continue;
    const std::uint32_t* local = dispatch.code.entry->localSize;
    const std::uint32_t invocations = local[0] * local[1] * local[2];
    if (invocations > 128) k->workgroupInvocations = std::max(k->workgroupInvocations, invocations);
  }
  k->largestSide = d.largest;
  k->line = d.line;
  k->leastSubgroup = d.leastSubgroup;
  k->greatestSubgroup = d.greatestSubgroup;
  k->plan = [open](const Case& c, const std::shared_ptr<const ShaderModule>& module, const golden::Image& input) {
    Expected<Job> job = describedJob(*open, open->dispatches, c, input);
    if (!job) return Job{};  // `fits` has said why
    for (Dispatch& dispatch : job->dispatches)
      if (dispatch.module == open->dispatches[0].code.module) dispatch.module = module;
    return std::move(*job);
  };
  k->has = [open](const Case& c) {
    const std::vector<std::int64_t> values = open->valuesOf(c);
    return std::ranges::all_of(open->says.where, [&](const Formula& f) {
      const Expected<Number> value = f.evaluate(values);
      return !value || value->asDouble() != 0;  // `fits` says what is wrong
    });
  };
  k->fits = [open](const Case& c) -> Status {
    for (const Formula& f : open->says.where) {
      const Expected<Number> value = f.evaluate(open->valuesOf(c));
      if (!value) return value.error();
      if (value->asDouble() == 0)
        return badPlace(open->says.file, f.place(), fmt::format("the kernel has no case {}: not '{}'", c.name(), f.text()));
    }
    const Expected<Job> job = describedJob(*open, open->dispatches, c, {}, false);
    return job ? Status{} : Status{job.error()};
  };
  k->shape = [open](const Case& c) { return describedInput(*open, c); };
  k->quick = describedQuick(*open);
  if (Status wrong = setReference(*k, open)) return *wrong;
  k->self = k;
  return std::shared_ptr<const Kernel>(k);
}

// The description, with the files that it names.
Expected<std::shared_ptr<OpenDescription>> openModules(const std::string& file, const std::string& text, const KeptIn& keptIn,
                                                       const std::atomic<bool>* stop = nullptr) {
  Expected<Description> says = readDescription(file, text);
  if (!says) return says.error();
  auto open = std::make_shared<OpenDescription>();
  open->says = std::move(*says);
  const Description& d = open->says;
  for (const DescribedModule& m : d.modules) {
    Expected<OpenModule> module = openModule(m, file, keptIn);
    if (!module) return module.error();
    // One file may be several modules, with other definitions.
    if (std::ranges::any_of(open->modules, [&](const OpenModule& other) { return other.module->name == module->module->name; })) {
      auto named = std::make_shared<ShaderModule>(*module->module);
      named->name += fmt::format(" ({})", m.name);
      module->module = std::move(named);
    }
    open->modules.push_back(std::move(*module));
  }
  const std::pair<const std::vector<DescribedDispatch>*, std::vector<OpenDispatch>*> lists[] = {
      {&d.dispatches, &open->dispatches}, {&d.reference.dispatches, &open->reference}};
  for (const auto& [from, into] : lists)
    for (const DescribedDispatch& dispatch : *from) {
      if (dispatch.blit) {
        into->emplace_back().says = &dispatch;
        continue;
      }
      Expected<OpenDispatch> made = openDispatch(dispatch, open->modules[dispatch.module], d);
      if (!made) return made.error();
      into->push_back(std::move(*made));
    }
  for (const DescribedResource& r : d.resources) {
    Expected<std::vector<std::byte>> bytes = givenBytes(r, d);
    if (!bytes) return bytes.error();
    open->files.push_back(std::move(*bytes));
  }
  if (d.reference.kernel) {
    open->judge = findKernel(d.reference.kernel->text);
    if (open->judge == nullptr || open->judge->broken())
      return badPlace(file, d.reference.kernel->at, fmt::format("there is no kernel '{}'", d.reference.kernel->text),
                      "see `lanewise list`");
  }
  ModelOptions options;
  options.stop = stop;
  open->model = std::make_shared<Model>(options);
  const fs::path folder = fs::path(file).parent_path();
  if (!d.reference.program.empty())
    open->program = std::make_shared<ReferenceProgram>(d.reference.program, folder.string(), d.reference.timeout, stop);
  if (d.reference.recorded) {
    open->recordedFile = (folder / d.reference.recorded->text).string();
    Expected<Recorded> recorded = readRecorded(open->recordedFile);
    if (!recorded) return namedAt(recorded.error(), file, d.reference.recorded->at);
    open->recorded = std::move(*recorded);
  }
  return open;
}

}  // namespace

bool isDescriptionFile(std::string_view file) {
  return file.ends_with(".toml");
}

Expected<std::shared_ptr<const Kernel>> openDescription(const std::string& file, const KeptIn& keptIn, const std::atomic<bool>* stop) {
  const Expected<std::string> text = readWholeFile(file);
  if (!text) return text.error();
  const Expected<std::shared_ptr<OpenDescription>> open = openModules(file, *text, keptIn, stop);
  return open ? kernelOf(*open) : open.error();
}

Expected<std::shared_ptr<const Kernel>> openDescription(const std::string& file, const std::string& text) {
  const Expected<std::shared_ptr<OpenDescription>> open = openModules(file, text, {});
  return open ? kernelOf(*open) : open.error();
}

Expected<RecordedKernel> openRecorded(const std::string& file, const KeptIn& keptIn) {
  const Expected<std::string> text = readWholeFile(file);
  if (!text) return text.error();
  const Expected<std::shared_ptr<OpenDescription>> open = openModules(file, *text, keptIn);
  if (!open) return open.error();
  if ((**open).recordedFile.empty())
    return badPlace(file, (**open).says.reference.at, "no results are recorded of this kernel", "[reference] recorded = \"NAME.recorded\"");
  const Expected<std::shared_ptr<const Kernel>> kernel = kernelOf(*open);
  if (!kernel) return kernel.error();
  return RecordedKernel{*kernel, *open};
}

}  // namespace lanewise
