#include "tools/subject/corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <sstream>

#include "model/base/file.h"
#include "tools/catalogue/catalogue.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;

// Sets the module's option that has this name; false if none has, or its value is missing.
bool setOption(ModuleArguments& m, const std::string& name, std::istringstream& words) {
  bool known = false;
  forEachModuleOption(m, [&]<class Field>(const OptionRow& row, Field& field) {
    if (fmt::format(",{},", row.names).find(fmt::format(",{},", name)) == std::string::npos) return;
    if constexpr (std::is_same_v<Field, bool>)
      known = field = true;
    else if constexpr (std::is_same_v<Field, std::vector<std::string>>)
      known = bool(words >> field.emplace_back());
    else
      known = bool(words >> field);
  });
  return known;
}

Error wrongLine(const std::string& file, std::size_t line, std::string what) {
  return {Outcome::kBadInput, std::move(what), fmt::format("{}:{}", file, line), "tools/subject/corpus.h says what a kernel begins with"};
}

class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {
    k_.name = fs::path(file).stem();
    k_.small.text = k_.large.text = file;
  }

  Expected<CorpusKernel> run(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line) && line.starts_with("//");) {
      ++number_;
      if (Status wrong = read(line.substr(std::min<std::size_t>(line.size(), 3)))) return *wrong;
    }
    if (k_.what.empty()) return wrongLine(file_, 1, "nothing says what it is");
    if (!small_ || !large_) return wrongLine(file_, number_, fmt::format("no line '{}:'", small_ ? "large" : "small"));
    return std::move(k_);
  }

 private:
  Status read(const std::string& line) {
    if (line.starts_with("small:")) return options(line, k_.small, small_);
    if (line.starts_with("large:")) return options(line, k_.large, large_);
    if (line == "transcendental") {
      k_.transcendental = true;
    } else if (line.starts_with("differs: ")) {
      const char* end = line.data() + line.size();
      const auto [rest, code] = std::from_chars(line.data() + 9, end, k_.bound);
      if (code != std::errc() || k_.bound <= 0 || rest == end) return wrongLine(file_, number_, "no bound with its reason");
      k_.why.assign(rest + 1, end);
    } else {
      k_.what += (k_.what.empty() ? "" : " ") + line;
    }
    return {};
  }

  Status options(const std::string& line, SubjectArguments& into, bool& given) {
    given = true;
    std::istringstream words(line.substr(6));
    for (std::string name; words >> name;)
      if (!setOption(into.module, name, words)) return wrongLine(file_, number_, fmt::format("'{}' is no option of a module", name));
    return {};
  }

  const std::string& file_;
  CorpusKernel k_;
  std::size_t number_ = 0;
  bool small_ = false, large_ = false;
};

}  // namespace

Expected<CorpusKernel> parseCorpusKernel(const std::string& file, const std::string& text) {
  return Reader(file).run(text);
}

Expected<std::vector<CorpusKernel>> readCorpus(const std::string& folder, const std::vector<std::string>& patterns) {
  std::error_code failed;
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder, failed))
    if (entry.path().extension() == ".comp") files.push_back(entry.path());
  if (failed) return Error{Outcome::kIoError, "the corpus is not there", folder, failed.message()};
  std::sort(files.begin(), files.end());
  std::vector<CorpusKernel> all;
  std::vector<bool> matched(patterns.size());
  for (const std::string& file : files) {
    bool wanted = patterns.empty();
    for (std::size_t p = 0; p < patterns.size(); ++p)
      if (matchesPattern(patterns[p], fs::path(file).stem().string())) wanted = matched[p] = true;
    if (!wanted) continue;
    const Expected<std::string> text = readWholeFile(file);
    if (!text) return text.error();
    Expected<CorpusKernel> kernel = parseCorpusKernel(file, *text);
    if (!kernel) return kernel.error();
    all.push_back(std::move(*kernel));
  }
  for (std::size_t p = 0; p < patterns.size(); ++p)
    if (!matched[p]) return Error{Outcome::kBadInput, fmt::format("no kernel of the corpus matches '{}'", patterns[p]), "--corpus", folder};
  return all;
}

}  // namespace lanewise
