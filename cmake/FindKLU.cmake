# SuiteSparse ships neither CMake nor pkg-config files in Debian 12, so KLU is found by hand.
# Defines the imported target SuiteSparse::KLU.
find_path(KLU_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse)
find_library(KLU_LIBRARY klu)
find_library(KLU_AMD_LIBRARY amd)
find_library(KLU_COLAMD_LIBRARY colamd)
find_library(KLU_BTF_LIBRARY btf)
find_library(KLU_CONFIG_LIBRARY suitesparseconfig)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(KLU REQUIRED_VARS KLU_LIBRARY KLU_AMD_LIBRARY KLU_COLAMD_LIBRARY
  KLU_BTF_LIBRARY KLU_CONFIG_LIBRARY KLU_INCLUDE_DIR)

if(KLU_FOUND AND NOT TARGET SuiteSparse::KLU)
  add_library(SuiteSparse::KLU INTERFACE IMPORTED)
  set_target_properties(SuiteSparse::KLU PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${KLU_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${KLU_LIBRARY};${KLU_AMD_LIBRARY};${KLU_COLAMD_LIBRARY};${KLU_BTF_LIBRARY};${KLU_CONFIG_LIBRARY}")
endif()
mark_as_advanced(KLU_INCLUDE_DIR KLU_LIBRARY KLU_AMD_LIBRARY KLU_COLAMD_LIBRARY KLU_BTF_LIBRARY
  KLU_CONFIG_LIBRARY)
