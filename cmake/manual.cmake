# SPDX-License-Identifier: BSD-3-Clause
#
# The pages of the manual and the scripts for completion, as the program prints them, and their places in
# an installation.
set(manual)

# printed(FILE DESTINATION WORD…): what `regroup WORD…` prints is installed as DESTINATION/FILE.
function(printed file destination)
  set(made ${PROJECT_BINARY_DIR}/manual/${file})
  add_custom_command(OUTPUT ${made} COMMAND regroup ${ARGN} > ${made} DEPENDS regroup VERBATIM)
  install(FILES ${made} DESTINATION ${destination})
  set(manual ${manual} ${made} PARENT_SCOPE)
endfunction()

file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/manual)
printed(regroup.1 ${CMAKE_INSTALL_MANDIR}/man1 man)
printed(regroup-config.5 ${CMAKE_INSTALL_MANDIR}/man5 man regroup-config)
printed(regroup-results.5 ${CMAKE_INSTALL_MANDIR}/man5 man regroup-results)
printed(regroup ${CMAKE_INSTALL_DATADIR}/bash-completion/completions completion bash)
printed(_regroup ${CMAKE_INSTALL_DATADIR}/zsh/site-functions completion zsh)
printed(regroup.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d completion fish)
add_custom_target(manual ALL DEPENDS ${manual})
