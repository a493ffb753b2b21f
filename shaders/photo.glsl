// What the kernels of the photo statistics share: the workgroup's size, which texel an invocation handles, and whether it must check.
// kChecked selects one of two forms. Checked: workgroups of one size cover the picture and more, and an invocation outside of it does
// nothing. Not checked: the plan cuts the picture into up to four dispatches whose workgroups fit exactly (whole ones, the right strip, the
// lower strip, the corner), each with an origin, as an API with non-uniform workgroups does itself. No invocation returns early, because
// kernels with barriers need all of them.
layout(local_size_x = 16, local_size_y = 16) in;
layout(local_size_x_id = 0, local_size_y_id = 1) in;
layout(constant_id = 2) const bool kChecked = true;

layout(push_constant) uniform Push {
  uvec2 size;    // of the picture that the invocations cover, in texels
  uvec2 origin;  // where this dispatch begins
  uvec2 from;    // size of the picture that is read, where it is another
} push;

uvec2 texelHere() { return push.origin + gl_GlobalInvocationID.xy; }

bool isInside(uvec2 at) { return !kChecked || (at.x < push.size.x && at.y < push.size.y); }

uint groupInvocations() { return gl_WorkGroupSize.x * gl_WorkGroupSize.y; }
