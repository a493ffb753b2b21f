// What `--then` says: another dispatch after those before it, in the words of a command line, or a copy.
//
//   --then '--entry vertical --groups 8,8'       the same module again
//   --then 'sum.comp --groups 1 --push u32:64'   another one
//   --then 'copy 0:1 0:0'                        all bytes of the first binding's resource into the second's
//
// Words stand between blanks; quotes keep blanks together. There is a full memory barrier before each, but with --no-barrier.
#pragma once

#include <string>
#include <vector>

#include "model/contract/device.h"
#include "tools/run/module_file.h"

namespace lanewise {

struct ThenArguments {
  std::string file{};  // empty: the first dispatch's module, unless `source` says something
  SourceOptions source{};
  std::string entry{}, groups{};
  std::vector<std::string> push{}, spec{};
  bool barrier = true;
  std::string from{}, to{};  // of a copy: both are given
};

// Bad input: no such word, a word without its value.
Expected<ThenArguments> parseThen(const std::string& text);

// The dispatch of a copy between two resources of the job: buffers, images of one shape, or a buffer and all bytes of an image. They are
// copied by a small kernel, so that whatever runs or watches a dispatch runs and watches a copy. Bad input: sizes that do not fit.
// Unsupported: images that are no storage images, a build without shaderc.
Expected<Dispatch> copyDispatch(const Job& job, const std::string& from, const std::string& to);

}  // namespace lanewise
