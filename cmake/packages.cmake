# Debian packages: `cpack -G DEB --config build/release/CPackConfig.cmake`. One for each component of what is installed (install.cmake):
#
#   lanewise            the program; it needs nothing of OpenImageIO
#   lanewise-pictures   the module for picture files, which does
#   liblanewise0.1      the library, and the worker that devices run in
#   liblanewise-dev     headers and find_package(lanewise)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR Lanewise)
set(CPACK_PACKAGE_CONTACT "Lanewise authors <lanewise@packages.invalid>")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program pictures library dev)
set(CPACK_COMPONENTS_GROUPING ONE_PER_COMPONENT)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR}/bin)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(soname ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(same "(= ${PROJECT_VERSION})")

# lanewise_package(COMPONENT NAME SUMMARY TEXT): the package of a component, with what Debian asks of its folder in share/doc.
find_program(GZIP gzip REQUIRED)
function(lanewise_package component name summary text)
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${summary}\n${text}" PARENT_SCOPE)
  set(folder ${CMAKE_BINARY_DIR}/packages/${name})
  file(MAKE_DIRECTORY ${folder})
  configure_file(${CMAKE_SOURCE_DIR}/cmake/changelog.in ${folder}/changelog @ONLY)
  execute_process(COMMAND ${GZIP} -9nf ${folder}/changelog)
  install(FILES ${folder}/changelog.gz ${CMAKE_SOURCE_DIR}/cmake/copyright DESTINATION share/doc/${name} COMPONENT ${component})
endfunction()

lanewise_package(program lanewise "checks Vulkan compute kernels on a model of a GPU"
  "Runs the SPIR-V of a kernel on a simulated GPU and on Vulkan devices, and
 compares both, bit for bit, with exact results. Finds data races and other
 errors under many schedules, and has a debugger that goes both ways.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "liblanewise${soname} ${same}")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "lanewise-pictures ${same}")

lanewise_package(pictures lanewise-pictures "picture files for lanewise"
  "The module with which lanewise and its library read and write PNG, TIFF and
 EXR files.")

lanewise_package(library liblanewise${soname} "runs Vulkan compute kernels on a model of a GPU, as a library"
  "The library of Lanewise, and the process that it runs Vulkan devices in.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS "libvulkan1, mesa-vulkan-drivers")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SUGGESTS "lanewise-pictures ${same}")

lanewise_package(dev liblanewise-dev "headers of the library of lanewise"
  "For tests in C++ that run a Vulkan compute kernel without a GPU: headers,
 find_package(lanewise), and matchers for GoogleMock.")
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "liblanewise${soname} ${same}")
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS libgmock-dev)

include(CPack)
