# Writes the man pages of PROGRAM and the completion of shells into PAGES.

function(say file)
  execute_process(COMMAND ${PROGRAM} ${ARGN} OUTPUT_FILE ${PAGES}/${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(MAKE_DIRECTORY ${PAGES}/man1)
say(man1/stiction.1 manual)
execute_process(COMMAND ${PROGRAM} --help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCH "Commands:\n(.*)\n\n`" list "${help}")
string(REGEX MATCHALL "\n  [a-z]+ " commands "\n${CMAKE_MATCH_1}")
foreach(command ${commands})
  string(STRIP "${command}" command)
  say(man1/stiction-${command}.1 manual ${command})
endforeach()
say(stiction.bash completion bash)
say(_stiction completion zsh)
say(stiction.fish completion fish)
file(TOUCH ${PAGES}/stamp)
