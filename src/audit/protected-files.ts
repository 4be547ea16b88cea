/**
 * Table of the files that programs and agents run or obey by themselves once they exist, so a person is asked before one is
 * written. Each row cites the page that says so; docs/protected-paths.md is generated from it.
 */

export interface ProtectedFiles {
  /** Program or agent that runs or obeys the files. */
  readonly who: string;
  /**
   * Names, or paths of consecutive names, at any depth of the tree; a directory includes everything below it. In lower
   * case. `*` is any part of a name, `{a,b}` each of several.
   */
  readonly paths: readonly string[];
  /** A URL, or a manual page. */
  readonly source: string;
}

export const PROTECTED_FILES: readonly ProtectedFiles[] = [
  // Agents: servers they start, hooks they run, what they may do unasked, and their standing instructions.
  { who: "several agents", paths: ["agents.md", "agent.md"], source: "https://agents.md/" },
  { who: "several agents: skills", paths: [".agents"], source: "https://agentskills.io/" },
  {
    who: "Claude Code",
    paths: [".claude", ".claude.json", ".mcp.json", "claude.md", "claude.local.md"],
    source: "https://code.claude.com/docs/en/settings",
  },
  { who: "Codex", paths: [".codex", "agents.override.md"], source: "https://developers.openai.com/codex/guides/agents-md" },
  { who: "Cursor", paths: [".cursor", ".cursorrules"], source: "https://cursor.com/docs/context/rules" },
  { who: "Gemini CLI", paths: [".gemini", "gemini.md"], source: "https://geminicli.com/docs/cli/gemini-md/" },
  { who: "Windsurf", paths: [".windsurf", ".windsurfrules", ".codeium"], source: "https://docs.windsurf.com/windsurf/cascade/memories" },
  {
    who: "GitHub Copilot",
    paths: [
      ".copilot",
      ".github/copilot-instructions.md",
      ".github/instructions",
      ".github/prompts",
      ".github/chatmodes",
      ".github/agents",
      ".github/skills",
      ".github/hooks",
    ],
    source: "https://docs.github.com/en/copilot/how-tos/configure-custom-instructions",
  },
  { who: "Cline", paths: [".cline", ".clinerules"], source: "https://docs.cline.bot/features/cline-rules" },
  { who: "Roo Code", paths: [".roo", ".roomodes", ".roorules"], source: "https://docs.roocode.com/features/custom-instructions" },
  {
    who: "Kilo Code",
    paths: [".kilo", "kilo.{json,jsonc}", ".kilocode", ".kilocodemodes", ".kilocoderules"],
    source: "https://kilo.ai/docs/customize/custom-rules",
  },
  { who: "Qwen Code", paths: [".qwen", "qwen.md"], source: "https://qwenlm.github.io/qwen-code-docs/en/users/features/mcp/" },
  { who: "Crush", paths: ["{,.}crush.json", ".crush", "crush.md"], source: "https://github.com/charmbracelet/crush" },
  { who: "Factory", paths: [".factory"], source: "https://docs.factory.ai/cli/configuration/mcp" },
  { who: "opencode", paths: [".opencode", "opencode.{json,jsonc}"], source: "https://opencode.ai/docs/config/" },
  { who: "Amp", paths: [".amp"], source: "https://ampcode.com/manual" },
  { who: "Augment", paths: [".augment", ".augment-guidelines"], source: "https://docs.augmentcode.com/setup-augment/guidelines" },
  {
    who: "goose",
    paths: [".goosehints", ".goose", ".config/goose"],
    source: "https://block.github.io/goose/docs/guides/using-goosehints/",
  },
  { who: "OpenHands", paths: [".openhands"], source: "https://docs.openhands.dev/openhands/usage/customization/repository" },
  { who: "Kiro", paths: [".kiro"], source: "https://kiro.dev/docs/steering/" },
  { who: "Trae", paths: [".trae"], source: "https://docs.trae.ai/ide/rules" },
  { who: "Continue", paths: [".continue", ".continuerules"], source: "https://docs.continue.dev/customize/deep-dives/rules" },
  { who: "Amazon Q", paths: [".amazonq"], source: "https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug/context-project-rules.html" },
  { who: "Junie", paths: [".junie"], source: "https://www.jetbrains.com/help/junie/customize-guidelines.html" },
  {
    who: "aider",
    paths: [".aider.conf.{yml,yaml}", ".aider.model.settings.yml"],
    source: "https://aider.chat/docs/config/aider_conf.html",
  },
  { who: "Warp", paths: ["warp.md", ".warp"], source: "https://docs.warp.dev/knowledge-and-collaboration/rules" },
  { who: "Replit", paths: [".replit", "replit.md"], source: "https://docs.replit.com/programming-ide/configuring-run-button" },
  { who: "Rovo Dev", paths: [".rovodev"], source: "https://support.atlassian.com/rovo/docs/use-tools-in-rovo-dev-cli" },
  { who: "Serena", paths: [".serena"], source: "https://oraios.github.io/serena/02-usage/050_configuration.html" },
  {
    who: "several agents: servers to start",
    paths: ["mcp.json", "mcp_config.json", "{cline_,}mcp_settings.json", "claude_desktop_config.json"],
    source: "https://modelcontextprotocol.io/docs/develop/connect-local-servers",
  },
  // Editors: tasks, interpreters and settings that take effect when the folder is opened.
  {
    who: "Visual Studio Code",
    paths: [".vscode", "*.code-workspace"],
    source: "https://code.visualstudio.com/docs/editing/workspaces/workspaces",
  },
  {
    who: "Visual Studio",
    paths: [".vs"],
    source: "https://learn.microsoft.com/visualstudio/ide/customize-build-and-debug-tasks-in-visual-studio",
  },
  { who: "JetBrains IDEs", paths: [".idea", ".fleet"], source: "https://www.jetbrains.com/help/idea/creating-and-managing-projects.html" },
  { who: "Zed", paths: [".zed", ".rules", ".config/zed"], source: "https://zed.dev/docs/ai/rules" },
  {
    who: "development containers",
    paths: [".devcontainer", ".devcontainer.json", ".gitpod.yml"],
    source: "https://containers.dev/implementors/spec/",
  },
  {
    who: "Vim, Neovim",
    paths: [".exrc", ".vimrc", ".nvimrc", ".nvim.lua", ".config/nvim"],
    source: "https://neovim.io/doc/user/options.html",
  },
  {
    who: "Emacs",
    paths: [".emacs", ".emacs.d", ".dir-locals.el", ".dir-locals-2.el"],
    source: "https://www.gnu.org/software/emacs/manual/html_node/emacs/Directory-Variables.html",
  },
  { who: "Helix", paths: [".helix"], source: "https://docs.helix-editor.com/configuration.html" },
  // Version control: hooks, filters and code from elsewhere.
  { who: "git", paths: [".gitmodules", ".gitconfig", ".config/git"], source: "https://git-scm.com/docs/git-config#FILES" },
  { who: "git: usual places of core.hooksPath", paths: [".githooks"], source: "https://git-scm.com/docs/githooks" },
  { who: "Mercurial", paths: [".hg", ".hgrc"], source: "https://www.mercurial-scm.org/doc/hgrc.5.html" },
  { who: "Subversion", paths: [".svn"], source: "https://svnbook.red-bean.com/en/1.7/svn.developer.insidewc.html" },
  { who: "Jujutsu", paths: [".jj"], source: "https://jj-vcs.github.io/jj/latest/config/" },
  { who: "husky", paths: [".husky"], source: "https://typicode.github.io/husky/" },
  { who: "pre-commit", paths: [".pre-commit-config.yaml"], source: "https://pre-commit.com/" },
  {
    who: "Lefthook",
    paths: ["{,.}lefthook{,-local}.{yml,yaml,toml,json,jsonc}", ".lefthook", ".lefthook-local"],
    source: "https://lefthook.dev/configuration",
  },
  // Continuous integration.
  {
    who: "GitHub Actions",
    paths: [".github/workflows", ".github/actions"],
    source: "https://docs.github.com/actions/reference/workflows-and-actions",
  },
  { who: "Gitea Actions", paths: [".gitea/workflows"], source: "https://docs.gitea.com/usage/actions/quickstart" },
  { who: "Forgejo Actions", paths: [".forgejo/workflows"], source: "https://forgejo.org/docs/latest/user/actions/" },
  { who: "GitLab CI/CD", paths: [".gitlab-ci.{yml,yaml}", ".gitlab/ci"], source: "https://docs.gitlab.com/ci/yaml/" },
  { who: "CircleCI", paths: [".circleci"], source: "https://circleci.com/docs/configuration-reference/" },
  { who: "Buildkite", paths: [".buildkite"], source: "https://buildkite.com/docs/pipelines/configure/defining-steps" },
  { who: "Travis CI", paths: [".travis.yml"], source: "https://docs.travis-ci.com/user/tutorial/" },
  { who: "Drone", paths: [".drone.{yml,yaml,jsonnet,star}"], source: "https://docs.drone.io/pipeline/overview/" },
  { who: "Woodpecker CI", paths: [".woodpecker", ".woodpecker.{yml,yaml}"], source: "https://woodpecker-ci.org/docs/usage/workflows" },
  { who: "Cirrus CI", paths: [".cirrus.{yml,yaml,star}"], source: "https://cirrus-ci.org/guide/writing-tasks/" },
  { who: "AppVeyor", paths: ["{,.}appveyor.{yml,yaml}"], source: "https://www.appveyor.com/docs/appveyor-yml/" },
  { who: "Jenkins", paths: ["jenkinsfile"], source: "https://www.jenkins.io/doc/book/pipeline/jenkinsfile/" },
  {
    who: "Azure Pipelines",
    paths: ["azure-pipelines.{yml,yaml}"],
    source: "https://learn.microsoft.com/azure/devops/pipelines/yaml-schema/",
  },
  {
    who: "Bitbucket Pipelines",
    paths: ["bitbucket-pipelines.yml"],
    source: "https://support.atlassian.com/bitbucket-cloud/docs/bitbucket-pipelines-configuration-reference/",
  },
  {
    who: "Google Cloud Build",
    paths: ["cloudbuild.{yaml,yml,json}"],
    source: "https://cloud.google.com/build/docs/build-config-file-schema",
  },
  {
    who: "AWS CodeBuild",
    paths: ["buildspec.{yml,yaml}"],
    source: "https://docs.aws.amazon.com/codebuild/latest/userguide/build-spec-ref.html",
  },
  { who: "Tekton, Pipelines as Code", paths: [".tekton"], source: "https://docs.openshift.com/pipelines/1.11/pac/using-pac-resolver.html" },
  { who: "Semaphore", paths: [".semaphore"], source: "https://docs.semaphore.io/reference/pipeline-yaml" },
  { who: "SourceHut builds", paths: [".build.yml", ".builds"], source: "https://man.sr.ht/builds.sr.ht/" },
  // Shells and tools that read a file where they are started.
  { who: "direnv", paths: [".envrc", ".direnvrc"], source: "https://direnv.net/man/direnv.1.html" },
  {
    who: "mise",
    paths: ["{,.}mise.toml", "{,.}mise.*.toml", ".mise", ".miserc.toml", "{,.}mise-tasks", "mise/config.toml", ".config/mise"],
    source: "https://mise.jdx.dev/configuration.html",
  },
  {
    who: "bash",
    paths: [".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile"],
    source: "https://www.gnu.org/software/bash/manual/html_node/Bash-Startup-Files.html",
  },
  {
    who: "zsh",
    paths: [".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout"],
    source: "https://zsh.sourceforge.io/Doc/Release/Files.html",
  },
  { who: "fish", paths: [".config/fish"], source: "https://fishshell.com/docs/current/language.html#configuration-files" },
  { who: "readline", paths: [".inputrc"], source: "https://www.gnu.org/software/bash/manual/html_node/Readline-Init-File.html" },
  { who: "ripgrep", paths: [".ripgreprc"], source: "https://github.com/BurntSushi/ripgrep/blob/master/GUIDE.md#configuration-file" },
  { who: "tmux", paths: [".tmux.conf"], source: "https://man.openbsd.org/tmux.1#FILES" },
  { who: "screen", paths: [".screenrc"], source: "https://www.gnu.org/software/screen/manual/screen.html#Startup-Files" },
  { who: "X sessions", paths: [".xprofile", ".xsession"], source: "https://wiki.archlinux.org/title/Xprofile" },
  {
    who: "desktops: programs started at the log-in",
    paths: [".config/autostart"],
    source: "https://specifications.freedesktop.org/autostart-spec/latest/",
  },
  {
    who: "systemd of a user",
    paths: [".config/systemd/user"],
    source: "https://www.freedesktop.org/software/systemd/man/latest/systemd.unit.html",
  },
  {
    who: "systemd: environment of a user",
    paths: [".config/environment.d"],
    source: "https://www.freedesktop.org/software/systemd/man/latest/environment.d.html",
  },
  { who: "PAM", paths: [".pam_environment"], source: "https://man7.org/linux/man-pages/man5/pam_env.conf.5.html" },
  { who: "GDB", paths: [".gdbinit"], source: "https://sourceware.org/gdb/current/onlinedocs/gdb.html/Initialization-Files.html" },
  { who: "LLDB", paths: [".lldbinit"], source: "https://lldb.llvm.org/man/lldb.html" },
  { who: "R", paths: [".rprofile"], source: "https://stat.ethz.ch/R-manual/R-devel/library/base/html/Startup.html" },
  { who: "irb", paths: [".irbrc"], source: "https://docs.ruby-lang.org/en/master/IRB.html" },
  { who: "Pry", paths: [".pryrc"], source: "https://github.com/pry/pry/wiki/Pry-rc" },
  { who: "pdb", paths: [".pdbrc"], source: "https://docs.python.org/3/library/pdb.html" },
  { who: "psql", paths: [".psqlrc"], source: "https://www.postgresql.org/docs/current/app-psql.html#APP-PSQL-FILES" },
  { who: "sqlite3", paths: [".sqliterc"], source: "https://sqlite.org/cli.html" },
  { who: "Bazel", paths: [".bazelrc"], source: "https://bazel.build/run/bazelrc" },
  { who: "RSpec", paths: [".rspec"], source: "https://rspec.info/features/3-13/rspec-core/configuration/read-options-from-file/" },
  { who: "Bun", paths: ["bunfig.toml"], source: "https://bun.sh/docs/runtime/bunfig" },
  { who: "devbox", paths: ["devbox.json"], source: "https://www.jetify.com/docs/devbox/configuration/" },
  { who: "devenv", paths: ["devenv.nix"], source: "https://devenv.sh/basics/" },
  { who: "npm, pnpm", paths: [".npmrc", ".pnpmfile.cjs"], source: "https://docs.npmjs.com/cli/configuring-npm/npmrc" },
  {
    who: "Yarn",
    paths: [".yarnrc", ".yarnrc.yml", ".yarn/plugins", ".yarn/releases"],
    source: "https://yarnpkg.com/configuration/yarnrc",
  },
  {
    who: "Cargo",
    paths: [".cargo/config", ".cargo/config.toml"],
    source: "https://doc.rust-lang.org/cargo/reference/config.html",
  },
  { who: "twine", paths: [".pypirc"], source: "https://packaging.python.org/specifications/pypirc/" },
  { who: "curl, wget", paths: [".netrc", ".curlrc", ".wgetrc"], source: "https://curl.se/docs/manpage.html" },
  { who: "OpenSSH", paths: [".ssh"], source: "https://man.openbsd.org/ssh_config" },
  { who: "GnuPG", paths: [".gnupg"], source: "https://www.gnupg.org/documentation/manuals/gnupg/GPG-Configuration.html" },
];

/** Expansions of `path`, one for each choice of its braces. */
export function spelledOut(path: string): readonly string[] {
  const [, before, choices, after] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(path) ?? [];
  if (choices === undefined) return [path];
  return choices.split(",").flatMap((choice) => spelledOut(`${before}${choice}${after}`));
}
