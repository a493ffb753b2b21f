// The figures of `lanewise bench` but --gpu and --corpus: a line for each case and side, JSON, and a table.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tools/subject/subject.h"
#include "tools/sweep/sweep.h"

namespace lanewise {

// Of a case on a side.
struct Timed {
  std::vector<double> seconds;          // of the dispatches of each run but the first
  double preparation = 0;               // how much longer the first call took than the others: decoding, compiling
  std::optional<std::uint64_t> memory;  // of a run of the model, in bytes
};

class BenchTable {
 public:
  // What comes now has this number of threads; 0: all.
  void begin(std::uint32_t threads, std::size_t sides);
  // Prints the case; a figure for each side.
  void add(const Subject& subject, std::span<const Side> sides, const std::vector<Timed>& timed);
  // Of what came since begin().
  bool empty() const { return rows_.empty(); }
  void printMeans(std::span<const Side> sides) const;

  std::string json(const std::vector<std::uint32_t>& threads, std::uint32_t runs) const;
  std::string csv() const;

 private:
  struct Row {
    std::string name, kind, size, side;  // kind: what cases of other sizes have too
    std::uint32_t threads = 0;
    double texels = 0;  // 0: of no picture
    Timed timed;
    double median = 0, ratio = 1;      // to the first side
    std::optional<double> efficiency;  // how much of the additional threads' work shows, from 0 to 1
    std::optional<double> growth;      // the time a texel over that of the first size
    double perTexel() const { return median / texels; }
  };
  void compare(Row& row) const;

  std::vector<Row> rows_;
  std::uint32_t threads_ = 0;
  std::vector<std::vector<double>> ratios_;  // by side: to the first, of each case
};

}  // namespace lanewise
