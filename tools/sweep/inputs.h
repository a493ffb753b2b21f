// The inputs of cases: generated from their names, or a user's picture, which is read once.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "golden/pictures/picture.h"
#include "model/base/outcome.h"
#include "tools/catalogue/kernel.h"

namespace lanewise {

// First filled in by one thread, then read from any thread.
class Inputs {
 public:
  // Reads a picture. Its input's name is pictureInput(FILE). What of the file is left out is added to notes().
  Status addPicture(const std::filesystem::path& file) { return add(file, pictureInput(file.string())); }
  // Reads the picture that the case names, if it names one that has not been read. The file is searched in the current folder.
  Status addPictureOf(const Case& c);
  const std::vector<std::string>& notes() const { return notes_; }
  // The pictures' input names and sizes, in the order given.
  const std::vector<std::pair<std::string, Size>>& pictures() const { return names_; }

  // A picture comes in the form that the case takes (golden/pictures/picture.h). Bad input: it cannot have that form, or the case's size.
  Expected<golden::Image> make(const Case& c) const;
  // What that form changes in the case's picture, a line each: "photo.jpg: no alpha: 255".
  std::vector<std::string> notesOn(const Case& c) const;

 private:
  Status add(const std::filesystem::path& file, const std::string& name);
  std::map<std::string, golden::Picture, std::less<>> pictures_;
  std::vector<std::pair<std::string, Size>> names_;
  std::vector<std::string> notes_;
};

}  // namespace lanewise
