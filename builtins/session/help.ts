/** `help`: what there is; `help NAME`: one builtin's page. */
import { TOPICS, type BuiltinTopic, type Catalogue } from "../../src/builtin/catalogue.ts";
import { defineBuiltin, type Invocation } from "../../src/builtin/definition.ts";
import { helpText } from "../../src/builtin/help.ts";
import type { NamedPipelineFacts, ServerFacts } from "../../src/builtin/server-facts.ts";
import { nearest } from "../../src/builtin/nearest.ts";
import { quoteWord } from "../../src/display/quote.ts";
import { toBytes } from "../../src/io/text.ts";

export const help = defineBuiltin({
  name: "help",
  summary: "List the commands there are by what they do, or print the page of each one named, or a line for each of a group.",
  standard: "https://www.gnu.org/software/bash/manual/bash.html#index-help",
  reference: "no other tool: bash's help describes bash",
  operands: { kind: "values" },
  flags: {},
  tells: "start",
  examples: [{ command: "help true | head -n 1", stdout: "Usage: true [OPERAND]...\n", note: "the page of one command" }],
  deviations: [
    {
      from: "bash 5.2",
      what: "help lists the builtins of this server and prints their own pages",
      why: "bash's help describes builtins of bash that do not exist here",
    },
  ],
  async *run({ operands, catalogue, server, warn }: Invocation) {
    const pipelines = server?.pipelines ?? [];
    if (operands.length === 0) {
      yield toBytes(await overview(catalogue, pipelines, server?.writing ?? "commands"));
      return 0;
    }
    let status = 0;
    let printed = false;
    for (const operand of operands) {
      const pipeline = pipelines.find(({ name }) => `@${name}` === operand);
      if (pipeline !== undefined) {
        yield toBytes(`${printed ? "\n" : ""}${pipelineText(pipeline)}`);
        printed = true;
        continue;
      }
      const definition = await catalogue.load(operand);
      const topic = definition === undefined ? await topicText(operand, catalogue) : undefined;
      if (topic !== undefined) {
        yield toBytes(`${printed ? "\n" : ""}${topic}`);
        printed = true;
        continue;
      }
      if (definition === undefined) {
        const near = nearest(operand, [...catalogue.names(), ...pipelines.map(({ name }) => `@${name}`)]);
        warn(`no command is called ${quoteWord(operand)}${near === undefined ? "; help alone lists them all" : `; did you mean ${near}?`}`);
        status = 1;
        continue;
      }
      yield toBytes(`${printed ? "\n" : ""}${helpText(definition, operand)}`);
      printed = true;
    }
    return status;
  },
});

const LANGUAGE = `Commands are joined as in any shell:
  a | b        b reads what a prints; |& takes standard error along
  a && b       b runs if a ends with 0; a || b: if it does not; a ; b: always
  ! a          the exit status the other way round
  ( a ; b )    a group with a current directory of its own; { a ; b ; } without
  'x' "x" $'x' \\x      quotes and escapes
  *  ?  [a-z]  {a,b}  ~      names of files; ~ is the root
  x=1  $x  \${x:-a}  \${x%.ts}  $( a )  $((x + 1))      values; they last for one call
  for f in *; do a "$f"; done      a | while IFS= read -r x; do b "$x"; done
  if a; then b; else c; fi    case $x in *.ts) a;; esac    [[ $x == a* && -f $x ]]
  f() { b "$1"; }    a=(x y); b "\${a[@]}"    functions and arrays
  < FILE  <( a )  2>/dev/null  2>&1  <<'EOF'  <<<      redirections that read, and those that name no file
  > /tmp/x  >> /tmp/x  t=$(mktemp)      temporary files: /tmp is this session's own, and is gone with it
`;

/** "@errors n=N file=FILE". */
function callLine({ name, arguments: wanted }: NamedPipelineFacts): string {
  return [`@${name}`, ...Object.keys(wanted).map((key) => `${key}=${key.toUpperCase()}`)].join(" ");
}

function pipelineText(pipeline: NamedPipelineFacts): string {
  const { command, description, arguments: wanted } = pipeline;
  const keys = Object.entries(wanted).map(([key, what]) => `  ${key}${what === "" ? "" : `  ${what}`}\n`);
  const page = [
    `Usage: ${callLine(pipeline)}\n${description === "" ? "" : `${description}\n`}`,
    ...(keys.length === 0 ? [] : [`Arguments (each once; a value is one text):\n${keys.join("")}`]),
    `Runs:\n  ${command.trimEnd().replaceAll("\n", "\n  ")}\n`,
  ];
  return page.join("\n");
}

const WRITING = "Files of the workspace are written with";
const WRITERS: readonly (readonly [name: string, text: string])[] = [
  ["tee", "tee (tee -a adds to the end)"],
  ["sed", "sed -i"],
  ["sort", "sort -o"],
  ...["patch", "cp", "mv", "rm", "mkdir", "touch"].map((name) => [name, name] as const),
];

/** The way in which files of the workspace are changed here. */
function writingText(catalogue: Catalogue, writing: ServerFacts["writing"]): string {
  if (writing === "nothing") return "The workspace is read-only.\n";
  const commands = WRITERS.filter(([name]) => catalogue.has(name)).map(([, text]) => text);
  const undone = catalogue.has("undo") ? "; undo takes it back" : "";
  return writing === "redirections"
    ? `${WRITING} > FILE and >> FILE,\nand with ${commands.join(", ")}${undone}.\n`
    : `${WRITING} ${commands.join(", ")},\nnot with > or >>${undone}.\n`;
}

async function overview(catalogue: Catalogue, pipelines: readonly NamedPipelineFacts[], writing: ServerFacts["writing"]): Promise<string> {
  const topics = [...topicsOf(catalogue)].map(([topic, names]) => topicLines(topic ?? "other", names));
  const named = pipelines.map((pipeline) => `  ${callLine(pipeline)}${pipeline.description === "" ? "" : `  ${pipeline.description}`}\n`);
  const calls = named.length === 0 ? "" : `\nNamed pipelines of this server, stages like any other:\n${named.join("")}`;
  return `${LANGUAGE}${writingText(catalogue, writing)}\nCommands (help NAME: its page; help searching: a line for each of that group):\n${topics.join("")}${calls}`;
}

/** The names behind the topic, in lines of some 120 columns. */
function topicLines(topic: string, names: readonly string[]): string {
  const lines: string[] = [];
  for (const name of names) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + name.length < NAMES_WIDTH) lines[lines.length - 1] = `${last} ${name}`;
    else lines.push(name);
  }
  return lines.map((line, at) => `  ${(at === 0 ? topic : "").padEnd(TOPIC_WIDTH)}  ${line}\n`).join("");
}

const NAMES_WIDTH = 106;
const TOPIC_WIDTH = Math.max(...TOPICS.map((topic) => topic.length));

/** Names by topic, in the order of `help`. */
function topicsOf(catalogue: Catalogue): ReadonlyMap<BuiltinTopic | undefined, readonly string[]> {
  const topics = [...TOPICS, undefined].map(
    (topic) => [topic, catalogue.names().filter((name) => catalogue.topic(name) === topic)] as const,
  );
  return new Map(topics.filter(([, names]) => names.length > 0));
}

/** A line for each command of a topic; undefined where `operand` is none. */
async function topicText(operand: string, catalogue: Catalogue): Promise<string | undefined> {
  const names = [...topicsOf(catalogue)].find(([topic]) => topic === operand)?.[1];
  if (names === undefined) return undefined;
  const width = Math.max(...names.map((name) => name.length));
  const definitions = await Promise.all(names.map((name) => catalogue.load(name)));
  return names.map((name, at) => `  ${name.padEnd(width)}  ${definitions[at]?.summary ?? ""}\n`).join("");
}
