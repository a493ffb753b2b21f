# What `cmake --install` puts where, below the prefix:
#
#   bin/lanewise                                 the program
#   lib/lanewise/                                the worker, and the modules for pictures and for HTTP
#   share/lanewise/golden, share/lanewise/corpus the store of exact results, and the corpus of `bench --corpus`
#   share/man/man1, share/bash-completion, ...   written by `lanewise manual` when the program was linked
#
# Everything is found from where the program is (model/base/program_folder.h), so a prefix can be moved. In the build folder the data are
# links into the source tree.
foreach(data "golden=golden/store" "corpus=shaders/corpus")
  string(REPLACE "=" ";" data ${data})
  list(GET data 0 name)
  list(GET data 1 folder)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share/lanewise)
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${folder} ${CMAKE_BINARY_DIR}/share/lanewise/${name} SYMBOLIC)
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/${folder}/ DESTINATION share/lanewise/${name} COMPONENT program
    PATTERN "*.h" EXCLUDE PATTERN "*.cpp" EXCLUDE PATTERN "*.md" EXCLUDE)
endforeach()

set(LANEWISE_PARTS lib/lanewise)
install(TARGETS lanewise RUNTIME DESTINATION bin COMPONENT program)
install(TARGETS lanewise-http LIBRARY DESTINATION ${LANEWISE_PARTS} COMPONENT program)
# The program and the library take them from one place.
if(LANEWISE_PICTURES)
  install(TARGETS lanewise-pictures LIBRARY DESTINATION ${LANEWISE_PARTS} COMPONENT pictures)
endif()
if(LANEWISE_GPU)
  install(TARGETS lanewise-worker RUNTIME DESTINATION ${LANEWISE_PARTS} COMPONENT devices)
endif()

set(LANEWISE_MANUAL ${CMAKE_BINARY_DIR}/share/manual)
install(DIRECTORY ${LANEWISE_MANUAL}/ DESTINATION share/man/man1 COMPONENT program FILES_MATCHING PATTERN "*.1.gz")
install(FILES ${LANEWISE_MANUAL}/lanewise.bash DESTINATION share/bash-completion/completions RENAME lanewise COMPONENT program)
install(FILES ${LANEWISE_MANUAL}/lanewise.fish DESTINATION share/fish/vendor_completions.d COMPONENT program)
# Where zsh looks below /usr/local, and where Debian's looks below /usr.
foreach(folder site-functions vendor-completions)
  install(FILES ${LANEWISE_MANUAL}/_lanewise DESTINATION share/zsh/${folder} COMPONENT program)
endforeach()
install(FILES ${CMAKE_SOURCE_DIR}/README.md DESTINATION share/doc/lanewise COMPONENT program)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/examples ${CMAKE_SOURCE_DIR}/docs DESTINATION share/doc/lanewise COMPONENT program
  PATTERN "docs/speed" EXCLUDE)
