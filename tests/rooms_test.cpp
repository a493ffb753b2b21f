// The arrows between folders, held: every #include of the sources is one that ARCHITECTURE.md's table of rooms allows, every room of the
// table exists, and no file leads back to itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace lanewise {
namespace {

namespace fs = std::filesystem;
using testing::IsEmpty;

const fs::path kRoot = LANEWISE_SOURCE_FOLDER;

std::string textOf(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> wordsOf(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

// Room -> the rooms whose headers it may include. A row of the table is "| model/ir | model/base model/spirv |"; "above" stands for all
// rooms of the rows before it that have the same first folder.
std::map<std::string, std::set<std::string>> allowedIn(const std::string& page) {
  std::map<std::string, std::set<std::string>> rooms;
  std::map<std::string, std::set<std::string>> before;
  std::istringstream lines(page.substr(std::min(page.find("| room | may include |"), page.size())));
  std::string line;
  std::getline(lines, line);
  std::getline(lines, line);
  const std::regex row(R"(\| ([\w/]+) \| ([\w/ ]*) \|)");
  for (std::smatch m; std::getline(lines, line) && std::regex_match(line, m, row);) {
    const std::string room = m[1];
    const std::string top = room.substr(0, room.find('/'));
    std::set<std::string>& allowed = rooms[room];
    for (const std::string& word : wordsOf(m[2])) {
      if (word == "above")
        allowed.insert(before[top].begin(), before[top].end());
      else if (word != "nothing")
        allowed.insert(word);
    }
    before[top].insert(room);
  }
  return rooms;
}

std::string roomOf(const std::string& file) {
  return file.substr(0, file.rfind('/'));
}

bool isSource(const fs::path& path) {
  return path.extension() == ".h" || path.extension() == ".cpp";
}

// By file, as the sources name one another: "model/ir/ir.h".
std::map<std::string, std::vector<std::string>> includesOf(const std::set<std::string>& folders) {
  std::map<std::string, std::vector<std::string>> all;
  const std::regex include(R"re(^#include "([\w/]+\.(h|inc))")re");
  for (const std::string& folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
      if (!isSource(entry.path())) continue;
      std::vector<std::string>& list = all[fs::relative(entry.path(), kRoot).generic_string()];
      std::istringstream lines(textOf(entry.path()));
      for (std::string line; std::getline(lines, line);)
        if (std::smatch m; std::regex_search(line, m, include)) list.push_back(m[1]);
    }
  return all;
}

std::vector<std::string> wrongArrows(const std::map<std::string, std::set<std::string>>& rooms,
                                     const std::map<std::string, std::vector<std::string>>& includes) {
  std::vector<std::string> wrong;
  for (const auto& [file, list] : includes) {
    const auto room = rooms.find(roomOf(file));
    if (room == rooms.end()) {
      wrong.push_back(file + " is in no room of the table");
      continue;
    }
    for (const std::string& other : list) {
      if (other.find('/') == std::string::npos) continue;  // generated
      if (roomOf(other) != room->first && !room->second.contains(roomOf(other))) wrong.push_back(file + " includes " + other);
    }
  }
  return wrong;
}

// A header and its source are one file here.
std::string stemOf(const std::string& file) {
  return file.substr(0, file.rfind('.'));
}

class Circles {
 public:
  explicit Circles(const std::map<std::string, std::vector<std::string>>& includes) {
    for (const auto& [file, list] : includes)
      for (const std::string& other : list)
        if (stemOf(other) != stemOf(file)) next_[stemOf(file)].insert(stemOf(other));
    for (const auto& [file, list] : includes) visit(stemOf(file));
  }
  const std::vector<std::string>& found() const { return found_; }

 private:
  void visit(const std::string& file) {
    if (done_.contains(file)) return;
    for (std::size_t i = 0; i < path_.size(); ++i)
      if (path_[i] == file) {
        std::string circle;
        for (std::size_t k = i; k < path_.size(); ++k) circle += path_[k] + " -> ";
        found_.push_back(circle + file);
        return;
      }
    path_.push_back(file);
    for (const std::string& other : next_[file]) visit(other);
    path_.pop_back();
    done_.insert(file);
  }
  std::map<std::string, std::set<std::string>> next_;
  std::set<std::string> done_;
  std::vector<std::string> path_, found_;
};

const std::set<std::string> kFolders = {"model", "gpu", "golden", "tools", "shaders"};

TEST(Rooms, EveryIncludeIsAnArrowOfTheTable) {
  const auto rooms = allowedIn(textOf(kRoot / "ARCHITECTURE.md"));
  ASSERT_FALSE(rooms.empty());
  EXPECT_THAT(wrongArrows(rooms, includesOf(kFolders)), IsEmpty());
}

TEST(Rooms, OfTheTableExist) {
  for (const auto& [room, allowed] : allowedIn(textOf(kRoot / "ARCHITECTURE.md"))) {
    EXPECT_TRUE(fs::is_directory(kRoot / room)) << room;
    for (const std::string& other : allowed) EXPECT_TRUE(fs::is_directory(kRoot / other)) << room << " may include " << other;
  }
}

TEST(Rooms, NoFileLeadsBackToItself) {
  EXPECT_THAT(Circles(includesOf(kFolders)).found(), IsEmpty());
}

TEST(Rooms, AnArrowTheOtherWayAndACircleAreFound) {
  const auto rooms = allowedIn("| room | may include |\n|---|---|\n| a/x | nothing |\n| a/y | above |\n");
  EXPECT_THAT(wrongArrows(rooms, {{"a/y/one.h", {"a/x/two.h", "a/y/more.h"}}}), IsEmpty());
  EXPECT_THAT(wrongArrows(rooms, {{"a/x/two.h", {"a/y/one.h"}}}), testing::ElementsAre("a/x/two.h includes a/y/one.h"));
  EXPECT_THAT(wrongArrows(rooms, {{"a/z/new.h", {}}}), testing::ElementsAre("a/z/new.h is in no room of the table"));
  EXPECT_THAT(Circles({{"a/one.h", {"a/two.h"}}, {"a/two.cpp", {"a/two.h", "a/one.h"}}}).found(), testing::SizeIs(1));
  EXPECT_THAT(Circles({{"a/one.h", {"a/two.h"}}, {"a/one.cpp", {"a/one.h"}}, {"a/two.h", {}}}).found(), IsEmpty());
}

}  // namespace
}  // namespace lanewise
