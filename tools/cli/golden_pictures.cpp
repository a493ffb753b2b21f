// `lanewise golden image`, and the pictures of what a regeneration changes.
#include "tools/cli/golden_pictures.h"
#include "model/base/visible.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <map>

#include "golden/pictures/picture_io.h"
#include "model/base/text.h"
#include "tools/catalogue/catalogue.h"
#include "tools/cli/commands.h"
#include "tools/sweep/inputs.h"
#include "tools/sweep/keep.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostPictures = 500;

// A folder of temporary files, removed at the end.
class Workshop {
 public:
  Workshop() {
    std::string name = fs::temp_directory_path() / "lanewise-golden-XXXXXX";
    if (::mkdtemp(name.data()) != nullptr) folder_ = name;
  }
  ~Workshop() {
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
  }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;
  const fs::path& folder() const { return folder_; }

 private:
  fs::path folder_;
};

// Runs a command; what it printed last, if it failed.
std::optional<std::string> failureOf(const std::string& command) {
  std::FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return "it could not be started";
  std::string text;
  char buffer[4096];
  for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, n);
  const int status = ::pclose(pipe);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

// The pictures that another version gives for the case, or why there are none. They must have the hash that the store has.
void addOld(ChangedGolden& golden, const Case& c, golden::Hash128 stored, const std::string& program, const fs::path& folder) {
  const std::string command =
      fmt::format("{} golden image {} --out {}", shellWord(program), shellWord(c.name()), shellWord(folder.string()));
  if (const auto failure = failureOf(command)) {
    golden.noOld = fmt::format("{} gives none: {}", program, *failure);
    return;
  }
  for (std::size_t i = 0; i < golden.now.size(); ++i) {
    const std::string stem = golden.now.size() == 1 ? "expected" : fmt::format("expected-{}", i);
    for (const char* ending : {".png", ".exr", ".tif"})
      if (const fs::path file = folder / folderName(c) / (stem + ending); fs::exists(file))
        if (Expected<golden::Image> image = golden::readImage(file)) golden.old.push_back(std::move(*image));
    if (golden.old.size() != i + 1) {
      golden.noOld = "what the other version wrote is no picture";
      golden.old.clear();
      return;
    }
  }
  if (golden::hashOutputs(golden.old) == stored) return;
  golden.noOld = fmt::format("the old bytes are gone: {} gives {}, and the store has {}", program,
                             golden::hashText(golden::hashOutputs(golden.old)), golden::hashText(stored));
  golden.old.clear();
}

// The input and the oracle's result as files.
Status writeGolden(const Case& c, const std::string& folder) {
  Inputs inputs;
  if (Status bad = inputs.addPictureOf(c)) return bad;
  if (Status bad = outsideDomain(c)) return bad;
  const Expected<golden::Image> input = inputs.make(c);
  if (!input) return input.error();
  const Expected<Expectation> expected = expectationOf(c, *input);
  if (!expected) return expected.error();
  const bool range = !expected->high.empty();
  if (Status bad = keepImages(folder, c, "input", {&*input, 1})) return bad;
  if (Status bad = keepImages(folder, c, range ? "least" : "expected", expected->images)) return bad;
  if (range)
    if (Status bad = keepImages(folder, c, "greatest", expected->high)) return bad;
  fmt::print("{}\n  {}: input and {}\n", visible(c.name()), visible((fs::path(folder) / folderName(c)).string()),
             range ? "least and greatest" : "expected");
  if (!range) fmt::print("  hash {}\n", golden::hashText(golden::hashOutputs(expected->images)));
  if (c.kernel->numbers != nullptr)
    for (const golden::ExactNumber& n : c.kernel->numbers(c, expected->images))
      fmt::print("  {}: {} = {}\n", n.name, n.fraction(), n.decimal());
  return {};
}

}  // namespace

Expected<std::vector<ChangedGolden>> changedGoldens(const golden::StoreChange& changes, bool full, const std::string& before) {
  std::error_code failed;
  if (!before.empty() && !fs::exists(before, failed))
    return Error{Outcome::kIoError, fmt::format("there is no program '{}'", before), "--before", "name the file of an earlier lanewise"};
  std::map<std::string, Case> cases;
  if (!full)
    for (auto& [key, c] : quickGoldenKeys()) cases.emplace(key, c);
  const Workshop workshop;
  std::vector<ChangedGolden> out;
  for (const golden::StoreChange::Change& change : changes.changed) {
    ChangedGolden golden{change.name, {}, {}, "the old bytes are gone: a store has hashes; --before PROGRAM makes them again"};
    const auto found = cases.find(change.name);
    if (found == cases.end() || out.size() == kMostPictures) continue;
    const Expected<golden::Image> input = inputOf(found->second);
    if (!input) return input.error();
    Expected<Expectation> expected = expectationOf(found->second, *input);
    if (!expected) return expected.error();
    golden.now = std::move(expected->images);
    if (!before.empty()) addOld(golden, found->second, change.before.hash, before, workshop.folder() / std::to_string(out.size()));
    out.push_back(std::move(golden));
  }
  return out;
}

Expected<Outcome> runGoldenImage(const GoldenOptions& o) {
  const Expected<Selection> selected = selectSubjects(o.patterns, o.subject);
  if (!selected) return selected.error();
  if (Status file = refuseFiles(*selected, "a golden belongs to a case of a kernel")) return *file;
  if (!selected->kernels.empty())
    return Error{Outcome::kBadInput, fmt::format("{} is no case", selected->kernels[0]->name), "golden image",
                 "give it a --size, or a case as reports name it"};
  for (const Case& c : selected->cases)
    if (Status bad = writeGolden(c, o.out)) return *bad;
  return Outcome::kOk;
}

}  // namespace lanewise
