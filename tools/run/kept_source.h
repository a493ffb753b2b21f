// Compiled sources on disk, for later processes: compiling a small shader takes longer than running it many times.
//
// An entry's name is a hash of all that decides the words: this build, whose compiler is linked into it, and the source with its name and
// options. It holds the files that #include looked for, each with a hash of its text, or that there was none. Where one of these is another
// now, there is no entry. What is kept is checksummed (model/compiled/store.h); a folder that cannot be used keeps nothing.
#pragma once

#include <optional>
#include <span>

#include "model/compiled/store.h"
#include "tools/run/module_file.h"
#include "tools/run/source_text.h"

namespace lanewise {

class KeptSource {
 public:
  KeptSource(const SourceText& source, const SourceOptions& options, const KeptIn& in);

  // What was compiled before; nothing: compile it.
  std::optional<std::vector<std::uint32_t>> words() const;
  // #include looked there. Nothing: it could not be read.
  void looked(const std::string& path, const std::string* text);
  void keep(std::span<const std::uint32_t> words) const;

 private:
  std::optional<compiled::Store> store_;
  compiled::StoreKey key_{};
  std::string looked_;  // as it is kept
};

}  // namespace lanewise
