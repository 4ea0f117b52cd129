# SPDX-License-Identifier: GPL-3.0-or-later
# Frames of the project's own functions stay small where a preset asks for it, so that the program runs on 64 KiB of
# stack: what is larger lies in an arena. Not for unoptimised and sanitized builds, whose frames are not what users run.
function(ws_limit_frames target)
    if(WS_FRAME_BYTES_MAX)
        target_compile_options(${target} PRIVATE -Wframe-larger-than=${WS_FRAME_BYTES_MAX})
    endif()
endfunction()

# One layer of the house is one static library. Its public headers lie in include/ws/ and reach only those targets that
# link it, so that an include against the arrow of the design does not compile.
#
#   ws_add_layer(NAME SOURCES file... PUBLIC target... PRIVATE target...)
function(ws_add_layer name)
    cmake_parse_arguments(arg "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
    file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/include/ws/*.h)
    if(NOT arg_SOURCES)
        add_library(${name} INTERFACE)
        target_include_directories(${name} INTERFACE include)
        target_link_libraries(${name} INTERFACE ${arg_PUBLIC})
        return()
    endif()
    add_library(${name} STATIC)
    target_sources(${name} PRIVATE ${arg_SOURCES})
    target_sources(${name} PUBLIC FILE_SET HEADERS BASE_DIRS include FILES ${headers})
    target_link_libraries(${name} PUBLIC ${arg_PUBLIC} PRIVATE ws_flags ${arg_PRIVATE})
    ws_limit_frames(${name})
endfunction()
