// The parser of AmberScript: a function for each command. See parse.h.
#pragma once

#include <map>
#include <set>

#include "tools/amber/tokens.h"

namespace lanewise::amber {

// Whether DEVICE_FEATURE or DEVICE_PROPERTY knows the name (names.cpp).
bool isFeature(const std::string& name);
bool isProperty(const std::string& name);
// "shaderFloat16": the older form names the member alone.
bool isFeatureOfExtension(const std::string& member);
// Whether another version of Amber may know it: "StructureKHR.member".
bool mayBeFeature(const std::string& name);
// What a command, a shader or a buffer's use belongs to, if not to compute: "graphics", "ray tracing", ...; else nullptr.
const char* foreignTo(const std::string& word);

class Parser {
 public:
  Parser(const std::string& file, std::string_view text, std::string folder) : tokens_(file, text), folder_(std::move(folder)) {
    script_.file = file;
  }
  Expected<Script> run();

 private:
  struct Use;  // a row of the table of what a buffer is bound as

  // parse.cpp
  Status command();
  Status feature(const Token& command);
  Status set();
  Status virtualFile(const Token& command);
  Status shader(const Token& command);
  Status shaderText(const Token& command, Shader& shader);
  Status structure(const Token& command);
  Status member(DataType& structure);
  // parse_buffers.cpp
  Status buffer(const Token& command, bool image);
  Status typeOf(Buffer& b, bool& typed);
  Status shapeOf(Buffer& b, const Token& word, bool& sized);
  Status content(Buffer& b, const Token& word, bool sized);
  Status contentOfFile(Buffer& b, const Token& word, bool sized);
  Status sizeOf(Buffer& b, std::uint64_t elements, Place at);
  Status numbers(Buffer& b, const std::vector<Token>& values, bool sized, Place at);
  Status finish(Buffer&& b);
  Status sampler();
  Status samplerWord(const Token& word, SamplerState& state);
  // parse_pipelines.cpp
  Status pipeline(const Token& command);
  Status derive(const Token& command);
  Status body(const Token& command, Pipeline p);
  Status part(const Token& word, Pipeline& p);
  Status attach(const Token& word, Pipeline& p);
  Status specialise(Pipeline& p);
  Status passes(const Token& word, Pipeline& p);
  Status subgroups(const Token& word, Pipeline& p);
  Status bind(const Token& word, Pipeline& p);
  Status bindSamplers(const Token& word, Pipeline& p, bool several);
  Status bindBuffers(const Token& word, Pipeline& p, bool several);
  Status placeOf(Bound& bound);
  Status partsOf(Bound& bound);
  // parse_commands.cpp
  Status repeatable(const Token& command);
  Status repeat(const Token& command);
  Status runCommand(const Token& command);
  Status copy(const Token& command);
  Status expect(const Token& command);
  Status expectBuffers(const Token& command, std::size_t first);
  Status expectTexels(ExpectTexels e);
  Status expectValues(const Token& command, std::size_t buffer, const Token& index);
  Status tolerances(std::vector<Allowed>& out);

  // Words.
  Expected<Token> word(std::string_view wanted);
  Status keyword(std::string_view wanted);
  Status endOfLine();
  Status newName(const Token& name, const std::map<std::string, std::size_t>& names, const char* what);
  template <class T = std::uint32_t>
  Expected<T> integer(std::string_view wanted, std::uint64_t most = 0xffffffff) {
    const Token token = tokens_.peek();
    const std::optional<std::uint64_t> value =
        token.isWord() && !token.text.starts_with('-') ? bitsOfNumber(token.text, NumberKind::kUint, 64) : std::nullopt;
    if (!value || *value > most || !wholeNumber(token.text)) return tokens_.unexpected(wanted);
    tokens_.next();
    return static_cast<T>(*value);
  }
  static bool wholeNumber(const std::string& text);
  Expected<bool> onOrOff();
  Expected<std::size_t> named(const std::map<std::string, std::size_t>& names, const char* what);
  Error foreign(const Token& token, const char* to) const;

  Tokens tokens_;
  std::string folder_;
  Script script_;
  Structures structures_;
  std::map<std::string, std::size_t> shaders_, buffers_, samplers_, pipelines_;
  std::set<std::string> features_;
  std::uint64_t bytes_ = 0;  // of all buffers
};

// What is expected of values that begin at a byte of a buffer. Bad input at one of the tokens.
Expected<ExpectValues> expectationAt(const Tokens& tokens, const Buffer& buffer, const Layout& layout, std::uint64_t offset,
                                     const Token& index, const std::vector<Token>& values);
std::optional<Allowed> allowedBy(const std::string& text);  // "0.1", "5%"

}  // namespace lanewise::amber
