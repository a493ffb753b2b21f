// What a run has done so far, on disk after every case: a run that was interrupted or killed continues from there.
//
// A text file. Its first line says which run it is of; every other line is one case that passed on every side:
// CHECKSUM GOLDEN VERDICT:SECONDS ... | CASE A line is written in one piece and has its own checksum, so that a line cut off by a crash,
// or one of a full disk, is ignored; reading ends there. Cases that failed are not in it: they run again, which brings their images
// back.
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

// The words that a run hangs on: those of every module of the program, since a plan dispatches others beside its kernel's own, and those
// of the module that the user puts in its place.
golden::Hash128 hashOfWords(std::span<const EmbeddedModule> modules, const ShaderModule* own);

class Journal {
 public:
  // `run` says which run it is, in one line: the plan, the part, the sides. With `resume` the cases of an earlier journal are taken over,
  // and a journal of another run is bad input; without, it starts empty. kIoError for a file that cannot be read or written.
  static Expected<Journal> open(const std::filesystem::path& file, const std::string& run, bool resume);

  // Fills in what an earlier run found out about this case; false if it is not known.
  bool recall(CaseResult& c) const;
  std::size_t known() const { return lines_.size(); }
  // Adds a case, if it passed. Safe from any thread. kIoError once writing has failed.
  Status add(const CaseResult& c);

 private:
  Journal(Descriptor file, std::filesystem::path path)
      : file_(std::move(file)), path_(std::move(path)), mutex_(std::make_unique<std::mutex>()) {}
  Descriptor file_;
  std::filesystem::path path_;
  Status failed_;  // the first that a write met; nothing is written after it
  std::unique_ptr<std::mutex> mutex_;
  std::map<std::string, std::string, std::less<>> lines_;  // by case: what stands between the checksum and the case
};

}  // namespace lanewise
