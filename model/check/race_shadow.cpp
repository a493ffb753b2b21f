#include "model/check/race_shadow.h"

namespace lanewise::race {

void Shadow::clear() {
  pages_.clear();
  lists_.clear();
  free_.clear();
}

UseList& Shadow::listOf(Cell& cell) {
  if ((cell.read & kList) != 0) return lists_[cell.read & ~kList];
  std::uint64_t index = lists_.size();
  if (!free_.empty()) {
    index = free_.back();
    free_.pop_back();
    lists_[index].reads.clear();
    lists_[index].atomics.clear();
    lists_[index].alike = true;
  } else {
    lists_.emplace_back();
  }
  if (cell.read != 0) {
    Uses one{static_cast<std::uint32_t>(cell.read >> 7), {}};
    one.lanes.set(static_cast<std::uint32_t>(cell.read & (kMaxLanes - 1)));
    lists_[index].reads.push_back(one);
  }
  cell.read = kList | index;
  return lists_[index];
}

Shadow::Page& Shadow::make(std::uint64_t number, bool whole) {
  if (number >= pages_.size()) pages_.resize(number + 1);
  std::unique_ptr<Page>& p = pages_[number];
  if (!p) {
    p = std::make_unique<Page>(Page{whole, std::vector<Cell>(whole ? kCells : kCells * unit_)});
    return *p;
  }
  // From words to bytes: each byte has been used as its word was.
  std::vector<Cell> bytes(kCells * unit_);
  for (std::uint64_t i = 0; i < bytes.size(); ++i) {
    const Cell& word = p->cells[i / unit_];
    bytes[i] = word;
    if ((word.read & kList) == 0 || i % unit_ == 0) continue;
    const UseList copy = lists_[word.read & ~kList];
    bytes[i].read = 0;
    listOf(bytes[i]) = copy;
  }
  *p = {false, std::move(bytes)};
  return *p;
}

}  // namespace lanewise::race
