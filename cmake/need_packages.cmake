# Run by cpack before the packages are made. Without dpkg-shlibdeps CPack would make packages that depend on nothing, without a word.
find_program(SHLIBDEPS dpkg-shlibdeps)
if(NOT SHLIBDEPS)
  message(FATAL_ERROR "dpkg-shlibdeps is missing, which finds what a package depends on: apt-get install dpkg-dev")
endif()
