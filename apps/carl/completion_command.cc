#include <memory>

#include "commands.h"
#include "completion.h"
#include "output.h"

namespace carl::app {

void add_completion(CommandLine& line, const std::atomic<bool>& /*interrupt*/) {
  const auto shell = std::make_shared<std::string>();
  Command sub = line.add_command("completion", "Print a script that lets a shell complete this");
  sub.option("SHELL", *shell, "Which shell").required().check(one_of(completion_shells()));
  sub.footer(
      "Examples:\n"
      "  carl completion bash > ~/.local/share/bash-completion/completions/carl\n"
      "  carl completion zsh > ~/.zfunc/_carl      # a folder of your fpath\n"
      "  carl completion fish > ~/.config/fish/completions/carl.fish");
  sub.on_run([shell, &line] {
    show("{}", completion(line.description(), *shell));
    return 0;
  });
}

}  // namespace carl::app
