# The Vulkan backend: what needs no device, and what runs on every CPU device there is.
find_package(fmt REQUIRED)
lanewise_test(gpu_contract_tests LINK lanewise_vulkan lanewise_test_kernels lanewise_shaders
  SOURCES gpu/canary_test.cpp gpu/features_test.cpp gpu/checked_job_test.cpp gpu/wire_test.cpp)
lanewise_test(gpu_device_tests COST 300 LINK lanewise_gpu lanewise_catalogue lanewise_test_kernels fmt::fmt
  SOURCES gpu/catalogue_test.cpp gpu/gpu_device_test.cpp gpu/discovery_test.cpp gpu/worker_test.cpp)
lanewise_runs(gpu_device_tests lanewise-worker)
add_test(NAME nightly.gpu_catalogue CONFIGURATIONS nightly COMMAND gpu_device_tests --gtest_filter=GpuCatalogue.*)
set_tests_properties(nightly.gpu_catalogue PROPERTIES LABELS nightly TIMEOUT 7200 ENVIRONMENT "LANEWISE_CATALOGUE=all")

# The kernels of other people.
lanewise_test(corpus_tests LINK lanewise_check lanewise_subject lanewise_gpu lanewise_model lanewise_test_kernels SOURCES tools/subject/corpus_test.cpp)
target_compile_definitions(corpus_tests PRIVATE LANEWISE_CORPUS="${CMAKE_SOURCE_DIR}/shaders/corpus")
lanewise_runs(corpus_tests lanewise-worker)
add_test(NAME nightly.corpus CONFIGURATIONS nightly COMMAND corpus_tests)
set_tests_properties(nightly.corpus PROPERTIES LABELS nightly TIMEOUT 7200 ENVIRONMENT "LANEWISE_CORPUS_WAYS=all;LANEWISE_NO_CACHE=1")

# Whether choices that Vulkan leaves open are distinguished from errors, on real devices.
lanewise_test(open_operation_tests LINK lanewise_arbitration lanewise_gpu lanewise_test_kernels fmt::fmt
  SOURCES gpu/open_operation_device_test.cpp)
lanewise_runs(open_operation_tests lanewise-worker)

# Each choice of a profile, on the model.
lanewise_test(model_choices_tests OPTIMISED LINK lanewise_model lanewise_test_kernels lanewise_text fmt::fmt ${LANEWISE_MPFR} ${LANEWISE_GMP}
  SOURCES model/operations/half_lanes_test.cpp model/operations/profile_rows_test.cpp model/operations/sample_group_test.cpp)
get_property(tables GLOBAL PROPERTY LANEWISE_TABLES)
target_compile_definitions(model_choices_tests PRIVATE ${tables})

# The shipped profiles against the devices they describe.
lanewise_test(scalar_device_tests OPTIMISED LINK lanewise_gpu lanewise_model lanewise_test_kernels fmt::fmt ${LANEWISE_MPFR}
  ${LANEWISE_GMP}
  SOURCES gpu/scalar_device_test.cpp gpu/texel_device_test.cpp)
lanewise_runs(scalar_device_tests lanewise-worker)
add_test(NAME nightly.scalar_devices CONFIGURATIONS nightly COMMAND scalar_device_tests)
set_tests_properties(nightly.scalar_devices PROPERTIES LABELS nightly TIMEOUT 14400 ENVIRONMENT "LANEWISE_OPERANDS=1048576")

# Devices that misbehave, without a GPU: workers that answer through the model.
add_executable(fake_worker gpu/fake_worker.cpp)
target_link_libraries(fake_worker PRIVATE lanewise_gpu lanewise_model lanewise_options)
lanewise_test(gpu_robust_tests LINK lanewise_gpu lanewise_validation fmt::fmt SOURCES gpu/robust_test.cpp)
target_compile_definitions(gpu_robust_tests PRIVATE LANEWISE_FAKE_WORKER="$<TARGET_FILE:fake_worker>")
lanewise_runs(gpu_robust_tests fake_worker)
