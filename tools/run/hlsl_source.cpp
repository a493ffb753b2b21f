#include "tools/run/hlsl_source.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace lanewise {
namespace {

// The text with blanks in place of comments.
std::string withoutComments(std::string text) {
  for (std::size_t at = 0; (at = text.find_first_of("/\"", at)) != std::string::npos;) {
    const bool line = text.compare(at, 2, "//") == 0, block = text.compare(at, 2, "/*") == 0;
    if (text[at] == '"') {
      const std::size_t end = text.find_first_of("\"\n", at + 1);
      at = end == std::string::npos ? end : end + 1;
    } else if (line || block) {
      std::size_t end = line ? text.find('\n', at) : text.find("*/", at + 2);
      end = end == std::string::npos ? text.size() : end + (line ? 0 : 2);
      std::fill(text.begin() + static_cast<std::ptrdiff_t>(at), text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
      at = end;
    } else {
      ++at;
    }
  }
  return text;
}

// ... and of the lines of directives.
std::string codeOf(std::string text) {
  text = withoutComments(std::move(text));
  bool directive = false;
  for (std::size_t at = 0, next = 0; at < text.size(); at = next) {
    next = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string_view line = std::string_view(text).substr(at, next - at);
    const std::size_t first = line.find_first_not_of(" \t"), last = line.find_last_not_of(" \r\n");
    const bool continues = directive;  // the line before it ends in a backslash
    const bool here = continues || (first != std::string_view::npos && line[first] == '#');
    directive = here && last != std::string_view::npos && line[last] == '\\';
    if (here) std::fill(text.begin() + static_cast<std::ptrdiff_t>(at), text.begin() + static_cast<std::ptrdiff_t>(next), ' ');
  }
  return text;
}

bool isOfName(char c) {
  return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
}

constexpr std::string_view kBlanks = " \t\r\n";

// Reads the words of a code text, from a position on.
struct Words {
  const std::string& code;
  std::size_t at;

  // The next name, or one other character; empty at the end.
  std::string_view next() {
    at = std::min(code.find_first_not_of(kBlanks, at), code.size());
    const std::size_t from = at;
    while (at < code.size() && isOfName(code[at])) ++at;
    if (at == from && at < code.size()) ++at;
    return std::string_view(code).substr(from, at - from);
  }
  bool take(std::initializer_list<std::string_view> words) {
    for (const std::string_view word : words)
      if (next() != word) return false;
    return true;
  }
  bool takeMark() { return take({"[", "[", "vk", ":", ":", "push_constant", "]", "]"}); }
};

// The position behind the bracket that closes the one before `at`; npos if nothing does.
std::size_t behindBrace(const std::string& code, std::size_t at) {
  for (int depth = 1; at < code.size(); ++at) {
    depth += code[at] == '{' ? 1 : code[at] == '}' ? -1 : 0;
    if (depth == 0) return at + 1;
  }
  return std::string::npos;
}

// Lines stay.
void blank(std::string& text, std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < to; ++i)
    if (text[i] != '\n') text[i] = ' ';
}

// Blanks the register of the variable that begins at `at`, in the text and in the code: DXC gives a push constant none, and glslang would
// make it a binding.
void dropRegister(std::string& text, std::string& code, std::size_t at) {
  const bool isBlock = Words{code, at}.next() == "cbuffer";
  for (int depth = 0; at < code.size(); ++at) {
    depth += code[at] == '{' ? 1 : code[at] == '}' ? -1 : 0;
    if (depth == 0 && (code[at] == ';' || (isBlock && code[at] == '}'))) return;
    if (code[at] != ':' || depth != 0) continue;
    Words words{code, at};
    if (!words.take({":", "register", "("})) continue;
    const std::size_t end = code.find(')', words.at);
    if (end == std::string::npos) return;
    blank(text, at, end + 1);
    blank(code, at, end + 1);
  }
}

// The variable whose mark stands from `mark` to `end` in the code, which ends with the directive that the mark is in.
void rewritePushConstant(std::string& text, std::string code, std::size_t mark, std::size_t end, bool isDirective) {
  dropRegister(text, code, end);
  Words words{code, end};
  std::string_view type = words.next();
  const std::size_t from = words.at - type.size();
  if (type == "const") type = words.next();
  const bool isStruct = type == "struct";
  if (isStruct) type = words.next();
  const bool isNameless = isStruct && type == "{";
  if (!isNameless && (type.empty() || !isOfName(type[0]) || type == "cbuffer" || type == "ConstantBuffer")) return;
  const std::size_t behindType = words.at;
  if (!isStruct || (!isNameless && words.next() != "{")) {
    // T name; const T name; struct T name;
    words.at = behindType;
    const std::string_view name = words.next(), after = words.next();
    if (name.empty() || !isOfName(name[0]) || (after != ";" && !(isDirective && after.empty()))) return;
    text.insert(behindType, ">");
    text.insert(behindType - type.size(), "ConstantBuffer<");
    blank(text, from, behindType - type.size());
    return;
  }
  // struct T { .. } name; of which T may lack.
  const std::size_t behind = behindBrace(code, words.at);
  if (behind == std::string::npos) return;
  const std::string name = isNameless ? "PushConstants" : std::string(type);
  text.insert(behind, "; [[vk::push_constant]] ConstantBuffer<" + name + ">");
  if (isNameless) text.insert(behindType - 1, name + " ");
  blank(text, mark, end);
  if (code.substr(from, 5) == "const") blank(text, from, from + 5);
}

}  // namespace

std::vector<std::string> hlslEntries(const std::string& source) {
  static constexpr std::string_view kWord = "numthreads";
  const std::string text = codeOf(source);
  std::vector<std::string> found;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
    if (!std::ranges::equal(std::string_view(text).substr(at, kWord.size()), kWord, same)) continue;
    const std::size_t before = at == 0 ? std::string::npos : text.find_last_not_of(kBlanks, at - 1);
    if (before == std::string::npos || text[before] != '[') continue;
    // The name stands before the parenthesis after the last attribute.
    std::size_t end = text.find(']', at);
    while (end != std::string::npos && text.find_first_not_of(kBlanks, end + 1) == text.find('[', end + 1)) end = text.find(']', end + 1);
    const std::size_t open = end == std::string::npos ? end : text.find('(', end);
    if (open == std::string::npos) break;
    std::size_t last = open;
    while (last > end && !isOfName(text[last - 1])) --last;
    std::size_t first = last;
    while (first > end && isOfName(text[first - 1])) --first;
    std::string name = text.substr(first, last - first);
    if (!name.empty() && std::ranges::find(found, name) == found.end()) found.push_back(std::move(name));
  }
  return found;
}

bool namesFiles(const std::string& source) {
  for (std::size_t at = source.find('#'); at != std::string::npos; at = source.find('#', at + 1)) {
    Words words{source, at};
    if (words.take({"#", "line"}) && !words.next().empty() && words.next() == "\"") return true;
  }
  return false;
}

bool saysBindings(const std::string& source) {
  return withoutComments(source).find("vk::binding") != std::string::npos;
}

bool saysVulkan(const std::string& source) {
  return source.find("vk") != std::string::npos;
}

std::vector<std::string> pushConstantMacros(const std::string& source) {
  const std::string code = withoutComments(source);
  std::vector<std::string> names;
  for (std::size_t at = 0; (at = code.find('#', at)) != std::string::npos; ++at) {
    const std::size_t end = std::min(code.find('\n', at), code.size());
    const std::string line = code.substr(at, end - at);
    Words words{line, 0};
    if (!words.take({"#", "define"})) continue;
    std::string name(words.next());
    if (words.takeMark() && words.next().empty()) names.push_back(std::move(name));
  }
  return names;
}

std::string withPushConstants(std::string text, const std::vector<std::string>& macros) {
  const std::string code = withoutComments(text), plain = codeOf(text);
  // Back to front, so that the places before a change stay.
  for (std::size_t at = code.size(); at-- > 0;) {
    Words words{code, at};
    const bool isMark = code[at] == '[' && words.takeMark();
    if (!isMark) {
      if (!isOfName(plain[at]) || (at != 0 && isOfName(plain[at - 1]))) continue;
      words.at = at;
      if (std::ranges::find(macros, words.next()) == macros.end()) continue;
    }
    const bool isDirective = plain[at] == ' ';
    std::size_t end = isDirective ? code.find('\n', at) : code.size();
    while (end < code.size() && code[end - 1] == '\\') end = code.find('\n', end + 1);
    rewritePushConstant(text, code.substr(0, end), at, words.at, isDirective);
  }
  return text;
}

std::string lostPushConstants(const std::string& text) {
  const std::string code = codeOf(text);
  for (std::size_t at = code.find('['); at != std::string::npos; at = code.find('[', at + 1)) {
    Words words{code, at};
    if (!words.takeMark()) continue;
    const std::size_t from = std::min(code.find_first_not_of(kBlanks, words.at), code.size());
    const std::string_view type = words.next();
    if (!type.empty() && type != "cbuffer" && type != "ConstantBuffer") return code.substr(from, code.find_first_of(";{\n", from) - from);
  }
  return "";
}

std::string lostOffset(const std::string& text) {
  const std::string code = codeOf(text);
  for (std::size_t at = code.find('['); at != std::string::npos; at = code.find('[', at + 1)) {
    Words words{code, at};
    if (!words.take({"[", "[", "vk", ":", ":", "offset", "("})) continue;
    const std::size_t from = std::min(code.find_first_not_of(kBlanks, code.find("]]", at) + 2), code.size());
    return code.substr(from, code.find_first_of(";{\n", from) - from);
  }
  return "";
}

}  // namespace lanewise
