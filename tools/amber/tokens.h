// The words of a script, one after another, with their places. A line ends with a token of its own, unless it ends with a backslash. A "#"
// at the beginning of a word starts a comment.
#pragma once

#include <string>
#include <string_view>

#include "tools/amber/script.h"

namespace lanewise::amber {

struct Token {
  enum class Kind : std::uint8_t { kWord, kEndOfLine, kEndOfText } kind = Kind::kEndOfText;
  std::string text{};
  Place at{};

  bool is(std::string_view word) const { return kind == Kind::kWord && text == word; }
  bool isWord() const { return kind == Kind::kWord; }
  bool endsLine() const { return kind != Kind::kWord; }
};

class Tokens {
 public:
  // `text` must outlive it.
  Tokens(std::string file, std::string_view text) : file_(std::move(file)), text_(text) { read(); }

  const Token& peek() const { return token_; }
  Token next();
  // Takes the next token if it is this word.
  bool take(std::string_view word);
  void skipLines();  // ends of lines
  bool atEnd() const { return token_.kind == Token::Kind::kEndOfText; }

  // The lines after this one up to one that begins with END, which is taken too. `at` is the first of them. Bad input: there is no END.
  Expected<std::string> block(const Token& command, Place& at);
  // The lines up to one that begins with '[', which is not taken; they are skipped.
  std::string section(Place& at);
  // The rest of this line, which is taken.
  std::string restOfLine();

  // "got ..." of the next token.
  Error unexpected(std::string_view wanted) const;
  Error bad(Place at, std::string what, std::string hint = "") const;
  Error unsupported(Place at, std::string what, std::string hint = "") const;
  std::string where(Place at) const;

 private:
  void read();
  std::string line();  // from the position to the end of the line, and past it

  std::string file_;
  std::string_view text_;
  std::size_t position_ = 0;
  Place place_{};
  Token token_{};
};

}  // namespace lanewise::amber
