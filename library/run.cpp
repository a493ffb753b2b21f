// Runs, and who stored a byte of one.
#include <fmt/format.h>

#include "library/access.h"
#include "model/debug/session.h"

namespace lw {
namespace {

std::string invocationText(const Extent& at) {
  return fmt::format("({}, {}, {})", at.x, at.y, at.z);
}

Expected<Stored> storedError(const lanewise::Error& error) {
  return {{}, errorOf(error)};
}

}  // namespace

const Resource* Run::output(const std::string& name) const {
  for (const Resource& r : outputs)
    if (name.empty() || r.name == name) return &r;
  return nullptr;
}

Resource resourceOutside(const Job& job, lanewise::Resource resource) {
  Resource made;
  for (const Resource& r : job.resources)
    if (r.name == resource.name) {
      made.name = r.name;
      made.format = r.format;
      made.extent = r.extent;
      made.levels = r.levels;
      made.layers = r.layers;
      made.dimensions = r.dimensions;
    }
  made.output = true;
  made.bytes = std::move(resource.bytes());
  return made;
}

Run runOutside(const std::shared_ptr<const Job>& job, lanewise::RunResult result) {
  Run run;
  if (result.error) run.error = errorOf(*result.error);
  if (!run.error)
    for (lanewise::Resource& r : result.outputs) run.outputs.push_back(resourceOutside(*job, std::move(r)));
  for (const lanewise::RunFinding& f : result.findings)
    run.findings.push_back({lanewise::findingName(f.kind),
                            f.text(),
                            f.at.text(),
                            f.object.text(),
                            f.dispatch,
                            {f.invocation[0], f.invocation[1], f.invocation[2]},
                            f.count});
  for (const lanewise::Printed& p : result.printed) run.printed.push_back(p.text);
  run.seconds = result.seconds;
  run.job = job;
  return run;
}

Run run(const Job& job, const RunOptions& options) {
  return guarded<Run>(&failedRun, [&] { return runShared(std::make_shared<const Job>(job), options); });
}

Run runShared(std::shared_ptr<const Job> job, const RunOptions& options) {
  return guarded<Run>(&failedRun, [&] {
    if (!job) return failedRun({Outcome::badInput, "there is no job", "", ""});
    const lanewise::Expected<lanewise::ModelOptions> how = modelOptions(options);
    const lanewise::Expected<lanewise::Job> inside = jobInside(*job);
    Run made;
    if (!how || !inside) {
      made.error = errorOf(how ? inside.error() : how.error());
    } else {
      lanewise::ModelOptions stoppable = *how;
      stoppable.stop = options.stop;
      lanewise::Model model(stoppable);
      made = runOutside(job, model.run(*inside));
    }
    made.job = job;
    made.options = options;
    made.options.stop = nullptr;
    made.device = "model";
    return made;
  });
}

std::string Stored::text() const {
  if (!stored) return "nobody stored it";
  if (instruction.empty()) return fmt::format("a blit before dispatch {} stored it", dispatch);
  return fmt::format("stored by invocation {} of dispatch {} at {} ({})", invocationText(invocation), dispatch, place, instruction);
}

Expected<Stored> whoStored(const Run& run, const std::string& output, std::uint64_t byte, const std::atomic<bool>* stop) {
  return guardedValue<Stored>([&]() -> Expected<Stored> {
    if (run.job == nullptr) return {{}, Error{Outcome::badInput, "this run has no job", "", "take one that run() gave"}};
    const lanewise::Expected<lanewise::ModelOptions> how = modelOptions(run.options);
    if (!how) return storedError(how.error());
    const lanewise::Expected<lanewise::Job> job = jobInside(*run.job);
    if (!job) return storedError(job.error());
    const std::size_t resource = lanewise::resourceNamed(job->resources, output);
    if (resource == job->resources.size() || byte >= job->resources[resource].bytes().size())
      return {{}, Error{Outcome::badInput, fmt::format("there is no byte {} of '{}'", byte, output), "", ""}};
    lanewise::Model model(*how);
    const auto start = [&](lanewise::ir::Flavour f, lanewise::Execution* from) { return model.start(*job, f, from); };
    auto session = lanewise::debug::Session::open(*job, start);
    if (!session) return storedError(session.error());
    lanewise::debug::Session& s = **session;
    if (stop) s.setPulse([stop](const lanewise::debug::Time&) { return stop->load(std::memory_order_relaxed); });
    if (const auto end = s.toEnd(); !end) return storedError(end.error());
    const lanewise::debug::ByteRange bytes{static_cast<std::uint32_t>(resource), byte, byte + 1};
    const lanewise::Expected<lanewise::debug::Stop> writer = s.toFirstWriter({&bytes, 1});
    if (!writer) return storedError(writer.error());
    if (stop && stop->load(std::memory_order_relaxed))
      return {{}, Error{Outcome::interrupted, "the search for who stored it was stopped", "", ""}};
    Stored stored;
    stored.stored = writer->why == lanewise::debug::Why::kWriter || writer->why == lanewise::debug::Why::kBlit;
    stored.dispatch = s.dispatch();
    if (writer->why != lanewise::debug::Why::kWriter || !writer->hit) return {stored, {}};
    const lanewise::Extent3 at = s.focus();
    stored.invocation = {at.x, at.y, at.z};
    stored.place = s.program().instructionPlace(s.places().lined(writer->hit->pc)).text();
    stored.instruction = s.program().moduleOpOf(writer->hit->pc);
    return {stored, {}};
  });
}

std::string placeOf(const Resource& resource, std::uint64_t byte) {
  const lanewise::Expected<lanewise::Resource> inside = resourceInside(resource);
  if (!inside || byte >= resource.bytes.size()) return "byte " + std::to_string(byte);
  return (resource.format.empty() ? "byte " : "texel ") + lanewise::placeIn(*inside, byte);
}

}  // namespace lw
