// Sums of 64 bits that many workgroups add to, in a buffer of words (low, high, low, high, ...). Exactly one invocation sees each overflow
// of a low word, and it adds the carry. So the sums are exact in any order. Relaxed atomics suffice: nobody reads the words before the
// dispatch has ended.
layout(set = 0, binding = 1) restrict buffer Sums { uint words[]; } sums;

void addToSum(uint which, uint value) {
  uint before = atomicAdd(sums.words[2u * which], value);
  if (before + value < before) atomicAdd(sums.words[2u * which + 1u], 1u);
}
