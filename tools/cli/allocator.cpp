// How the program's allocator works (jemalloc(3), "TUNING"). A debugger makes and drops copies of a run, and the host's system clears
// memory page by page as it is touched first. So there are large pages where the system has some, and blocks of any size that were given
// back are kept for a while for whoever asks next.
#include <jemalloc/jemalloc.h>

const char* malloc_conf = "thp:always,oversize_threshold:0";
