// What the kernels of the photo statistics share: the group's size, which texel an invocation stands for, and whether it must ask.
// Two forms of each, chosen by kChecked. Checked: groups of one size cover the picture and more, an invocation outside it does nothing.
// Non-uniform: nothing is asked; the plan cuts the picture into up to four dispatches whose groups fit exactly (whole groups, the
// right strip, the lower strip, the corner), each with an origin, as an API with non-uniform groups does itself.
// Nobody returns early: kernels with barriers need all invocations.
layout(local_size_x = 16, local_size_y = 16) in;
layout(local_size_x_id = 0, local_size_y_id = 1) in;
layout(constant_id = 2) const bool kChecked = true;

layout(push_constant) uniform Push {
  uvec2 size;    // of what the invocations stand for, in texels
  uvec2 origin;  // where this dispatch begins
  uvec2 from;    // of the picture that is read, where it has another size
} push;

uvec2 texelHere() { return push.origin + gl_GlobalInvocationID.xy; }

bool isInside(uvec2 at) { return !kChecked || (at.x < push.size.x && at.y < push.size.y); }

uint groupInvocations() { return gl_WorkGroupSize.x * gl_WorkGroupSize.y; }
