// The inputs of cases: generated from their names, or a user's picture, which is read once.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "golden/image/image.h"
#include "model/base/outcome.h"
#include "tools/catalogue/kernel.h"

namespace lanewise {

// First filled in by one thread, then read from any thread.
class Inputs {
 public:
  // Reads a picture. Its input's name is "picture:FILE". Notes on conversions are added to notes().
  Status addPicture(const std::filesystem::path& file);
  // Reads the picture that the case names, if it names one that has not been read. The file is searched in the current folder.
  Status addPictureOf(const Case& c);
  const std::vector<std::string>& notes() const { return notes_; }
  // The pictures' input names and sizes, in the order given.
  const std::vector<std::pair<std::string, Size>>& pictures() const { return names_; }

  Expected<golden::Image> make(const Case& c) const;

 private:
  std::map<std::string, golden::Image> pictures_;
  std::vector<std::pair<std::string, Size>> names_;
  std::vector<std::string> notes_;
};

}  // namespace lanewise
