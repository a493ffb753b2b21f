// The arrows between folders: every #include of the sources is one that ARCHITECTURE.md's table of rooms allows, every room of the table
// exists, no file leads back to itself, and no two types have one name.
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

struct Room {
  std::set<std::string> named;    // those that its row names
  std::set<std::string> allowed;  // and those above
};

// By room, the rooms whose headers it may include. A row of the table is "| model/ir | model/base model/spirv |"; "above" stands for all
// rooms of the rows before it that have the same first folder.
using Table = std::map<std::string, Room>;
Table tableOf(const std::string& page) {
  Table rooms;
  std::map<std::string, std::set<std::string>> before;
  std::istringstream lines(page.substr(std::min(page.find("| room | may include |"), page.size())));
  std::string line;
  std::getline(lines, line);
  std::getline(lines, line);
  const std::regex row(R"(\| ([\w/]+) \| ([\w/ ]*) \|)");
  for (std::smatch m; std::getline(lines, line) && std::regex_match(line, m, row);) {
    const std::string room = m[1];
    const std::string top = room.substr(0, room.find('/'));
    Room& own = rooms[room];
    for (const std::string& word : wordsOf(m[2])) {
      if (word == "above")
        own.allowed.insert(before[top].begin(), before[top].end());
      else if (word != "nothing")
        own.named.insert(word);
    }
    own.allowed.insert(own.named.begin(), own.named.end());
    before[top].insert(room);
  }
  return rooms;
}

std::string roomOf(const std::string& file) {
  return file.substr(0, file.rfind('/'));
}

bool isSource(const fs::path& path) {
  return path.extension() == ".h" || path.extension() == ".cpp" || path.extension() == ".inc";
}

// What a line of a file includes: "model/ir/ir.h", or the text of what is not the name of a file. Empty where it includes nothing, or
// nothing of this tree.
std::string includedBy(const std::string& file, const std::string& line) {
  static const std::regex include(R"re(^\s*#\s*(?:include|include_next|import)\b\s*(?:(["<])([^">]+)[">]|(.*)))re");
  std::smatch m;
  if (line.find('#') == std::string::npos || !std::regex_search(line, m, include)) return {};
  if (m[3].matched) return m[3];
  const fs::path name = m[2].str(), beside = (fs::path(file).parent_path() / name).lexically_normal();
  if (m[1] == "\"" && (name.begin()->string().starts_with(".") || fs::exists(kRoot / beside))) return beside.generic_string();
  return fs::exists(kRoot / *name.begin()) ? name.lexically_normal().generic_string() : "";
}

using Includes = std::map<std::string, std::vector<std::string>>;  // by file

Includes includesOf(const std::set<std::string>& folders) {
  Includes all;
  for (const std::string& folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
      if (!isSource(entry.path())) continue;
      const std::string file = fs::relative(entry.path(), kRoot).generic_string();
      std::vector<std::string>& list = all[file];
      std::istringstream lines(textOf(entry.path()));
      for (std::string line; std::getline(lines, line);)
        if (std::string included = includedBy(file, line); !included.empty()) list.push_back(std::move(included));
    }
  return all;
}

std::vector<std::string> wrongArrows(const Table& rooms, const Includes& includes) {
  std::vector<std::string> wrong;
  for (const auto& [file, list] : includes) {
    const auto room = rooms.find(roomOf(file));
    if (room == rooms.end()) {
      wrong.push_back(file + " is in no room of the table");
      continue;
    }
    for (const std::string& other : list) {
      const bool isAllowed = roomOf(other) == room->first || room->second.allowed.contains(roomOf(other));
      if (!isAllowed || !isSource(other)) wrong.push_back(file + " includes " + other);
    }
  }
  return wrong;
}

// A row that names a room, of which its files include nothing.
std::vector<std::string> unusedArrows(const Table& rooms, const Includes& includes) {
  std::map<std::string, std::set<std::string>> used;
  for (const auto& [file, list] : includes)
    for (const std::string& other : list) used[roomOf(file)].insert(roomOf(other));
  std::vector<std::string> unused;
  for (const auto& [name, room] : rooms)
    for (const std::string& other : room.named)
      if (!used[name].contains(other)) unused.push_back(name + " includes nothing of " + other);
  return unused;
}

// A header and its source are one file here.
std::string stemOf(const std::string& file) {
  return file.substr(0, file.rfind('.'));
}

class Circles {
 public:
  explicit Circles(const Includes& includes) {
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

const std::set<std::string> kFolders = {"model", "gpu", "golden", "tools", "shaders", "library"};

TEST(Rooms, EveryIncludeIsAnArrowOfTheTable) {
  const Table rooms = tableOf(textOf(kRoot / "ARCHITECTURE.md"));
  ASSERT_FALSE(rooms.empty());
  EXPECT_THAT(wrongArrows(rooms, includesOf(kFolders)), IsEmpty());
}

TEST(Rooms, EveryArrowThatARowNamesIsUsed) {
  EXPECT_THAT(unusedArrows(tableOf(textOf(kRoot / "ARCHITECTURE.md")), includesOf(kFolders)), IsEmpty());
}

TEST(Rooms, OfTheTableExist) {
  for (const auto& [name, room] : tableOf(textOf(kRoot / "ARCHITECTURE.md"))) {
    EXPECT_TRUE(fs::is_directory(kRoot / name)) << name;
    for (const std::string& other : room.allowed) EXPECT_TRUE(fs::is_directory(kRoot / other)) << name << " may include " << other;
  }
}

TEST(Rooms, NoFileLeadsBackToItself) {
  EXPECT_THAT(Circles(includesOf(kFolders)).found(), IsEmpty());
}

// Instructions are cut out of words by their first one's upper half: by model/spirv alone.
std::vector<std::string> walksOf(const std::string& file, const std::string& text) {
  static const std::regex walk(R"re((\]|\)|\*\w+)\s*>>\s*16\b(?!\s*&)|spv::Op>\([^)]*&\s*(0xffff|0xFFFF))re");
  std::vector<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if ((line.find(">>") != std::string::npos || line.find("spv::Op>") != std::string::npos) && std::regex_search(line, walk))
      found.push_back(file + ": " + line);
  return found;
}

TEST(Rooms, OneRoomWalksThroughTheWordsOfModules) {
  std::vector<std::string> walks;
  for (const std::string& folder : kFolders)
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
      const std::string file = fs::relative(entry.path(), kRoot).generic_string();
      if (!isSource(entry.path()) || roomOf(file) == "model/spirv" || roomOf(file) == "model/scalar") continue;
      for (std::string& line : walksOf(file, textOf(entry.path()))) walks.push_back(std::move(line));
    }
  EXPECT_THAT(walks, IsEmpty());
}

TEST(Rooms, AWalkThroughWordsIsSeen) {
  EXPECT_THAT(walksOf("a", "for (at = 5; at < words.size(); at += words[at] >> 16) {"), testing::SizeIs(1));
  EXPECT_THAT(walksOf("a", "to.insert(to.end(), first, first + (*first >> 16));"), testing::SizeIs(1));
  EXPECT_THAT(walksOf("a", "const auto op = static_cast<spv::Op>(words[at] & 0xffff);"), testing::SizeIs(1));
  EXPECT_THAT(walksOf("a", "version >> 16 & 0xff"), IsEmpty()) << "a part of a number";
  EXPECT_THAT(walksOf("a", "t[k] >> 16 & 0xff"), IsEmpty());
}

// The types that a file defines at the head of a line, with their namespaces: "lanewise::debug::Session". Not those that it has alone.
std::vector<std::string> typesOf(const std::string& text) {
  static const std::regex opens(R"(^(?:inline )?namespace ?([\w:]*) ?\{)"),
      type(R"(^(?:class|struct|union|enum class) (\w+)(?: final)?(?: :.*)?(?: \{.*)?$)");
  std::vector<std::string> types, in;
  std::istringstream lines(text);
  std::smatch m;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("}  // namespace") && !in.empty()) in.pop_back();
    if (line.empty() || std::string_view("cseuni").find(line[0]) == std::string_view::npos) continue;
    if (line.back() == ';' && line.find('{') == std::string::npos) continue;
    if (std::regex_search(line, m, opens)) in.push_back(m[1]);
    if (std::ranges::count(in, "") != 0 || !std::regex_search(line, m, type)) continue;
    std::string whole;
    for (const std::string& name : in) whole += name + "::";
    types.push_back(whole + m[1].str());
  }
  return types;
}

// The linker takes two types of one name for one.
TEST(Rooms, NoTwoTypesHaveOneName) {
  std::map<std::string, std::string> files;
  for (const auto& [file, list] : includesOf(kFolders))
    for (const std::string& type : typesOf(textOf(kRoot / file))) {
      const auto [first, isNew] = files.try_emplace(type, file);
      EXPECT_TRUE(isNew || first->second == file) << type << ": " << first->second << " and " << file;
    }
}

TEST(Rooms, ATypeIsSeenWithItsNamespaces) {
  const std::string text =
      "namespace a {\nclass One;\nclass One : public B {\n};\nnamespace b {\nstruct Two { int x; };\n}  // namespace b\nnamespace {\n"
      "struct Own {\n};\n}  // namespace\nenum class Three : int {\n};\n}  // namespace a\n";
  EXPECT_THAT(typesOf(text), testing::ElementsAre("a::One", "a::b::Two", "a::Three"));
}

TEST(Rooms, AnIncludeIsSeenHoweverItIsWritten) {
  const std::string file = "model/ir/ir.h";
  EXPECT_EQ(includedBy(file, "#include \"model/base/outcome.h\""), "model/base/outcome.h");
  EXPECT_EQ(includedBy(file, "  #  include <model/base/outcome.h>  // why"), "model/base/outcome.h");
  EXPECT_EQ(includedBy(file, "#include \"../exec/lanes.h\""), "model/exec/lanes.h");
  EXPECT_EQ(includedBy(file, "#include \"kinds.h\""), "model/ir/kinds.h");
  EXPECT_EQ(includedBy(file, "#include \"rows/logic.inc\""), "model/ir/rows/logic.inc");
  EXPECT_EQ(includedBy(file, "#include ROWS_OF(exec)"), "ROWS_OF(exec)");
  EXPECT_EQ(includedBy(file, "#include <vector>"), "");
  EXPECT_EQ(includedBy(file, "#include <spirv/unified1/spirv.hpp11>"), "");
  EXPECT_EQ(includedBy(file, "// #include \"model/exec/lanes.h\""), "");
}

TEST(Rooms, AnArrowTheOtherWayAndACircleAreFound) {
  const Table rooms = tableOf("| room | may include |\n|---|---|\n| a/x | nothing |\n| a/y | above |\n");
  EXPECT_THAT(wrongArrows(rooms, {{"a/y/one.h", {"a/x/two.h", "a/y/more.h"}}}), IsEmpty());
  EXPECT_THAT(wrongArrows(rooms, {{"a/x/two.h", {"a/y/one.h"}}}), testing::ElementsAre("a/x/two.h includes a/y/one.h"));
  EXPECT_THAT(wrongArrows(rooms, {{"a/y/one.h", {"a/x/two.txt"}}}), testing::SizeIs(1)) << "whose own includes are not looked at";
  EXPECT_THAT(wrongArrows(rooms, {{"a/y/one.h", {"ROWS"}}}), testing::SizeIs(1));
  EXPECT_THAT(wrongArrows(rooms, {{"a/z/new.h", {}}}), testing::ElementsAre("a/z/new.h is in no room of the table"));
  const Table named = tableOf("| room | may include |\n|---|---|\n| a/x | nothing |\n| a/y | above |\n| b | a/x a/y |\n");
  EXPECT_THAT(unusedArrows(named, {{"b/one.h", {"a/x/two.h", "a/y/more.h"}}}), IsEmpty()) << "above is a rule, not an arrow";
  EXPECT_THAT(unusedArrows(named, {{"b/one.h", {"a/y/more.h"}}}), testing::ElementsAre("b includes nothing of a/x"));
  EXPECT_THAT(Circles({{"a/one.h", {"a/two.h"}}, {"a/two.cpp", {"a/two.h", "a/one.h"}}}).found(), testing::SizeIs(1));
  EXPECT_THAT(Circles({{"a/one.h", {"a/two.h"}}, {"a/one.cpp", {"a/one.h"}}, {"a/two.h", {}}}).found(), IsEmpty());
}

}  // namespace
}  // namespace lanewise
