# Tests of tools/: the catalogue, the sweep, the reports, and the program.
find_package(nlohmann_json REQUIRED)
find_package(fmt REQUIRED)

# With test doubles for devices.
lanewise_test(tools_tests LINK lanewise_validation nlohmann_json::nlohmann_json SOURCES tools/catalogue/catalogue_test.cpp tools/report/report_test.cpp tools/sweep/plan_test.cpp tools/sweep/sweep_test.cpp)
target_compile_definitions(tools_tests PRIVATE LANEWISE_CONTRACTS_PAGE="${CMAKE_SOURCE_DIR}/docs/contracts.md")

# The known-bad kernels on the model.
lanewise_test(known_bad_tests LINK lanewise_subject fmt::fmt SOURCES tools/catalogue/known_bad_test.cpp)
target_compile_definitions(known_bad_tests PRIVATE LANEWISE_KNOWN_BAD_PAGE="${CMAKE_SOURCE_DIR}/docs/known-bad.md")

# With the model, whose observed engine reports who stored what.
lanewise_test(arbitration_tests LINK lanewise_arbitration lanewise_text lanewise_test_kernels SOURCES
  tools/arbitrate/arbitrate_test.cpp tools/arbitrate/shrink_test.cpp tools/arbitrate/slice_test.cpp)

# The subject that a text on the command line names.
lanewise_test(subject_tests LINK lanewise_subject SOURCES tools/subject/subject_test.cpp)

# Kernels that are described in files.
lanewise_test(described_tests LINK lanewise_described nlohmann_json::nlohmann_json fmt::fmt SOURCES
  tools/described/description_test.cpp tools/described/formula_test.cpp tools/described/references_test.cpp)
target_compile_definitions(described_tests PRIVATE LANEWISE_EXAMPLES="${CMAKE_SOURCE_DIR}/shaders/examples"
  LANEWISE_SCHEMA="${CMAKE_SOURCE_DIR}/docs/kernel.schema.json" LANEWISE_DESCRIPTIONS_PAGE="${CMAKE_SOURCE_DIR}/docs/descriptions.md")

# Scripts in AmberScript, on the model.
lanewise_test(amber_tests LINK lanewise_amber fmt::fmt SOURCES tools/amber/script_test.cpp tools/amber/sections_test.cpp)

# Every way to run a subject.
lanewise_test(check_tests LINK lanewise_check lanewise_run lanewise_text lanewise_test_kernels fmt::fmt nlohmann_json::nlohmann_json SOURCES
  tools/check/certificate_test.cpp tools/check/check_mends_test.cpp tools/check/check_model_test.cpp tools/check/check_test.cpp tools/check/check_waits_test.cpp tools/check/loop_faults_test.cpp tools/check/reduce_test.cpp
  tools/check/rules_test.cpp tools/run/job_place_test.cpp)
target_compile_definitions(check_tests PRIVATE LANEWISE_SOURCE_FOLDER="${CMAKE_SOURCE_DIR}")

# SARIF against its schema.
add_test(NAME sarif_nightly COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/tools/check/sarif_nightly.sh $<TARGET_FILE:lanewise>
  ${CMAKE_CURRENT_BINARY_DIR}/sarif_nightly CONFIGURATIONS nightly)
set_tests_properties(sarif_nightly PROPERTIES LABELS nightly TIMEOUT 600 SKIP_RETURN_CODE 77)

# The pyramids' host side, and their kernels on the model; which modules the model treats as valid.
lanewise_test(pyramid_tests LINK lanewise_catalogue lanewise_model SOURCES tools/catalogue/cascade_test.cpp
  tools/catalogue/floors_test.cpp tools/catalogue/modules_test.cpp tools/catalogue/pyramid_test.cpp)
# Mutants of every kernel: a small part here, all of them in `ctest -L nightly -C nightly`, with the full set.
lanewise_test(selftest_tests LINK lanewise_selftest SOURCES tools/selftest/ranges_test.cpp tools/selftest/selftest_test.cpp)
add_test(NAME selftest_nightly COMMAND lanewise selftest CONFIGURATIONS nightly)
add_test(NAME full_set_nightly COMMAND lanewise validate --set full --devices model CONFIGURATIONS nightly)
add_test(NAME full_goldens_nightly COMMAND lanewise golden verify --full CONFIGURATIONS nightly)
add_test(NAME adverse_nightly COMMAND lanewise validate --profile adverse --devices model CONFIGURATIONS nightly)
set_tests_properties(selftest_nightly full_set_nightly full_goldens_nightly adverse_nightly PROPERTIES LABELS nightly TIMEOUT 7200)

# The program itself, run as a user runs it.
lanewise_test(cli_tests LINK nlohmann_json::nlohmann_json fmt::fmt SOURCES tools/cli/cli_test.cpp tools/cli/commands_test.cpp
  tools/cli/amber_test.cpp tools/cli/every_command_test.cpp
  tools/cli/described_test.cpp tools/cli/golden_test.cpp tools/cli/init_test.cpp tools/cli/openings_test.cpp tools/cli/partial_runs_test.cpp
  tools/cli/pictures_test.cpp tools/cli/schemas_test.cpp tools/cli/subjects_test.cpp tools/cli/suspects_test.cpp
  tools/debug/addresses_test.cpp tools/debug/against_test.cpp tools/debug/debug_test.cpp tools/debug/events_test.cpp
  tools/debug/looks_test.cpp tools/debug/names_test.cpp tools/debug/words_test.cpp)
target_compile_definitions(cli_tests PRIVATE LANEWISE_PROGRAM="$<TARGET_FILE:lanewise>" LANEWISE_PAGES="${CMAKE_SOURCE_DIR}/docs/"
  LANEWISE_SHADERS="${CMAKE_SOURCE_DIR}/shaders")
lanewise_runs(cli_tests lanewise)
if(LANEWISE_GPU)
  target_compile_definitions(cli_tests PRIVATE LANEWISE_GPU)
  lanewise_runs(cli_tests lanewise-worker)
endif()

# Sessions of the debugger are the same every time.
add_test(NAME thousand_sessions_nightly COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/tools/debug/thousand_sessions.sh $<TARGET_FILE:lanewise>
  CONFIGURATIONS nightly)
set_tests_properties(thousand_sessions_nightly PROPERTIES LABELS nightly TIMEOUT 3600)

# What the pages say, by the program: the figures and the guide here, every command in `ctest -L nightly -C nightly`.
add_test(NAME pages_figures COMMAND ${CMAKE_SOURCE_DIR}/tools/pages $<TARGET_FILE:lanewise> figures)
add_test(NAME pages_guide COMMAND ${CMAKE_SOURCE_DIR}/tools/pages $<TARGET_FILE:lanewise> docs/guide.md)
add_test(NAME pages_arguments COMMAND bash -c "'${CMAKE_SOURCE_DIR}/tools/pages' docs/faq.md 2>&1 | grep 'no program docs/faq.md' &&
  '${CMAKE_SOURCE_DIR}/tools/pages' $<TARGET_FILE:lanewise> docs/none.md 2>&1 | grep 'no page docs/none.md'")
add_test(NAME pages_nightly COMMAND ${CMAKE_SOURCE_DIR}/tools/pages $<TARGET_FILE:lanewise> CONFIGURATIONS nightly)
set_tests_properties(pages_nightly PROPERTIES LABELS nightly TIMEOUT 3600)

# The program as it is installed, where the source tree cannot be seen.
add_test(NAME install COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/install/install_test.sh ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
set_tests_properties(install PROPERTIES TIMEOUT 600 SKIP_RETURN_CODE 77)

# The command that runs at night, and one of its parts.
add_test(NAME nightly_command COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/tools/nightly_test.sh ${CMAKE_SOURCE_DIR})
add_test(NAME tidy_command COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/tools/tidy_test.sh ${CMAKE_SOURCE_DIR})

# The figures of docs/speed.md: the script that measures them with a few kernels, and the tables that are made of its files.
add_test(NAME figures COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/tools/figures_test.sh ${CMAKE_SOURCE_DIR} $<TARGET_FILE:lanewise>)
set_tests_properties(figures PROPERTIES TIMEOUT 600)

# The CI examples, and the packages (nightly; LANEWISE_BARE_DEBIAN names the folder of a bare debootstrap).
add_test(NAME ci_examples COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/install/ci_test.sh ${CMAKE_SOURCE_DIR} $<TARGET_FILE:lanewise>)
add_test(NAME packages_nightly COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/install/packages_test.sh ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}
  CONFIGURATIONS nightly)
set_tests_properties(packages_nightly PROPERTIES LABELS nightly TIMEOUT 3600 SKIP_RETURN_CODE 77)

# The library: its headers against what is built, and against what is installed.
lanewise_test(library_tests LINK lanewise_library SOURCES library/library_test.cpp)
if(LANEWISE_GPU)
  target_compile_definitions(library_tests PRIVATE LANEWISE_GPU)
  lanewise_runs(library_tests lanewise-worker)
endif()
add_test(NAME install_library COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/install/library_test.sh ${CMAKE_BINARY_DIR} ${CMAKE_CXX_COMPILER})
set_tests_properties(install_library PROPERTIES TIMEOUT 600)

# The Python module, as it is in the build folder.
if(TARGET lanewise_python)
  add_test(NAME python COMMAND ${LANEWISE_PYTHON_RUN} -m pytest -q -p no:cacheprovider ${CMAKE_CURRENT_SOURCE_DIR}/python)
  set_tests_properties(python PROPERTIES LABELS python TIMEOUT 600
    ENVIRONMENT "PYTHONPATH=${CMAKE_BINARY_DIR}/python;PYTHONDONTWRITEBYTECODE=1;LC_ALL=C.UTF-8")
  add_test(NAME sdist COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/install/sdist_test.sh ${CMAKE_SOURCE_DIR} ${LANEWISE_PYTHON_RUN})
  set_tests_properties(sdist PROPERTIES TIMEOUT 600 SKIP_RETURN_CODE 77)
endif()

# A user's own module: the option grammar, the job and pictures; and the commands.
find_package(SPIRV-Tools REQUIRED)
lanewise_test(run_tests LINK lanewise_run SPIRV-Tools-static SOURCES
  tools/run/arguments_test.cpp tools/run/embedded_source_test.cpp tools/run/hlsl_test.cpp tools/run/inspect_test.cpp tools/run/kept_source_test.cpp tools/run/make_job_test.cpp tools/run/pictures_test.cpp)
target_sources(cli_tests PRIVATE tools/run/run_test.cpp tools/run/run_then_test.cpp tools/run/run_ways_test.cpp)

# The table of what the model executes, against the model and the page.
lanewise_test(coverage_tests LINK lanewise_coverage lanewise_text fmt::fmt SOURCES model/ir/operation_table_test.cpp
  model/operations/instruction_sets_test.cpp model/operations/machines_test.cpp model/operations/operation_rows_test.cpp tools/coverage/coverage_test.cpp)
target_compile_definitions(coverage_tests PRIVATE LANEWISE_COVERAGE_PAGE="${CMAKE_SOURCE_DIR}/docs/coverage.md")

# The cost of observers, run by hand, with the program's allocator.
add_executable(lanewise-observer-cost model/exec/observer_cost.cpp)
if(JEMALLOC AND NOT LANEWISE_SANITIZE)
  target_sources(lanewise-observer-cost PRIVATE ${CMAKE_SOURCE_DIR}/tools/cli/allocator.cpp)
  target_link_libraries(lanewise-observer-cost PRIVATE ${JEMALLOC})
endif()
target_link_libraries(lanewise-observer-cost PRIVATE lanewise_subject lanewise_model lanewise_test_kernels fmt::fmt lanewise_options)
target_compile_definitions(lanewise-observer-cost PRIVATE LANEWISE_CORPUS="${CMAKE_SOURCE_DIR}/shaders/corpus")

# The Debug Adapter Protocol: the program, spoken with through pipes; and the adapter alone, fed with what is broken.
lanewise_test(dap_tests LINK lanewise_dap nlohmann_json::nlohmann_json fmt::fmt SOURCES tools/dap/dap_test.cpp tools/dap/fuzz_test.cpp)
target_compile_definitions(dap_tests PRIVATE LANEWISE_PROGRAM="$<TARGET_FILE:lanewise>"
  LANEWISE_CONVERSATIONS="${CMAKE_CURRENT_SOURCE_DIR}/tools/dap/conversations")
lanewise_runs(dap_tests lanewise)
# Against a client and definitions that others wrote.
add_test(NAME dap_other_client_nightly COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/tools/dap/nightly.sh $<TARGET_FILE:lanewise>
  ${CMAKE_CURRENT_BINARY_DIR}/dap_nightly CONFIGURATIONS nightly)
set_tests_properties(dap_other_client_nightly PROPERTIES LABELS nightly TIMEOUT 600 SKIP_RETURN_CODE 77)
find_program(LANEWISE_EMACS emacs)
if(LANEWISE_EMACS)
  add_test(NAME dap_emacs_nightly COMMAND ${LANEWISE_EMACS} --batch -l ${CMAKE_CURRENT_SOURCE_DIR}/tools/dap/emacs_client.el
    $<TARGET_FILE:lanewise> ${CMAKE_CURRENT_SOURCE_DIR}/tools/dap/conversations CONFIGURATIONS nightly)
  set_tests_properties(dap_emacs_nightly PROPERTIES LABELS nightly TIMEOUT 600 SKIP_RETURN_CODE 77)
endif()

# The debugger in a browser: what the page asks, HTTP as friend and foe speak it, and the page in Debian's chromium.
lanewise_test(web_tests LINK lanewise_web nlohmann_json::nlohmann_json fmt::fmt SOURCES tools/web/browser_test.cpp tools/web/face_test.cpp
  tools/web/http_test.cpp)
target_compile_definitions(web_tests PRIVATE LANEWISE_PROGRAM="$<TARGET_FILE:lanewise>")
lanewise_runs(web_tests lanewise)
