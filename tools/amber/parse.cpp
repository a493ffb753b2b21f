// Reads a script's file, and the commands that declare shaders, files, features and structures.
#include "tools/amber/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "model/base/file.h"
#include "tools/amber/parser.h"
#include "tools/amber/sections.h"

namespace lanewise::amber {
namespace {

constexpr std::string_view kFirstLine = "#!amber";
constexpr std::uint32_t kMostMembers = 4096;

bool isName(const std::string& text) {
  return !text.empty() && text != "," && text != "(" && text != ")" && !isNumber(text);
}

}  // namespace

bool isScriptFile(const std::string& file) {
  const std::string ending = endingOf(file);
  return ending == ".amber" || ending == ".vkscript" || ending == ".shader_test";
}

Expected<Script> parseScript(const std::string& file, std::string_view text, const std::string& folder) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return Error{Outcome::kBadInput, "an empty script", file + ":1:1", "AmberScript begins with #!amber"};
  if (!text.starts_with(kFirstLine)) return parseSections(file, text);
  return Parser(file, text, folder).run();
}

Expected<Script> readScript(const std::string& file) {
  const Expected<std::string> text = readWholeFile(file);
  if (!text) return text.error();
  return parseScript(file, *text, std::filesystem::path(file).parent_path().string());
}

bool Parser::wholeNumber(const std::string& text) {
  return text.find('.') == std::string::npos;
}

Expected<Token> Parser::word(std::string_view wanted) {
  if (!tokens_.peek().isWord()) return tokens_.unexpected(wanted);
  return tokens_.next();
}

Status Parser::keyword(std::string_view wanted) {
  if (tokens_.take(wanted)) return {};
  return tokens_.unexpected(wanted);
}

Status Parser::endOfLine() {
  if (!tokens_.peek().endsLine()) return tokens_.unexpected("the end of the line");
  return {};
}

Error Parser::foreign(const Token& token, const char* to) const {
  return tokens_.unsupported(token.at, fmt::format("'{}' belongs to {}; only compute pipelines are run here", token.text, to));
}

Status Parser::newName(const Token& name, const std::map<std::string, std::size_t>& names, const char* what) {
  if (!isName(name.text)) return tokens_.bad(name.at, fmt::format("'{}' is no name of a {}", name.text, what));
  if (names.contains(name.text)) return tokens_.bad(name.at, fmt::format("there is a {} '{}' already", what, name.text));
  return {};
}

Expected<std::size_t> Parser::named(const std::map<std::string, std::size_t>& names, const char* what) {
  const Token token = tokens_.peek();
  if (!token.isWord()) return tokens_.unexpected(fmt::format("the name of a {}", what));
  const auto found = names.find(token.text);
  if (found == names.end()) return tokens_.bad(token.at, fmt::format("there is no {} '{}'", what, token.text));
  tokens_.next();
  return found->second;
}

Expected<bool> Parser::onOrOff() {
  if (tokens_.take("on")) return true;
  if (tokens_.take("off")) return false;
  return tokens_.unexpected("on or off");
}

Expected<Script> Parser::run() {
  for (tokens_.skipLines(); !tokens_.atEnd(); tokens_.skipLines()) {
    if (Status bad = command()) return *bad;
    if (Status bad = endOfLine()) return *bad;
  }
  return std::move(script_);
}

Status Parser::command() {
  const Token c = tokens_.next();
  if (c.is("SHADER")) return shader(c);
  if (c.is("BUFFER") || c.is("IMAGE")) return buffer(c, c.text == "IMAGE");
  if (c.is("SAMPLER")) return sampler();
  if (c.is("STRUCT")) return structure(c);
  if (c.is("PIPELINE")) return pipeline(c);
  if (c.is("DERIVE_PIPELINE")) return derive(c);
  if (c.is("VIRTUAL_FILE")) return virtualFile(c);
  if (c.is("REPEAT")) return repeat(c);
  if (c.is("SET")) return set();
  if (c.text.starts_with("DEVICE_") || c.is("INSTANCE_EXTENSION")) return feature(c);
  return repeatable(c);
}

Status Parser::feature(const Token& command) {
  const bool isExtension = command.text.ends_with("EXTENSION");
  if (!isExtension && !command.is("DEVICE_FEATURE") && !command.is("DEVICE_PROPERTY"))
    return tokens_.bad(command.at, fmt::format("there is no command '{}'", command.text));
  const Expected<Token> name = word(isExtension ? "the name of an extension" : "a name");
  if (!name) return name.error();
  const bool known = isExtension ? isName(name->text) : command.is("DEVICE_FEATURE") ? isFeature(name->text) : isProperty(name->text);
  const std::string what = fmt::format("{} knows no '{}'", command.text, name->text.substr(0, 60));
  if (!known) return mayBeFeature(name->text) ? tokens_.unsupported(name->at, what) : tokens_.bad(name->at, what);
  features_.insert(name->text);
  using Kind = Requirement::Kind;
  const Kind kind = isExtension ? Kind::kExtension : command.is("DEVICE_FEATURE") ? Kind::kFeature : Kind::kProperty;
  script_.requirements.push_back({kind, name->text, name->at});
  return {};
}

Status Parser::set() {
  for (const std::string_view wanted : {"ENGINE_DATA", "fence_timeout_ms"})
    if (Status bad = keyword(wanted)) return bad;
  const Expected<std::uint32_t> time = integer("a number of milliseconds");
  if (!time) return time.error();
  script_.timeout = *time / 1000.0;
  return {};
}

Status Parser::virtualFile(const Token& command) {
  const Expected<Token> path = word("the path of the file");
  if (!path) return path.error();
  if (Status bad = endOfLine()) return bad;
  if (std::ranges::any_of(script_.files, [&](const auto& f) { return f.first == path->text; }))
    return tokens_.bad(path->at, fmt::format("there is a file '{}' already", path->text));
  Place at;
  Expected<std::string> text = tokens_.block(command, at);
  if (!text) return text.error();
  script_.files.emplace_back(path->text, std::move(*text));
  return {};
}

Status Parser::shader(const Token& command) {
  const Expected<Token> stage = word("the type of the shader");
  if (!stage) return stage.error();
  if (const char* to = foreignTo(stage->text)) return foreign(*stage, to);
  if (!stage->is("compute") && !stage->is("multi"))
    return tokens_.bad(stage->at, fmt::format("there is no type of shader '{}'", stage->text), "compute");
  const Expected<Token> name = word("the name of the shader");
  if (!name) return name.error();
  if (Status bad = newName(*name, shaders_, "shader")) return bad;
  const Expected<Token> format = word("the format of the shader");
  if (!format) return format.error();
  if (const char* to = foreignTo(format->text)) return foreign(*format, to);
  constexpr std::pair<std::string_view, Language> kFormats[] = {{"GLSL", Language::kGlsl},
                                                                {"HLSL", Language::kHlsl},
                                                                {"SPIRV-ASM", Language::kAssembly},
                                                                {"SPIRV-HEX", Language::kHex},
                                                                {"SPIRV-BIN", Language::kBinary}};
  const auto* found = std::ranges::find(kFormats, format->text, &std::pair<std::string_view, Language>::first);
  if (found == std::end(kFormats))
    return tokens_.bad(format->at, fmt::format("there is no format of shaders '{}'", format->text), "GLSL, HLSL, SPIRV-ASM or SPIRV-HEX");
  Shader s{.name = name->text, .at = name->at, .language = found->second};
  if (stage->is("multi") && (s.language == Language::kGlsl || s.language == Language::kHlsl))
    return tokens_.bad(format->at, "a multi shader is SPIR-V", "SPIRV-ASM or SPIRV-HEX");
  if (tokens_.take("TARGET_ENV")) {
    const Expected<Token> environment = word("the name of an environment");
    if (!environment) return environment.error();
    s.environment = environment->text;
  }
  if (Status bad = shaderText(command, s)) return bad;
  shaders_[s.name] = script_.shaders.size();
  script_.shaders.push_back(std::move(s));
  return {};
}

Status Parser::shaderText(const Token& command, Shader& s) {
  s.source = script_.file;
  const bool isVirtual = tokens_.take("VIRTUAL_FILE");
  if (isVirtual || tokens_.take("FILE")) {
    const Expected<Token> path = word("the path of the file");
    if (!path) return path.error();
    s.source = path->text;
    if (isVirtual) {
      const auto file = std::ranges::find(script_.files, path->text, &std::pair<std::string, std::string>::first);
      if (file == script_.files.end()) return tokens_.bad(path->at, fmt::format("there is no VIRTUAL_FILE '{}'", path->text));
      s.text = file->second;
      return {};
    }
    s.source = (std::filesystem::path(folder_) / path->text).string();
    Expected<std::string> text = readWholeFile(s.source);
    if (!text) return Error{text.error().outcome, text.error().what, tokens_.where(path->at), text.error().hint};
    s.text = std::move(*text);
    return {};
  }
  if (s.language == Language::kBinary) return tokens_.bad(command.at, "SPIRV-BIN is read from a file", "SPIRV-BIN FILE path");
  if (Status bad = endOfLine()) return bad;
  Place at;
  Expected<std::string> text = tokens_.block(command, at);
  if (!text) return text.error();
  if (text->find_first_not_of(" \t\r\n") == std::string::npos) return tokens_.bad(command.at, "the shader is empty");
  s.line = at.line;
  s.text = std::move(*text);
  return {};
}

Status Parser::structure(const Token& command) {
  const Expected<Token> name = word("the name of the structure");
  if (!name) return name.error();
  if (!isName(name->text) || name->is("STRIDE")) return tokens_.bad(name->at, fmt::format("'{}' is no name of a structure", name->text));
  if (dataTypeNamed(name->text, structures_)) return tokens_.bad(name->at, fmt::format("there is a type '{}' already", name->text));
  DataType s;
  if (tokens_.take("STRIDE")) {
    const Expected<std::uint32_t> stride = integer("a number of bytes");
    if (!stride) return stride.error();
    s.stride = *stride;
  }
  if (Status bad = endOfLine()) return bad;
  for (tokens_.skipLines(); !tokens_.take("END"); tokens_.skipLines()) {
    if (tokens_.atEnd()) return tokens_.bad(command.at, "STRUCT without END");
    if (tokens_.peek().is(name->text)) return tokens_.bad(tokens_.peek().at, "a structure cannot contain itself");
    if (Status bad = member(s)) return bad;
    if (Status bad = endOfLine()) return bad;
  }
  if (!finishStructure(s))
    return tokens_.bad(name->at, s.members.empty() ? "the structure has no members" : fmt::format("more than {} numbers", kMostFields));
  structures_[name->text] = std::move(s);
  return {};
}

// "float name OFFSET 16", "float[3] name", "float name[3]".
Status Parser::member(DataType& s) {
  const Expected<Token> typeName = word("a type");
  if (!typeName) return typeName.error();
  const Expected<Token> given = word("the name of the member");
  if (!given) return given.error();
  const std::size_t open = given->text.find('[');
  std::string typeText = typeName->text;
  Member m;
  m.name = given->text.substr(0, open);
  if (open != std::string::npos) typeText += given->text.substr(open);
  const std::optional<DataType> type = dataTypeNamed(typeText, structures_);
  if (!type) return tokens_.bad(typeName->at, fmt::format("there is no type '{}'", typeText));
  m.type = *type;
  if (!isName(m.name)) return tokens_.bad(given->at, fmt::format("'{}' is no name of a member", given->text));
  if (std::ranges::any_of(s.members, [&](const Member& other) { return other.name == m.name; }))
    return tokens_.bad(given->at, fmt::format("there is a member '{}' already", m.name));
  while (!tokens_.peek().endsLine()) {
    const Token option = tokens_.next();
    if (!option.is("OFFSET") && !option.is("ARRAY_STRIDE") && !option.is("MATRIX_STRIDE"))
      return tokens_.bad(option.at, fmt::format("'{}' says nothing of a member", option.text), "OFFSET, ARRAY_STRIDE or MATRIX_STRIDE");
    const Expected<std::uint32_t> bytes = integer("a number of bytes", 1u << 28);
    if (!bytes) return bytes.error();
    if (option.is("OFFSET"))
      m.offset = *bytes;
    else
      (option.is("ARRAY_STRIDE") ? m.arrayStride : m.matrixStride) = *bytes;
  }
  if (s.members.size() >= kMostMembers) return tokens_.bad(given->at, "too many members");
  s.members.push_back(std::move(m));
  return {};
}

}  // namespace lanewise::amber
