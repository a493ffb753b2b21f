// The corpus of strangers: kernels as other people write them, one file each in shaders/corpus, outside of the catalogue.
//
// A file begins with comment lines:
//   // What it is, in one or more lines.
//   // small: OPTIONS     as `lanewise run` takes them: a size for tests; may be repeated, and so may the next
//   // large: OPTIONS     a size for measurements
//   // differs: BOUND WHY devices may give other 32-bit floats, up to BOUND times the greater of 1 and the value; without it none may
//   // transcendental     most of its time goes to such functions
#pragma once

#include <string>
#include <vector>

#include "tools/subject/options.h"

namespace lanewise {

struct CorpusKernel {
  std::string name;  // of the file, without its ending
  std::string what;
  SubjectArguments small, large;
  double bound = 0;  // 0: all bytes are the same everywhere
  std::string why;   // of the bound
  bool transcendental = false;
};

// Bad input: a line that is not as above; no size of one kind.
Expected<CorpusKernel> parseCorpusKernel(const std::string& file, const std::string& text);

// Those whose names match one of the patterns, or all; by name. Bad input: a pattern that matches none. kIoError: no such folder.
Expected<std::vector<CorpusKernel>> readCorpus(const std::string& folder, const std::vector<std::string>& patterns = {});

}  // namespace lanewise
