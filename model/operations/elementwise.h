// Makes a handler from a pure function on scalars. The handler applies it to every lane of a batch.
//
// Arguments and results are in rows of 16-lane groups. A uniform argument is read again for every group (its step is 0); a uniform result
// is one group. The loop over 16 lanes has a fixed count, and the compiler turns it into vector instructions of the instruction set for
// which the file is compiled.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "model/operations/branching.h"
#include "model/operations/table.h"
#include "model/scalar/mode.h"
#include "model/state/batch.h"

namespace lanewise {
inline namespace LANEWISE_ISA {

template <class T>
constexpr Scalar scalarOf() {
  if constexpr (std::is_same_v<T, bool>)
    return Scalar::kBool;
  else if constexpr (std::is_same_v<T, scalar::Half>)
    return Scalar::kF16;
  else if constexpr (std::is_same_v<T, float>)
    return Scalar::kF32;
  else if constexpr (std::is_same_v<T, double>)
    return Scalar::kF64;
  else if constexpr (sizeof(T) == 1)
    return Scalar::kI8;
  else if constexpr (sizeof(T) == 2)
    return Scalar::kI16;
  else if constexpr (sizeof(T) == 4)
    return Scalar::kI32;
  else
    return Scalar::kI64;
}

template <class T>
using LaneOf = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <class T>
inline T fromLane(LaneOf<T> lane) {
  if constexpr (std::is_same_v<T, bool>)
    return lane != 0;
  else if constexpr (std::is_same_v<T, scalar::Half>)
    return scalar::Half{static_cast<std::uint16_t>(lane)};
  else if constexpr (std::is_floating_point_v<T>)
    return std::bit_cast<T>(lane);
  else
    return static_cast<T>(lane);
}

template <class T>
inline LaneOf<T> toLane(T value) {
  if constexpr (std::is_same_v<T, bool>)
    return value ? 0xffffffffu : 0u;
  else if constexpr (std::is_same_v<T, scalar::Half>)
    return value.bits;
  else if constexpr (std::is_floating_point_v<T>)
    return std::bit_cast<LaneOf<T>>(value);
  else
    return static_cast<LaneOf<T>>(static_cast<std::make_unsigned_t<T>>(value));
}

// Hides a pointer's origin from the compiler, so that it vectorises the inner loop over one group and not the outer loop. A result may use
// the register of its operand, and run-time checks for that cost more than the operation.
template <class... P>
[[gnu::always_inline]] inline void forget(P&... pointers) {
  const auto one = [](auto& p) { __asm__ volatile("" : "+r"(p)); };
  (one(pointers), ...);
}

// Calls `one` for each group; there is one at least. Where a group is one register, four in a row: a jump for each would cost as much.
template <class One>
[[gnu::always_inline]] inline void forGroups(std::uint32_t groups, const One& one) {
#if defined(__AVX512F__)
  for (; groups % 4 == 0 && groups != 0; groups -= 4) {
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) one();
  }
  if (groups == 0) return;
#endif
  do one();
  while (--groups != 0);
}

// A handler continues while the next instruction is one of its own, because vector code is the same operation on every component.
template <class F, class R, class A>
const Instr* unary(const Instr* ip, Batch& s) {
  do {
    auto* d = s.slot<LaneOf<R>>(ip->dst);
    const auto* a = s.slot<LaneOf<A>>(ip->a);
    const std::size_t stepA = ip->stepA * (64 / sizeof(LaneOf<A>));
    forGroups(
        groupsOf(ip, s), [&]() __attribute__((always_inline)) {
#pragma GCC ivdep
          for (std::uint32_t k = 0; k < kGroup; ++k) d[k] = toLane<R>(F{}(fromLane<A>(a[k])));
          d += kGroup;
          a += stepA;
          forget(d, a);
        });
    ++ip;
  } while (ip->run == &unary<F, R, A> && !s.singleStep);
  return ip;
}

template <class F, class R, class A, class B>
const Instr* binary(const Instr* ip, Batch& s) {
  do {
    auto* d = s.slot<LaneOf<R>>(ip->dst);
    const auto* a = s.slot<LaneOf<A>>(ip->a);
    const auto* b = s.slot<LaneOf<B>>(ip->b);
    const std::size_t stepA = ip->stepA * (64 / sizeof(LaneOf<A>));
    const std::size_t stepB = ip->stepB * (64 / sizeof(LaneOf<B>));
    forGroups(
        groupsOf(ip, s), [&]() __attribute__((always_inline)) {
#pragma GCC ivdep
          for (std::uint32_t k = 0; k < kGroup; ++k) d[k] = toLane<R>(F{}(fromLane<A>(a[k]), fromLane<B>(b[k])));
          d += kGroup;
          a += stepA;
          b += stepB;
          forget(d, a, b);
        });
    ++ip;
  } while (ip->run == &binary<F, R, A, B> && !s.singleStep);
  return ip;
}

// A comparison, and the branch behind it, for which alone it is computed.
template <class F, class A, class B>
const Instr* compareAndBranch(const Instr* ip, Batch& s) {
  if (s.singleStep) return binary<F, bool, A, B>(ip, s);
  const auto* a = s.slot<LaneOf<A>>(ip->a);
  const auto* b = s.slot<LaneOf<B>>(ip->b);
  const std::size_t stepA = ip->stepA * kGroup, stepB = ip->stepB * kGroup;
  const Instr* next = nullptr;
  if (stepA == 0 && stepB == 0) {
    next = takeBranch(ip + 1, s, F{}(fromLane<A>(*a), fromLane<B>(*b)));
  } else {
    LaneMask yes;
    for (std::uint32_t g = 0, groups = groupsOf(ip, s); g < groups; ++g, a += stepA, b += stepB) {
      alignas(64) std::uint32_t holds[kGroup];
      for (std::uint32_t k = 0; k < kGroup; ++k) holds[k] = toLane<bool>(F{}(fromLane<A>(a[k]), fromLane<B>(b[k])));
      yes.word[g / 4] |= std::uint64_t{bitsOf(holds)} << (g % 4 * kGroup);
    }
    next = takeBranch(ip + 1, s, yes & s.mask);
  }
  // It stopped at the branch, which will be executed by itself.
  if (next == nullptr && s.status == Batch::Status::kFaulted) binary<F, bool, A, B>(ip, s);
  return next;
}

template <class F, class R, class A, class B, class C>
const Instr* ternary(const Instr* ip, Batch& s) {
  do {
    auto* d = s.slot<LaneOf<R>>(ip->dst);
    const auto* a = s.slot<LaneOf<A>>(ip->a);
    const auto* b = s.slot<LaneOf<B>>(ip->b);
    const auto* c = s.slot<LaneOf<C>>(ip->c);
    const std::size_t stepA = ip->stepA * (64 / sizeof(LaneOf<A>));
    const std::size_t stepB = ip->stepB * (64 / sizeof(LaneOf<B>));
    const std::size_t stepC = ip->stepC * (64 / sizeof(LaneOf<C>));
    forGroups(
        groupsOf(ip, s), [&]() __attribute__((always_inline)) {
#pragma GCC ivdep
          for (std::uint32_t k = 0; k < kGroup; ++k) d[k] = toLane<R>(F{}(fromLane<A>(a[k]), fromLane<B>(b[k]), fromLane<C>(c[k])));
          d += kGroup;
          a += stepA;
          b += stepB;
          c += stepC;
          forget(d, a, b, c);
        });
    ++ip;
  } while (ip->run == &ternary<F, R, A, B, C> && !s.singleStep);
  return ip;
}

// Four arguments of one width are in Program::operands.
template <class F, class R, class A, class B, class C, class D>
const Instr* quaternary(const Instr* ip, Batch& s) {
  const Operand* o = s.env->program->operands.data() + ip->operands;
  auto* d = s.slot<LaneOf<R>>(ip->dst);
  const auto* a = s.slot<LaneOf<A>>(o[0].offset);
  const auto* b = s.slot<LaneOf<B>>(o[1].offset);
  const auto* c = s.slot<LaneOf<C>>(o[2].offset);
  const auto* e = s.slot<LaneOf<D>>(o[3].offset);
  const auto step = [](const Operand& of, auto* row) { return of.step / sizeof(*row); };
  const std::size_t stepA = step(o[0], a), stepB = step(o[1], b), stepC = step(o[2], c), stepE = step(o[3], e);
  forGroups(
      groupsOf(ip, s), [&]() __attribute__((always_inline)) {
#pragma GCC ivdep
        for (std::uint32_t k = 0; k < kGroup; ++k)
          d[k] = toLane<R>(F{}(fromLane<A>(a[k]), fromLane<B>(b[k]), fromLane<C>(c[k]), fromLane<D>(e[k])));
        d += kGroup;
        a += stepA;
        b += stepB;
        c += stepC;
        e += stepE;
        forget(d, a, b, c, e);
      });
  return ip + 1;
}

// Adds the row of an operation. Its result and argument types are given; the function is a stateless lambda.
template <class R, class... A, class F>
void row(OpTable& table, ir::Code op, F) {
  constexpr Scalar first = scalarOf<std::tuple_element_t<0, std::tuple<A...>>>();
  if constexpr (sizeof...(A) == 1)
    table.add({op, scalarOf<R>(), first}, &unary<F, R, A...>);
  else if constexpr (std::is_same_v<R, bool> && sizeof...(A) == 2 && ((sizeof(A) == sizeof(std::uint32_t)) && ...))
    table.add({op, Scalar::kBool, first}, {&binary<F, R, A...>, &binary<F, R, A...>, &compareAndBranch<F, A...>});
  else if constexpr (sizeof...(A) == 2)
    table.add({op, scalarOf<R>(), first}, &binary<F, R, A...>);
  else if constexpr (sizeof...(A) == 3)
    table.add({op, scalarOf<R>(), first}, &ternary<F, R, A...>);
  else
    table.add({op, scalarOf<R>(), first}, &quaternary<F, R, A...>);
}

template <class R, class... A, class F>
void row(OpTable& table, spv::Op op, F f) {
  row<R, A...>(table, ir::core(op), f);
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
