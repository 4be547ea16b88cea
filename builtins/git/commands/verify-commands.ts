/** git verify-commit and verify-tag, as far as nothing is signed: a signature is checked by a program, and none is started here. */
import { fromWord } from "../objects/byte-text.ts";
import { GitError } from "../git-error.ts";
import { resolveRevision } from "../refs/revision.ts";
import { command, type CommandRun, type Running } from "./command.ts";
import { refused, SWITCH } from "./flags.ts";

const SIGNED = "is signed, and checking a signature starts a program";

/** Begins a signature at the end of a tag. */
const SIGNATURE = /^-----BEGIN (?:PGP SIGNATURE|PGP MESSAGE|SIGNED MESSAGE|SSH SIGNATURE)-----/m;

type VerifyRun = CommandRun<"-v" | "--verbose" | "--raw">;

const VERIFY_FLAGS = { "-v": SWITCH, "--verbose": SWITCH, "--raw": SWITCH } as const;

export const verifyCommit = command({
  flags: VERIFY_FLAGS,
  *run(run) {
    return yield* verified(run, "commit");
  },
});

export const verifyTag = command({
  flags: {
    ...VERIFY_FLAGS,
    "--format": refused("only tags whose signature is good are printed so", "git tag -l --format='%(tag)'", "value"),
  },
  *run(run) {
    return yield* verified(run, "tag");
  },
});

function* verified({ options, repository, print, complain }: VerifyRun, kind: "commit" | "tag"): Running {
  const typed = [...options.operands, ...(options.paths ?? [])].map(fromWord);
  if (typed.length === 0) throw new GitError(`usage: git verify-${kind} [-v | --verbose] [--raw] <${kind}>...`, { prefix: "", exit: 129 });
  const isVerbose = options.has("-v", "--verbose");
  // Statuses of a program are printed with --raw, and no program runs.
  if (options.has("--raw") && isVerbose) throw new GitError("--raw is not done here beside -v");
  for (const name of typed) {
    const id = resolveRevision(repository, name);
    const object = id === undefined ? undefined : repository.objects.find(id);
    if (object === undefined) {
      complain(`error: ${kind} '${name}' not found.\n`);
      continue;
    }
    if (object.type !== kind) {
      complain(`error: ${name}: cannot verify a non-${kind} object of type ${object.type}.\n`);
      continue;
    }
    const text = object.data.toString("latin1");
    const headers = text.slice(0, text.indexOf("\n\n"));
    const isSigned = kind === "commit" ? headers.includes(`\n${repository.format.signatureHeader} `) : SIGNATURE.test(text);
    if (isSigned) throw new GitError(`${name} ${SIGNED}`);
    if (kind === "commit") continue;
    if (isVerbose) print(text);
    complain("error: no signature found\n");
    yield;
  }
  return 1;
}
