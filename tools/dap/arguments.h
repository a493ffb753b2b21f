// What a request asks with, read without trust. The first thing that is wrong is kept; what is then returned stands for nothing.
#pragma once

#include <limits>
#include <vector>

#include "tools/dap/message.h"

namespace lanewise::dap {

class Arguments {
 public:
  // `of` must outlive it. What is no object has nothing in it.
  explicit Arguments(const Json& of) : of_(of) {}

  bool has(const char* name) const { return of_.is_object() && of_.contains(name); }
  // Required, of this type.
  std::string text(const char* name);
  std::int64_t number(const char* name, std::int64_t least = 0, std::int64_t most = std::numeric_limits<std::int32_t>::max());
  // Wrong only where they are there and of another type.
  std::string textOr(const char* name, std::string usual = "");
  std::int64_t numberOr(const char* name, std::int64_t usual, std::int64_t least = 0,
                        std::int64_t most = std::numeric_limits<std::int32_t>::max());
  bool flagOr(const char* name, bool usual);
  // Of objects; empty where it is missing.
  std::vector<Arguments> list(const char* name);
  std::vector<std::string> texts(const char* name);
  // An object in it; what is missing has nothing in it.
  Arguments inner(const char* name);

  const Json& whole() const { return of_; }
  const Status& bad() const { return bad_; }
  // Takes over what is wrong with a part of it.
  void check(const Arguments& part) {
    if (!bad_) bad_ = part.bad_;
  }

 private:
  const Json& at(const char* name) const;
  void wrong(const char* name, const char* meant);

  const Json& of_;
  Status bad_;
};

}  // namespace lanewise::dap
