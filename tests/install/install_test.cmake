# Installs into an empty prefix, then configures, builds and runs the consumer project against it.
# The consumer goes without link-time optimisation: the archive must serve both kinds.
set(prefix ${work_dir}/prefix)
file(REMOVE_RECURSE ${work_dir})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "failed: ${command}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

run(${CMAKE_COMMAND} --install ${build_dir} --prefix ${prefix})
foreach(file bin/carl include/carl/model.h share/bash-completion/completions/carl
  share/zsh/site-functions/_carl share/fish/vendor_completions.d/carl.fish share/man/man1/carl.1
  share/man/man1/carl-solve.1)
  if(NOT EXISTS ${prefix}/${file})
    message(FATAL_ERROR "not installed: ${file}")
  endif()
endforeach()
run(${CMAKE_COMMAND} -S ${consumer_dir} -B ${work_dir}/build -G Ninja
  -D CMAKE_BUILD_TYPE=${config} -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_COMMAND} --build ${work_dir}/build)
run(${work_dir}/build/drone)
if(NOT output MATCHES "^optimal\n")
  message(FATAL_ERROR "unexpected output:\n${output}")
endif()
