#include "tools/amber/tokens.h"

#include <fmt/format.h>

namespace lanewise::amber {
namespace {

bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\0';
}

// A text with a token that nobody wrote so long is cut in messages.
std::string shown(const std::string& text) {
  return text.size() <= 60 ? text : text.substr(0, 57) + "...";
}

std::string_view withoutBlanks(std::string_view text) {
  while (!text.empty() && isBlank(text.front())) text.remove_prefix(1);
  return text;
}

bool isWordOf(std::string_view line, std::string_view word) {
  line = withoutBlanks(line);
  return line.starts_with(word) && (line.size() == word.size() || isBlank(line[word.size()]) || line[word.size()] == '#');
}

}  // namespace

std::string Script::where(Place at) const {
  if (at.line == 0) return file;  // of a capsule
  return fmt::format("{}:{}:{}", file, at.line, at.column);
}

std::string Tokens::where(Place at) const {
  return fmt::format("{}:{}:{}", file_, at.line, at.column);
}

void Tokens::read() {
  for (;;) {
    while (position_ < text_.size() && isBlank(text_[position_])) ++position_, ++place_.column;
    if (position_ < text_.size() && text_[position_] == '#')
      while (position_ < text_.size() && text_[position_] != '\n') ++position_, ++place_.column;
    token_ = {Token::Kind::kEndOfText, "", place_};
    if (position_ >= text_.size()) return;
    if (text_[position_] == '\n') {
      token_.kind = Token::Kind::kEndOfLine;
      ++position_;
      place_ = {place_.line + 1, 1};
      return;
    }
    token_.kind = Token::Kind::kWord;
    // "a name", without its quotes.
    if (text_[position_] == '"')
      if (const std::size_t end = text_.find_first_of("\"\n", position_ + 1); end != std::string_view::npos && text_[end] == '"') {
        token_.text = text_.substr(position_ + 1, end - position_ - 1);
        place_.column += static_cast<std::uint32_t>(end + 1 - position_);
        position_ = end + 1;
        return;
      }
    constexpr std::string_view kAlone = ",()";
    const auto isAlone = [&](char c) { return kAlone.find(c) != std::string_view::npos; };
    do {
      token_.text += text_[position_++];
      ++place_.column;
    } while (!isAlone(token_.text[0]) && position_ < text_.size() && !isBlank(text_[position_]) && text_[position_] != '\n' &&
             !isAlone(text_[position_]));
    if (token_.text != "\\") return;
    // The line goes on in the next one.
    std::size_t end = position_;
    while (end < text_.size() && isBlank(text_[end])) ++end;
    if (end < text_.size() && text_[end] != '\n') return;
    position_ = std::min(end + 1, text_.size());
    place_ = {place_.line + 1, 1};
  }
}

Token Tokens::next() {
  Token taken = std::move(token_);
  if (taken.kind != Token::Kind::kEndOfText)
    read();
  else
    token_ = taken;
  return taken;
}

bool Tokens::take(std::string_view word) {
  if (!token_.is(word)) return false;
  next();
  return true;
}

void Tokens::skipLines() {
  while (token_.kind == Token::Kind::kEndOfLine) next();
}

std::string Tokens::line() {
  const std::size_t end = std::min(text_.find('\n', position_), text_.size());
  std::string out(text_.substr(position_, end - position_));
  position_ = std::min(end + 1, text_.size());
  place_ = {place_.line + 1, 1};
  if (out.ends_with('\r')) out.pop_back();
  return out;
}

std::string Tokens::restOfLine() {
  if (!token_.isWord()) return "";
  const Place at = token_.at;
  std::string out = token_.text + line();
  token_ = {Token::Kind::kEndOfLine, "", at};
  return out;
}

Expected<std::string> Tokens::block(const Token& command, Place& at) {
  at = place_;  // the token is the end of the line: what follows is the block
  std::string out;
  while (position_ < text_.size()) {
    const std::size_t end = std::min(text_.find('\n', position_), text_.size());
    if (isWordOf(text_.substr(position_, end - position_), "END")) {
      read();
      next();
      return out;
    }
    out += line() + "\n";
  }
  read();
  return bad(command.at, fmt::format("{} without END", command.text), "a line END");
}

std::string Tokens::section(Place& at) {
  at = place_;
  std::string out;
  while (position_ < text_.size() && text_[position_] != '[') out += line() + "\n";
  read();
  return out;
}

Error Tokens::unexpected(std::string_view wanted) const {
  const std::string got = token_.isWord()                          ? fmt::format("'{}'", shown(token_.text))
                          : token_.kind == Token::Kind::kEndOfLine ? "the end of the line"
                                                                   : "the end of the script";
  return bad(token_.at, fmt::format("{} is expected, not {}", wanted, got));
}

Error Tokens::bad(Place at, std::string what, std::string hint) const {
  return {Outcome::kBadInput, std::move(what), where(at), std::move(hint)};
}

Error Tokens::unsupported(Place at, std::string what, std::string hint) const {
  return {Outcome::kUnsupported, std::move(what), where(at), std::move(hint)};
}

}  // namespace lanewise::amber
