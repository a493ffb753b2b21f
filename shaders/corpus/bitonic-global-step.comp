// One step of a bitonic sort in global memory, as an engine dispatches many of them.
// small: --groups 4 --push u32:64,16 --buffer SortBuffer=u32:noise:512
// large: --groups 4096 --push u32:65536,4096 --buffer SortBuffer=u32:noise:1048576
#version 450
layout (local_size_x = 128) in;
layout (push_constant) uniform Params { uint k; uint j; } params;
layout (std430, binding = 0) buffer SortBuffer { uint items[]; };
void main()
{
    uint t = gl_GlobalInvocationID.x;
    uint i = (t / params.j) * params.j * 2 + t % params.j;
    uint l = i ^ params.j;
    if (l >= items.length()) return;
    uint a = items[i], b = items[l];
    bool ascending = (i & params.k) == 0;
    if (ascending ? a > b : a < b)
    {
        items[i] = b;
        items[l] = a;
    }
}
