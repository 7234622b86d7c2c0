# Shared target settings: warnings as errors, sanitizers, and the two functions every folder uses.
include_guard(GLOBAL)

set(RQS_SANITIZE "" CACHE STRING "Sanitizers for -fsanitize=, e.g. address,undefined")

find_program(RQS_CCACHE ccache)
if(RQS_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${RQS_CCACHE})
endif()

add_library(rqs_options INTERFACE)
target_compile_features(rqs_options INTERFACE cxx_std_20)
target_include_directories(rqs_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(rqs_options INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
# g++ 12 reports "literal" + std::string as overlapping memcpy when optimising (GCC bug 105651).
target_compile_options(rqs_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(RQS_SANITIZE)
  target_compile_options(rqs_options INTERFACE -fsanitize=${RQS_SANITIZE} -fno-omit-frame-pointer
                                               -fno-sanitize-recover=all
                         # False alarms of g++ 12 inside Boost.Graph and std::regex once sanitizers are on.
                         $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(rqs_options INTERFACE -fsanitize=${RQS_SANITIZE})
endif()

# rqs_layer(NAME [USES layer...] [LIBS target...]): the static library of core/NAME from its *.cpp files.
function(rqs_layer name)
  cmake_parse_arguments(L "" "" "USES;LIBS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp ${CMAKE_CURRENT_SOURCE_DIR}/*/*.cpp)
  list(TRANSFORM L_USES PREPEND rqs_)
  if(sources)
    add_library(rqs_${name} STATIC ${sources})
    target_link_libraries(rqs_${name} PUBLIC rqs_options ${L_USES} ${L_LIBS})
  else()
    add_library(rqs_${name} INTERFACE)
    target_link_libraries(rqs_${name} INTERFACE rqs_options ${L_USES} ${L_LIBS})
  endif()
endfunction()
