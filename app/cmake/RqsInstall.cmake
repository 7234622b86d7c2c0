# cmake --install: programs, man pages, desktop entry, icon, and the data the programs look for in
# <prefix>/share/runqscope (app/data_folders.cpp).
include_guard(GLOBAL)

foreach(program runqscope runqscope-cli)
  if(TARGET ${program})
    install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    configure_file(${PROJECT_SOURCE_DIR}/app/man/${program}.1.in ${PROJECT_BINARY_DIR}/app/${program}.1 @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/app/${program}.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  endif()
endforeach()

if(TARGET runqscope)
  configure_file(${PROJECT_SOURCE_DIR}/app/runqscope.desktop.in ${PROJECT_BINARY_DIR}/app/runqscope.desktop @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/app/runqscope.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
  install(FILES ${PROJECT_SOURCE_DIR}/resources/icons/runqscope.svg
          DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
endif()

# Pictures for the README are not needed at run time.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/scenarios ${PROJECT_SOURCE_DIR}/resources
        DESTINATION ${CMAKE_INSTALL_DATADIR}/runqscope PATTERN "doc" EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
