/** `shelpa-mcp doctor`: checks that the server works here, and names the obstacles where it does not. */
import { ConfigurationError } from "../../config/configuration-error.ts";
import { loadPolicy, type PolicySources } from "../../config/load.ts";
import type { Policy } from "../../config/policy.ts";
import { conversationWith } from "../../exec/own-server.ts";
import { FileError } from "../../workspace/file-error.ts";
import { hanging } from "../../display/visible.ts";
import { hostFileText } from "../../host/host-file.ts";
import { WEAKER_HERE } from "../../workspace/host-guarantee.ts";
import { Workspace } from "../../workspace/workspace.ts";
import type { Given } from "../command.ts";
import type { DOCTOR } from "../commands.ts";
import { placeOf } from "../init/place.ts";
import { policySources } from "../policy-sources.ts";
import { print } from "../print.ts";
import { clientFindings } from "./client-findings.ts";
import { answerIn, CONVERSATIONS, isAnswered, noAnswer, START_MS } from "./conversation.ts";
import { ownEnvironment } from "../own-environment.ts";
import type { Finding } from "./finding.ts";

/** Runs it and gives the exit status. */
export async function doctor({ values }: Given<typeof DOCTOR.options>): Promise<number> {
  let failed = false;
  for await (const { state, what } of findings(policySources(values))) {
    print(`${state.padEnd(4)}  ${hanging(what)}\n`);
    failed ||= state === "fail";
  }
  return failed ? 1 : 0;
}

async function* findings(sources: PolicySources): AsyncGenerator<Finding, void> {
  yield node();
  yield hostFiles();
  const { root } = sources;
  let policy: Policy;
  try {
    const loaded = await loadPolicy(sources);
    policy = loaded.policy;
    yield { state: "ok", what: `configuration: ${loaded.files.length === 0 ? "the defaults" : loaded.files.join(", ")}` };
    for (const { name, access } of policy.mounts)
      yield { state: "ok", what: `mount ${name}: for ${access === "read" ? "reading only" : "reading and writing"}` };
    for (const path of policy.paths.own) yield { state: "note", what: `'${path}' in the root is the server's own: no line may write it` };
  } catch (thrown) {
    if (!(thrown instanceof ConfigurationError)) throw thrown;
    return void (yield { state: "fail", what: `configuration: ${thrown.message}` });
  }
  const opened = rootFinding(root, policy);
  yield opened;
  if (opened.state === "fail") return;
  const project = Workspace.open(root);
  try {
    yield* clientFindings(placeOf(root, process.platform, process.env), project);
  } finally {
    project.close();
  }
  yield* handshakes(sources);
}

/** On Linux files are reached by /proc/self/fd alone. */
function hostFiles(): Finding {
  if (WEAKER_HERE !== undefined) return { state: "note", what: WEAKER_HERE };
  if (hostFileText("/proc/self/stat") !== undefined) return { state: "ok", what: "/proc is there" };
  return { state: "fail", what: "/proc is not there: no file could be reached" };
}

function node(): Finding {
  const [major = 0] = process.versions.node.split(".").map(Number);
  const what = `Node ${process.versions.node}`;
  return major >= 20 ? { state: "ok", what } : { state: "fail", what: `${what}: 20 or newer is needed` };
}

function rootFinding(root: string, policy: Policy): Finding {
  try {
    const workspace = Workspace.open(root, { aliases: [], denyRead: policy.paths.denyRead });
    try {
      const entries = [...workspace.at("").openDirectory(".").entries()].length;
      const mode = policy.readOnly ? "for reading only" : "for reading and writing";
      return { state: "ok", what: `root ${root}: ${entries} entries, ${mode}` };
    } finally {
      workspace.close();
    }
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    return { state: "fail", what: `root ${root}: ${thrown.message}` };
  }
}

/** One call in each era, to a server as a client would start it. */
async function* handshakes({ root, file }: PolicySources): AsyncGenerator<Finding> {
  for (const era of ["2025-11-25", "2026-07-28"] as const) {
    const startedMs = performance.now();
    const { output, errors, failure } = await conversationWith({
      words: [process.execPath, process.argv[1] ?? "", "--root", root, ...(file === undefined ? [] : ["--config", file])],
      directory: root,
      environment: ownEnvironment(),
      input: CONVERSATIONS[era],
      timeoutMs: START_MS,
    });
    const took = `${Math.round(performance.now() - startedMs)} ms`;
    const answer = answerIn(output);
    yield isAnswered(answer)
      ? { state: "ok", what: `protocol ${era}: a server was started, answered a call and ended in ${took}` }
      : { state: "fail", what: `protocol ${era}: ${noAnswer(failure, errors)}` };
  }
}
