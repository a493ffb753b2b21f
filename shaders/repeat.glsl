// EACH(S): S(0) S(1) ... up to UNROLL - 1, written out, so that an array of UNROLL elements is indexed by constants and stays in registers.
#define REPEAT_1(S, j) S(j)
#define REPEAT_2(S, j) REPEAT_1(S, j) REPEAT_1(S, j + 1)
#define REPEAT_4(S, j) REPEAT_2(S, j) REPEAT_2(S, j + 2)
#define REPEAT_6(S, j) REPEAT_4(S, j) REPEAT_2(S, j + 4)
#define REPEAT_8(S, j) REPEAT_4(S, j) REPEAT_4(S, j + 4)
#define REPEAT_16(S, j) REPEAT_8(S, j) REPEAT_8(S, j + 8)

#if UNROLL == 1
#define EACH(S) REPEAT_1(S, 0)
#elif UNROLL == 2
#define EACH(S) REPEAT_2(S, 0)
#elif UNROLL == 4
#define EACH(S) REPEAT_4(S, 0)
#elif UNROLL == 5
#define EACH(S) REPEAT_4(S, 0) REPEAT_1(S, 4)
#elif UNROLL == 8
#define EACH(S) REPEAT_8(S, 0)
#elif UNROLL == 12
#define EACH(S) REPEAT_8(S, 0) REPEAT_4(S, 8)
#elif UNROLL == 16
#define EACH(S) REPEAT_16(S, 0)
#elif UNROLL == 24
#define EACH(S) REPEAT_16(S, 0) REPEAT_8(S, 16)
#elif UNROLL == 32
#define EACH(S) REPEAT_16(S, 0) REPEAT_16(S, 16)
#else
#error UNROLL is 1, 2, 4, 5, 8, 12, 16, 24 or 32
#endif
