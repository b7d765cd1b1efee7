# Lets the program write its completions and manual pages.
# Usage: cmake -D carl=PROGRAM -D folder=WHERE -P manual.cmake
function(write file)
  execute_process(COMMAND ${carl} ${ARGN} OUTPUT_FILE ${folder}/${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${folder})
file(MAKE_DIRECTORY ${folder}/man1)
write(carl.bash completion bash)
write(_carl completion zsh)
write(carl.fish completion fish)
write(man1/carl.1 help --man)
file(STRINGS ${folder}/carl.bash commands REGEX "^_carl_commands=")
string(REGEX REPLACE ".*='(.*)'" "\\1" commands "${commands}")
string(REPLACE " " ";" commands "${commands}")
foreach(command ${commands})
  write(man1/carl-${command}.1 help --man ${command})
endforeach()
file(TOUCH ${folder}/stamp)
