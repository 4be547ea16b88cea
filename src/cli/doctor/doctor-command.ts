/** `shelpa-mcp doctor`: checks that the server works here, and names the obstacles where it does not. */
import { PassThrough } from "node:stream";
import { ConfigurationError } from "../../config/configuration-error.ts";
import { loadPolicy, type PolicySources } from "../../config/load.ts";
import type { Policy } from "../../config/policy.ts";
import { serveOverStdio } from "../../mcp/serve-stdio.ts";
import { createShellService } from "../../mcp/service.ts";
import { FileError } from "../../workspace/file-error.ts";
import { hostFileText } from "../../host/host-file.ts";
import { Workspace } from "../../workspace/workspace.ts";
import type { Given } from "../command.ts";
import type { DOCTOR } from "../commands.ts";
import { placeOf } from "../init/place.ts";
import { policySources } from "../policy-sources.ts";
import { hanging, print } from "../print.ts";
import { serverOptions } from "../server-options.ts";
import { clientFindings } from "./client-findings.ts";
import { answerIn, CONVERSATIONS, isAnswered, type CallAnswer } from "./conversation.ts";
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
  yield hostFileText("/proc/self/stat") === undefined
    ? { state: "fail", what: "/proc is not there: paths could be swapped under a call, and memory could not be watched" }
    : { state: "ok", what: "/proc is there" };
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
  yield* handshakes(root, policy);
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

/** One call in each era, through the whole server but for the process it would be. */
async function* handshakes(root: string, policy: Policy): AsyncGenerator<Finding> {
  for (const era of ["2025-11-25", "2026-07-28"] as const) {
    const startedMs = performance.now();
    const answer = await firstAnswer(root, policy, era);
    const took = `${Math.round(performance.now() - startedMs)} ms`;
    yield isAnswered(answer)
      ? { state: "ok", what: `protocol ${era}: a call was answered ${took} after the start of the shell` }
      : { state: "fail", what: `protocol ${era}: the answer was ${JSON.stringify(answer)}` };
  }
}

async function firstAnswer(root: string, policy: Policy, era: keyof typeof CONVERSATIONS): Promise<CallAnswer | undefined> {
  const service = await createShellService({ root, policy, aliases: [], isolation: "process" });
  const input = new PassThrough();
  const output = new PassThrough();
  const stop = new AbortController();
  const served = serveOverStdio(service, {
    ...serverOptions(policy, { rawOutput: false, log: () => {} }),
    input,
    output,
    stop: stop.signal,
  });
  input.end(CONVERSATIONS[era]);
  let heard = "";
  output.setEncoding("utf8");
  output.on("data", (piece: string) => (heard += piece));
  await served;
  await service.close();
  return answerIn(heard);
}
