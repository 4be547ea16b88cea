/** Rules on what needs no import: globals that evaluate text, load modules, reach the network, the process or the clock. */
import { child, children, declaredIn, nameOf, type Place, propertyOf, type Source, textOf } from "./source.ts";

/** Code that a browser runs. */
const PAGE_CODE = "src/cli/viewer/page/";

/** Globals by the files and folders that use them. In all others only a module's own declaration has such a name. */
const GLOBALS: Readonly<Record<string, readonly string[]>> = {
  eval: [],
  Function: [],
  require: [],
  global: [],
  fetch: [PAGE_CODE, "src/mcp/http/issuer-keys.ts"],
  WebSocket: [],
  EventSource: [],
  XMLHttpRequest: [],
  navigator: [PAGE_CODE],
  BroadcastChannel: [],
  SharedWorker: [],
  globalThis: ["src/host/no-network.ts"],
  Reflect: ["src/host/no-network.ts"],
  Worker: ["src/exec/", "src/wasm/"],
  WebAssembly: ["src/wasm/", "src/io/vector-functions.ts"],
  crypto: ["src/compare/key-numbers.ts"],
  console: [],
  process: ["src/"],
  performance: ["src/"],
  setTimeout: ["src/"],
  setInterval: ["src/"],
  Intl: ["src/dates/", "src/io/graphemes.ts", PAGE_CODE],
};

/** Members of `process`, by who uses them; its others, and `process` as a value, nobody does. */
const PROCESS: Readonly<Record<string, readonly string[]>> = {
  argv: ["src/cli/", "src/host/own-arguments.ts"],
  constrainedMemory: ["src/cli/serve-workspaces.ts"],
  cpuUsage: ["src/host/process-figures.ts", "src/host/processor-time.ts"],
  memoryUsage: ["src/host/process-figures.ts", "src/host/process-memory.ts"],
  env: ["src/cli/", "src/exec/", "src/adapters/agent-tool.ts"],
  execPath: ["src/config/load.ts", "src/cli/init/", "src/cli/doctor/"],
  exit: ["src/cli/", "src/exec/executor.ts"],
  exitCode: ["src/cli/"],
  getegid: ["src/workspace/workspace.ts", "src/cli/init/place.ts"],
  geteuid: [
    "src/workspace/workspace.ts",
    "src/workspace/mount/scratch-base.ts",
    "src/host/private-directory.ts",
    "src/cli/hook/hook-socket.ts",
    "src/cli/init/place.ts",
  ],
  kill: ["src/exec/watchdog.ts", "src/workspace/write/process-identity.ts"],
  listenerCount: ["src/workspace/mount/scratch-base.ts"],
  off: ["src/cli/", "src/workspace/mount/scratch-base.ts"],
  on: ["src/cli/", "src/exec/executor.ts", "src/workspace/mount/scratch-base.ts"],
  once: ["src/cli/"],
  permission: ["src/workspace/write/write-directory.ts", "src/workspace/walk/descriptor.ts"],
  pid: [
    "src/cli/mcp-arguments.ts",
    "src/exec/watchdog.ts",
    "src/workspace/write/process-identity.ts",
    "src/workspace/write/lock-owner.ts",
    "src/workspace/mount/scratch-base.ts",
  ],
  platform: ["src/cli/", "src/io/platform.ts", "src/workspace/"],
  ppid: ["src/exec/"],
  send: ["src/exec/executor.ts"],
  stderr: ["src/cli/", "src/adapters/agent-tool.ts"],
  stdin: ["src/cli/"],
  stdout: ["src/cli/"],
  versions: ["src/exec/executor-process.ts", "src/host/process-figures.ts", "src/cli/doctor/"],
};

/** Where `process` itself is given on: a name is taken away from it. */
const PROCESS_AS_VALUE = "src/host/no-network.ts";

const META = ["src/exec/executor-process.ts", "src/host/own-code.ts"];

export function complaintsOfPowers(source: Source): string[] {
  const { path, placesOf } = source;
  const own = declaredIn(source);
  const identifiers = placesOf("Identifier").filter(
    (place) => !isProperty(place) && place.parent?.type !== "TSTypeReference" && !own.has(nameOf(place.node)),
  );
  const found = [
    ...identifiers.filter(({ node }) => Object.hasOwn(GLOBALS, nameOf(node)) && !within(path, GLOBALS[nameOf(node)])),
    ...identifiers.filter((place) => nameOf(place.node) === "process" && path !== PROCESS_AS_VALUE && !isMemberOfProcess(path, place)),
    ...(path.startsWith("builtins/") ? identifiers.filter(isClockOrChance) : []),
    ...placesOf("MetaProperty").filter(
      ({ node, parent, key }) =>
        nameOf(child(node, "meta")) === "import" &&
        !(key === "object" && parent !== undefined && propertyOf(parent) === "url" && META.includes(path)),
    ),
    // A function's constructor makes functions of text.
    ...placesOf("MemberExpression").filter(({ node }) => propertyOf(node) === "constructor"),
    ...placesOf("ObjectPattern").filter(({ node }) =>
      children(node, "properties").some((property) => nameOf(child(property, "key")) === "constructor"),
    ),
  ];
  return found.map(({ node, parent }) => `${path}: ${textOf(source, node.type === "Identifier" ? (parent ?? node) : node)}`);
}

/** `x.name` and `{ name: x }`: a name that is no variable's. A shorthand is one. */
function isProperty({ parent, key }: Place): boolean {
  if (parent?.type === "ImportSpecifier") return key === "imported";
  if (parent?.type === "MemberExpression") return key === "property" && parent["computed"] !== true;
  return key === "key" && parent?.["computed"] !== true && parent?.["shorthand"] !== true;
}

const isMemberOfProcess = (path: string, { parent, key }: Place): boolean =>
  parent?.type === "MemberExpression" && key === "object" && parent["computed"] !== true && within(path, PROCESS[propertyOf(parent) ?? ""]);

/** `Date` but for `new Date(…)` of a given instant and `Date.parse`; `Math` as a value, and `Math.random`. */
function isClockOrChance({ node, parent, key }: Place): boolean {
  const name = nameOf(node);
  if (name !== "Date" && name !== "Math") return false;
  if (parent?.type === "NewExpression" && key === "callee") return name === "Math" || children(parent, "arguments").length === 0;
  if (parent?.type !== "MemberExpression" || key !== "object") return true;
  const member = propertyOf(parent);
  return member === undefined || (name === "Date" ? member !== "parse" && member !== "UTC" : member === "random");
}

const within = (path: string, allowed: readonly string[] | undefined): boolean =>
  allowed?.some((place) => path === place || (place.endsWith("/") && path.startsWith(place))) === true;
