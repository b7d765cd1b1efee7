# A copy of the page's source with the modules that its lock file names, to be built and tested in.
# Usage: cmake -D source=… -D work=… -D npm=… -P prepare.cmake
file(REMOVE_RECURSE ${work}/src)  # what is gone from the source must not linger
file(COPY ${source}/ DESTINATION ${work} PATTERN node_modules EXCLUDE PATTERN dist EXCLUDE)
file(SHA256 ${source}/package-lock.json wanted)
set(stamp ${work}/node_modules/.carl-lock)
if(EXISTS ${stamp})
  file(READ ${stamp} present)
endif()
if(NOT present STREQUAL wanted)
  execute_process(COMMAND ${npm} ci --no-audit --no-fund --prefer-offline
    WORKING_DIRECTORY ${work} COMMAND_ERROR_IS_FATAL ANY)
  file(WRITE ${stamp} ${wanted})
endif()
