#include "tools/cli/export.h"

#include <fmt/format.h>

#include <filesystem>

#include "model/base/file.h"
#include "model/base/text.h"
#include "model/model.h"
#include "tools/amber/write.h"

namespace lanewise {
namespace {

// What the outputs have to be; of a module what the model gives.
Expected<std::vector<amber::WrittenOutput>> outputsOf(const Subject& subject) {
  std::vector<amber::WrittenOutput> out;
  const Expected<std::optional<Expectation>> expected = expectationOf(subject);
  if (!expected) return expected.error();
  if (!*expected) {
    RunResult run = Model().run(subject.job);
    if (run.error) return *run.error;
    for (Resource& r : run.outputs) out.push_back({.least = std::move(r.bytes()), .greatest = {}});
    return out;
  }
  const Expectation& e = **expected;
  if (e.contract.tolerance != 0 || !e.contract.means.empty())
    return Error{Outcome::kUnsupported, "AmberScript has no statement for this tolerance", subject.name, ""};
  for (std::size_t i = 0; i < e.images.size(); ++i)
    out.push_back({.least = e.images[i].bytes,
                   .greatest = e.high.empty() ? std::vector<std::byte>() : e.high[i].bytes,
                   .zerosEqual = e.contract.zerosEqual});
  return out;
}

}  // namespace

Expected<Outcome> runExport(const ExportOptions& o) {
  if (!o.amber) return Error{Outcome::kBadInput, "nothing says as what", "lanewise export", "--amber"};
  const Expected<Subject> subject = openSubject(o.subject);
  if (!subject) return subject.error();
  const Expected<std::vector<amber::WrittenOutput>> outputs = outputsOf(*subject);
  if (!outputs) return outputs.error();
  const char* origin = subject->module() != nullptr ? " The results are those of the model; nothing says that they are right." : "";
  const Expected<std::string> script =
      amber::writeScript(subject->job, *outputs, fmt::format("{}, exported by Lanewise {}.{}", subject->name, LANEWISE_VERSION, origin));
  if (!script) return script.error();
  if (o.file.empty() || o.file == "-") {
    fmt::print("{}", *script);
    return Outcome::kOk;
  }
  if (Status bad = writeTextFile(o.file, *script)) return *bad;
  fmt::print("{}: {} bytes; `lanewise run {}` runs it\n", o.file, script->size(), shellWord(o.file));
  return Outcome::kOk;
}

}  // namespace lanewise
