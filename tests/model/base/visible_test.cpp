#include "model/base/visible.h"

#include <gtest/gtest.h>

#include "model/base/outcome.h"

namespace lanewise {
namespace {

TEST(Visible, ControlCharactersAreText) {
  EXPECT_EQ(visible("a\x1b[2Jb\x7f\r"), "a\\x1b[2Jb\\x7f\\x0d");
  EXPECT_EQ(visible(std::string_view("\0z", 2)), "\\x00z");
  EXPECT_EQ(visible("\xc2\x9b"
                    "31m"),
            "\\x9b31m")
      << "U+009B begins a sequence too";
}

TEST(Visible, LeavesTextAsItIs) {
  for (const char* text : {"", "line\n\tnext", "\xc3\xa9t\xc3\xa9 \xe2\x82\xac \xc2\xa0"}) EXPECT_EQ(visible(text), text);
  for (const char* text : {"\xc2\xa0", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"})
    EXPECT_TRUE(visible(text) == text && isUtf8(text)) << "the first and last characters of each form";
}

TEST(Visible, BytesThatAreNoUtf8AreText) {
  EXPECT_EQ(visible("a\xc2"), "a\\xc2");
  EXPECT_EQ(visible("\xc3\xffng\xb6"), "\\xc3\\xffng\\xb6");
  EXPECT_EQ(visible("\xe2\x82z\xf0\x9f\x98"), "\\xe2\\x82z\\xf0\\x9f\\x98");
  // A longer form than needed, a half of a pair, above U+10FFFF, bytes that begin nothing.
  for (const char* text :
       {"\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xfe", "\x80"})
    EXPECT_TRUE(visible(text).find_first_not_of("\\x0123456789abcdef") == std::string::npos && !isUtf8(text)) << visible(text);
}

TEST(Visible, ALineEndOfTwoCharactersIsOne) {
  EXPECT_EQ(visible("one\r\ntwo\r\n"), "one\ntwo\n");
  EXPECT_EQ(visible("\rover\r\r\n\n\r"), "\\x0dover\\x0d\n\n\\x0d");
}

TEST(Visible, ErrorsQuoteFiles) {
  EXPECT_EQ((Error{Outcome::kBadInput, "no \x1b]0;x\x07", "a\x1b", ""}).text(), "no \\x1b]0;x\\x07 (a\\x1b)");
}

}  // namespace
}  // namespace lanewise
