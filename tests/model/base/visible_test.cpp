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
  for (const char* text : {"", "line\n\tnext", "\xc3\xa9t\xc3\xa9 \xe2\x82\xac \xc2\xa0", "\xc2"}) EXPECT_EQ(visible(text), text);
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
