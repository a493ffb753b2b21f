// pyramid/energy: the fast pipeline with groups of 256 invocations (pyramid_fast.glsl).
#version 460
#extension GL_GOOGLE_include_directive : require
#define LOCAL 256
#include "pyramid_fast.glsl"
