// The finished cases of a run, written to disk after every case. A run that was interrupted or killed continues from there.
//
// A text file. Its first line identifies the run. Every other line is one case that passed on every side: CHECKSUM GOLDEN VERDICT:SECONDS
// ... | CASE. A line is written in one piece and has its own checksum. A line cut off by a crash or a full disk is ignored, and reading
// ends there. Cases that failed are not in the file: they run again, to get their images again.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "golden/store/hash.h"
#include "model/base/file.h"
#include "shaders/embedded.h"
#include "tools/sweep/result.h"

namespace lanewise {

// A hash of the modules that a run depends on: all modules of the program, because a plan may dispatch others than its kernel's own, and
// the module that the user gives instead.
golden::Hash128 hashOfWords(std::span<const EmbeddedModule> modules, const ShaderModule* own);

class Journal {
 public:
  // `run` identifies the run in one line: the plan, the part, the sides. With `resume` the cases of an earlier journal are taken over, and
  // a journal of another run is bad input. Without it the journal starts empty. kIoError for a file that cannot be read or written.
  static Expected<Journal> open(const std::filesystem::path& file, const std::string& run, bool resume);

  // Fills in the results of an earlier run for this case; false if there are none.
  bool recall(CaseResult& c) const;
  std::size_t known() const { return lines_.size(); }
  // Adds a case if it passed. Safe from any thread. kIoError after a write has failed.
  Status add(const CaseResult& c);

 private:
  Journal(Descriptor file, std::filesystem::path path)
      : file_(std::move(file)), path_(std::move(path)), mutex_(std::make_unique<std::mutex>()) {}
  Descriptor file_;
  std::filesystem::path path_;
  Status failed_;  // the first error of a write; nothing is written after it
  std::unique_ptr<std::mutex> mutex_;
  std::map<std::string, std::string, std::less<>> lines_;  // by case: the text between the checksum and the case
};

}  // namespace lanewise
