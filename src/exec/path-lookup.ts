/** Answers to the guard's questions about files, from the workspace: implements src/guard/path-lookup.ts. */
import { isAbsolutePath } from "../glob/absolute-path.ts";
import { gitDirectoryOf, gitDirectoryRefusal } from "../audit/git-directory.ts";
import { undonePathsInTrees } from "../audit/tree-records.ts";
import type { AssessedPlace } from "../guard/assessment.ts";
import type { LookedEntry, LookedTarget, PathFault, WorkspaceLook } from "../guard/path-lookup.ts";
import type { Policy } from "../config/policy.ts";
import { LimitReached } from "../io/limit-reached.ts";
import { Pathnames } from "../shell/expand.ts";
import { FileError } from "../workspace/file-error.ts";
import { pathInMount } from "../workspace/mount/mount.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { WorkspaceWriter, WriteTarget } from "../workspace/write/write-access.ts";
import { homedir } from "node:os";

/** `origin`: the session's, see Caller. */
export function workspaceLook(workspace: Workspace, origin?: string): WorkspaceLook {
  return {
    expand(word, directory) {
      try {
        return new Pathnames(workspace.at(directory)).expand(word).map(({ text }) => text);
      } catch (thrown) {
        // The stage meets the same when it starts, and says so.
        if (thrown instanceof FileError || thrown instanceof LimitReached) return [];
        throw thrown;
      }
    },
    real(path) {
      try {
        return workspace.realPath(path);
      } catch (thrown) {
        if (!(thrown instanceof FileError)) throw thrown;
        return undefined;
      }
    },
    isReadDenied(path) {
      if (workspace.whyDenied(path) !== undefined) return true;
      try {
        return workspace.whyDenied(workspace.realPath(path)) !== undefined;
      } catch (thrown) {
        if (!(thrown instanceof FileError)) throw thrown;
        return false;
      }
    },
    programFault: (path, directory) => programFault(workspace, path, directory),
    target: (path, directory) => target(workspace, path, directory),
    entry: (path, directory) => entry(workspace, path, directory),
    recorded: (id) => undonePathsInTrees(workspace, id === undefined ? { kind: "last" } : { kind: "record", id }, { origin }),
    hasRecords(path, directory) {
      const found = target(workspace, path, directory);
      return "path" in found && undonePathsInTrees(workspace, { kind: "file", path: found.path }, {}).length > 0;
    },
    gitDirectory(path, alongside) {
      try {
        const mount = isAbsolutePath(path) ? workspace.mountOf(path) : undefined;
        const tree = mount === undefined ? workspace : workspace.inMount(mount);
        if (tree === undefined) return undefined;
        const below = (each: string): string => (mount === undefined ? each : each.slice(mount.length + 1));
        const beside = alongside.filter((each) => (isAbsolutePath(each) ? workspace.mountOf(each) : undefined) === mount);
        const found = gitDirectoryOf(tree.writer(), below(path), beside.map(below));
        return found && gitDirectoryRefusal(found);
      } catch (thrown) {
        // The recorder meets the same when the stage runs.
        if (thrown instanceof FileError) return undefined;
        throw thrown;
      }
    },
  };
}

function entry(workspace: Workspace, path: string, directory: string): LookedEntry {
  const view = workspace.at(directory);
  try {
    const { canonical, status } = writtenAt(view, path, (writer) => writer.entry(path));
    if (status === undefined) return { kind: "new", path: canonical };
    return {
      kind: "there",
      path: canonical,
      isDirectory: status.kind === "directory" || (status.kind === "symlink" && isDirectory(view, path)),
    };
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    // The root has no name that could be changed.
    if (thrown.code === "EBUSY") return { kind: "unwritable", isDirectory: true };
    return { kind: thrown.code === "SYMLINK_ESCAPE" || thrown.code === "PATH_ESCAPE" ? "outside" : "unwritable" };
  }
}

/** The target that `look` finds in the tree that `path` leads into, with its path as the whole workspace names it. */
function writtenAt(
  view: Workspace,
  path: string,
  look: (writer: WorkspaceWriter) => WriteTarget,
): Pick<WriteTarget, "canonical" | "status"> {
  const { files, mount } = view.home(path);
  const { canonical, status } = look(files.writer());
  return { canonical: mount === undefined ? canonical : pathInMount(mount, canonical), status };
}

function isDirectory(view: Workspace, path: string): boolean {
  try {
    return view.status(path).kind === "directory";
  } catch (thrown) {
    if (thrown instanceof FileError) return false;
    throw thrown;
  }
}

function programFault(workspace: Workspace, path: string, directory: string): PathFault | undefined {
  try {
    const { kind, permissions } = workspace.at(directory).status(path);
    if (kind === "directory") return "directory";
    return kind === "file" && (permissions & EXECUTABLE) === 0 ? "not-executable" : undefined;
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    return thrown.code === "ENOENT" ? "missing" : thrown.code === "ENOTDIR" ? "not-a-directory" : undefined;
  }
}

/** For anybody. */
const EXECUTABLE = 0o111;

function target(workspace: Workspace, path: string, directory: string): LookedTarget {
  try {
    const { canonical, status } = writtenAt(workspace.at(directory), path, (writer) => writer.target(path));
    return { kind: status === undefined ? "new" : "there", path: canonical, isShared: (status?.links ?? 1) > 1 };
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    return { kind: thrown.code === "SYMLINK_ESCAPE" || thrown.code === "PATH_ESCAPE" ? "outside" : "unwritable" };
  }
}

/** The place that lines run in, as an assessment tells it. */
export function assessedPlace(workspace: Workspace, policy: Policy, currentDirectory: string): AssessedPlace {
  const { rootPath } = workspace;
  const branch = branchName(workspace);
  const labels = [
    `profile=${policy.profile}`,
    ...(policy.readOnly ? ["read-only"] : []),
    ...(policy.strict ? ["strict"] : []),
    ...(rootPath === "/" ? ["root=machine"] : rootPath === homedir() ? ["root=home"] : []),
    ...(branch === undefined ? [] : [`branch=${branch}`]),
    ...(currentDirectory === "" ? [] : [`cwd=${currentDirectory}`]),
  ];
  return { risk_level: rootPath === "/" ? "Critical" : rootPath === homedir() ? "Elevated" : "Normal", labels };
}

const MOST_HEAD_BYTES = 1024;

/** Name of the branch that is checked out; undefined where no branch is, or the root has no repository. */
function branchName(workspace: Workspace): string | undefined {
  try {
    const file = workspace.open(".git/HEAD");
    try {
      const bytes = Buffer.alloc(MOST_HEAD_BYTES);
      const text = bytes.subarray(0, file.readAt(bytes, 0)).toString("utf8");
      return /^ref: refs\/heads\/(\S+)\s*$/.exec(text)?.[1];
    } finally {
      file.close();
    }
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    return undefined;
  }
}
