// pyramid/energy: the fast pipeline with groups of 1024 invocations: six levels without a prologue (pyramid_fast.glsl).
#version 460
#extension GL_GOOGLE_include_directive : require
#define LOCAL 1024
#include "pyramid_fast.glsl"
