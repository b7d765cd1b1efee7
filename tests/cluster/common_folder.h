#ifndef CARL_TESTS_CLUSTER_COMMON_FOLDER_H
#define CARL_TESTS_CLUSTER_COMMON_FOLDER_H

#include <filesystem>
#include <string>

#include "cluster/ranks.h"

namespace carl::testing {

/// A folder that all ranks know, and that is gone afterwards.
class CommonFolder {
 public:
  CommonFolder()
      : path_(std::filesystem::temp_directory_path() /
              ("carl-checkpoints-" + std::to_string(ranks_.count()))) {
    clear();
  }
  ~CommonFolder() {
    meet();
    if (ranks_.is_first()) std::filesystem::remove_all(path_);
  }
  CommonFolder(const CommonFolder&) = delete;
  CommonFolder& operator=(const CommonFolder&) = delete;

  void clear() {
    meet();
    if (ranks_.is_first()) {
      std::filesystem::remove_all(path_);
      std::filesystem::create_directories(path_);
    }
    meet();
  }
  void meet() const { ranks_.any(false); }
  std::string file(const std::string& name) const { return path_ / name; }
  const cluster::Ranks& ranks() const { return ranks_; }

 private:
  cluster::Ranks ranks_{MPI_COMM_WORLD};
  std::filesystem::path path_;
};

}  // namespace carl::testing

#endif
