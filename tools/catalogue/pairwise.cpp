// A covering array of strength 2, built greedily: each row starts from a pair that is not yet covered. For every other axis it takes the
// value that covers the most pairs with the values that the row already has. (The idea of AETG: Cohen, Dalal, Fredman, Patton, 1997; with
// no randomness.)
#include "tools/catalogue/sets.h"

namespace lanewise {
namespace {

using Row = std::vector<std::size_t>;
constexpr std::size_t kOpen = static_cast<std::size_t>(-1);

class Pairs {
 public:
  explicit Pairs(const std::vector<std::size_t>& lengths) : lengths_(lengths), open_(lengths.size() * lengths.size()) {
    for (std::size_t a = 0; a < lengths.size(); ++a)
      for (std::size_t b = a + 1; b < lengths.size(); ++b) table(a, b).assign(lengths[a] * lengths[b], true);
  }

  std::vector<Row> cover() {
    std::vector<Row> rows;
    for (std::size_t a = 0; a < lengths_.size(); ++a)
      for (std::size_t b = a + 1; b < lengths_.size(); ++b)
        for (std::size_t i = 0; i < lengths_[a] * lengths_[b]; ++i)
          if (table(a, b)[i]) rows.push_back(rowFrom(a, i / lengths_[b], b, i % lengths_[b], rows.size()));
    return rows;
  }

 private:
  std::vector<bool>& table(std::size_t a, std::size_t b) { return open_[a * lengths_.size() + b]; }
  bool open(std::size_t a, std::size_t i, std::size_t b, std::size_t j) {
    return a < b ? table(a, b)[i * lengths_[b] + j] : table(b, a)[j * lengths_[a] + i];
  }

  Row rowFrom(std::size_t a, std::size_t i, std::size_t b, std::size_t j, std::size_t turn) {
    Row row(lengths_.size(), kOpen);
    row[a] = i;
    row[b] = j;
    for (std::size_t axis = 0; axis < row.size(); ++axis)
      if (row[axis] == kOpen) row[axis] = best(row, axis, turn);
    for (std::size_t x = 0; x < row.size(); ++x)
      for (std::size_t y = x + 1; y < row.size(); ++y) table(x, y)[row[x] * lengths_[y] + row[y]] = false;
    return row;
  }

  // Among equal values the next in turn, so that an axis with all pairs covered still varies.
  std::size_t best(const Row& row, std::size_t axis, std::size_t turn) {
    std::size_t found = 0, most = 0;
    for (std::size_t k = 0; k < lengths_[axis]; ++k) {
      const std::size_t value = (k + turn) % lengths_[axis];
      std::size_t gain = 1;
      for (std::size_t other = 0; other < row.size(); ++other)
        if (other != axis && row[other] != kOpen && open(axis, value, other, row[other])) ++gain;
      if (gain > most) {
        most = gain;
        found = value;
      }
    }
    return found;
  }

  const std::vector<std::size_t>& lengths_;
  std::vector<std::vector<bool>> open_;
};

}  // namespace

std::vector<std::vector<std::size_t>> pairwiseRows(const std::vector<std::size_t>& lengths) {
  if (lengths.size() == 1) {
    std::vector<Row> rows;
    for (std::size_t i = 0; i < lengths[0]; ++i) rows.push_back({i});
    return rows;
  }
  return Pairs(lengths).cover();
}

}  // namespace lanewise
