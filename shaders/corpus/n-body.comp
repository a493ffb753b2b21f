// N-body: accelerations by all pairs, bodies in shared memory, inversesqrt.
// small: --groups 2 --push f32:0.01,0.05,u32:128 --buffer bodies=f32:noise:512:-1..1 --buffer velocities=f32:noise:512:-0.1..0.1
// large: --groups 32 --push f32:0.01,0.05,u32:2048 --buffer bodies=f32:noise:8192:-1..1 --buffer velocities=f32:noise:8192:-0.1..0.1
// differs: 1e-3 inverse square roots
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Bodies { vec4 xyzm[]; } bodies;
layout(set = 0, binding = 1) buffer Velocities { vec4 v[]; } velocities;
layout(push_constant) uniform Step { float dt; float softening; uint count; } step_;
shared vec4 cached[64];
vec3 attraction(vec3 self, vec4 other)
{
    vec3 r = other.xyz - self;
    float d2 = dot(r, r) + step_.softening;
    float inv = inversesqrt(d2);
    return r * (abs(other.w) * inv * inv * inv);
}
void main()
{
    uint i = gl_GlobalInvocationID.x;
    vec3 self = bodies.xyzm[i].xyz;
    vec3 a = vec3(0.0);
    for (uint t = 0; t < step_.count; t += gl_WorkGroupSize.x)
    {
        cached[gl_LocalInvocationID.x] = bodies.xyzm[t + gl_LocalInvocationID.x];
        barrier();
        for (int k = 0; k < 64; ++k)
            a += attraction(self, cached[k]);
        barrier();
    }
    velocities.v[i].xyz += a * step_.dt;
}
