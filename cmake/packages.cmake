# Debian packages: `cpack -G DEB --config build/release/CPackConfig.cmake -B packages`. One for each component of what is installed
# (install.cmake, library, python):
#
#   lanewise            the program
#   lanewise-pictures   the module for picture files, for the program and the library: OpenImageIO and what that needs
#   lanewise-devices    the process that Vulkan devices run in, for both too
#   liblanewise0.1      the library; Debian wants the number of its interface in the name
#   liblanewise-dev     headers and find_package(lanewise)
#   python3-lanewise    the Python module, if it is built
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR Lanewise)
set(CPACK_PACKAGE_CONTACT "Lanewise authors <lanewise@packages.invalid>")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR}/bin)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/cmake/need_packages.cmake)
set(CPACK_POST_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/cmake/mend_packages.cmake)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(soname ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(same "(= ${PROJECT_VERSION})")

# lanewise_package(COMPONENT NAME SECTION SUMMARY TEXT [RELATION value]...): the package of a component, with what Debian asks of its folder
# in share/doc. RELATION: Depends beside the libraries that are found by themselves, Recommends, ...
find_program(GZIP gzip REQUIRED)
set(CPACK_COMPONENTS_ALL "")
function(lanewise_package component name section summary text)
  cmake_parse_arguments(P "" "DEPENDS;RECOMMENDS;SUGGESTS" "" ${ARGN})
  string(TOUPPER ${component} upper)
  set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} ${component} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  foreach(relation DEPENDS RECOMMENDS SUGGESTS)
    set(CPACK_DEBIAN_${upper}_PACKAGE_${relation} "${P_${relation}}" PARENT_SCOPE)
  endforeach()
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${summary}\n${text}" PARENT_SCOPE)
  set(folder ${CMAKE_BINARY_DIR}/packages/${name})
  file(MAKE_DIRECTORY ${folder})
  configure_file(${CMAKE_SOURCE_DIR}/cmake/changelog.in ${folder}/changelog @ONLY)
  execute_process(COMMAND ${GZIP} -9nf ${folder}/changelog)
  install(FILES ${folder}/changelog.gz ${CMAKE_SOURCE_DIR}/cmake/copyright DESTINATION share/doc/${name} COMPONENT ${component})
endfunction()

lanewise_package(program lanewise devel "checks Vulkan compute kernels on a model of a GPU"
  "Runs the SPIR-V of a kernel on a simulated GPU and on Vulkan devices, and\ncompares both, bit for bit, with exact results. Finds data races and other\nerrors under many schedules, and has a debugger that goes both ways."
  RECOMMENDS "lanewise-devices ${same}, lanewise-pictures ${same}")

if(LANEWISE_PICTURES)
  lanewise_package(pictures lanewise-pictures devel "picture files for lanewise"
    "The module with which lanewise and its library read PNG, TIFF, EXR and other\nfiles, and write TIFF and EXR files.")
endif()

if(LANEWISE_GPU)
  lanewise_package(devices lanewise-devices devel "Vulkan devices for lanewise"
    "The process in which lanewise and its library run kernels on a Vulkan\ndevice, such as the one for CPUs in mesa-vulkan-drivers."
    DEPENDS "libvulkan1" RECOMMENDS "mesa-vulkan-drivers")
endif()

lanewise_package(library liblanewise${soname} libs "runs Vulkan compute kernels on a model of a GPU, as a library"
  "The library of Lanewise: loads SPIR-V, GLSL and HLSL, runs it on a simulated\nGPU, finds errors of the kernel, and steps through a run."
  RECOMMENDS "lanewise-devices ${same}" SUGGESTS "lanewise-pictures ${same}")

lanewise_package(dev liblanewise-dev libdevel "headers of the library of lanewise"
  "For tests in C++ that run a Vulkan compute kernel without a GPU: headers,\nfind_package(lanewise), and matchers for GoogleMock."
  DEPENDS "liblanewise${soname} ${same}" SUGGESTS libgmock-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS OFF)

if(TARGET lanewise_python)
  lanewise_package(python python3-lanewise python "runs Vulkan compute kernels on a model of a GPU, from Python"
    "For tests in Python that run a Vulkan compute kernel without a GPU: numpy\narrays go in and come out, and a plugin for pytest is there."
    DEPENDS "liblanewise${soname} ${same}, ${LANEWISE_PYTHON_PACKAGES}, python3-numpy" SUGGESTS python3-pytest)
endif()

include(CPack)
