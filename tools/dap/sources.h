// The source files of a job's modules, as an editor knows them: by the path of a file that lies there and reads the same, or by a number
// under which the module's own text is asked for.
#pragma once

#include <filesystem>
#include <set>

#include "model/debug/session.h"
#include "tools/dap/arguments.h"

namespace lanewise::dap {

class Sources {
 public:
  Sources() = default;
  // Of the modules of all dispatches.
  explicit Sources(debug::Session& session);

  // Source: name, and path or sourceReference. Null where the line has no file.
  Json of(const debug::Places& places, spirv::SourceLine line) const;
  std::vector<Json> all() const;
  // By number, counted from 0.
  std::optional<std::size_t> numberOf(const debug::Places& places, spirv::SourceLine line) const;
  std::size_t count() const { return files_.size(); }
  const std::string& pathOf(std::size_t number) const { return files_[number].path; }
  const std::string& textOf(std::size_t number) const { return files_[number].text; }
  // The path that the module has for what an editor names. Bad input: no module has such a file.
  Expected<std::string> find(Arguments source);
  // Of `source`'s text. Bad input: there is no such number.
  Expected<std::string> text(Arguments source) const;

 private:
  struct File {
    std::string path;    // the module's
    std::string text;    // empty: nowhere to be found
    std::string onDisk;  // empty: no file that reads the same
  };
  Json told(std::size_t number) const;
  std::vector<File> files_;
};

// The lines of a file, by the module's path for it, at which instructions begin.
std::set<std::uint32_t> linesWithCode(debug::Session& session, const std::string& path);

}  // namespace lanewise::dap
