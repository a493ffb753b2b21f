// `lanewise capsule`: a run in one file, with its modules and data, for another machine or a bug report.
#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "model/base/file.h"
#include "model/base/visible.h"
#include "model/model.h"
#include "tools/amber/requirements.h"
#include "tools/catalogue/catalogue.h"
#include "tools/cli/commands.h"
#include "tools/run/typed_image.h"
#include "tools/subject/way.h"

namespace lanewise {
namespace {

// What the model gives now, where nothing else says what is right.
Expectation asOfNow(const RunJob& plan, const RunResult& run) {
  Expectation out;
  out.contract.name = "as the model gave it";
  out.contract.allows = "as the model gave it when the capsule was made; nothing says that it is right";
  out.contract.poison.reset();
  for (std::size_t i = 0; i < run.outputs.size(); ++i) out.images.push_back(typedImage(plan.outputs[i], run.outputs[i]));
  return out;
}

}  // namespace

Expected<Outcome> runCapsule(const CapsuleOptions& o) {
  const Expected<Subject> subject = openSubject(o.subject, true);
  if (!subject) return subject.error();
  const Expected<Way> way = wayOf(*subject, o.profile, o.schedule);
  if (!way) return way.error();
  const std::string file = o.out.empty() ? std::filesystem::path(splitCaseName(o.subject.text).kernel).stem().string() + ".capsule" : o.out;
  Model model({.profile = way->profile, .schedule = way->schedule});
  RunResult run = model.run(subject->job);
  Capsule c;
  c.tool = LANEWISE_VERSION;
  c.what = subject->name;
  c.ruling = "made by `lanewise capsule`";
  c.schedule = way->schedule.token();
  c.profile = way->profile;
  c.job = subject->job;
  std::set<const ShaderModule*> seen;
  for (const Dispatch& d : c.job.dispatches)
    if (seen.insert(d.module.get()).second) c.modules.push_back(d.module);
  Expected<std::optional<Expectation>> expected = expectationOf(*subject);
  if (!expected) return expected.error();
  CapsuleAnswer answer{
      "model", fmt::format("profile {}, schedule {}", way->profile.name, way->schedule.token()), run.error ? run.error->text() : "", {}};
  if (*expected) {
    c.expected = std::move(**expected);
    if (!run.error) {
      Expected<Judged> judged = judge(c.expected, run);
      if (!judged) return judged.error();
      answer.images = std::move(judged->got);
    }
  } else if (run.error) {
    return Error{run.error->outcome, "the model does not run it, and nothing else says what is expected: " + run.error->what,
                 run.error->where, run.error->hint};
  } else {
    c.expected = asOfNow(*subject->module(), run);
    answer.images = c.expected.images;
  }
  c.answers.push_back(std::move(answer));
  if (subject->script != nullptr) c.needs = amber::requirementTexts(*subject->script);
  const std::vector<std::byte> bytes = encodeCapsule(c);
  if (Status bad = writeTextFile(file, std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()))) return *bad;
  fmt::print("{}: {} bytes; `lanewise replay`, `run`, `check`, `debug` and `trace` take it\n", visible(file), bytes.size());
  return Outcome::kOk;
}

}  // namespace lanewise
