/** git format-patch --stdout: commits as a mailbox, the oldest first. Without --stdout it writes files, and is refused. */
import { fromWord } from "../objects/byte-text.ts";
import { DIFF_FLAGS } from "../diff/diff-flags.ts";
import { diffSettings, type DiffFormat, type DiffSettings } from "../diff/diff-options.ts";
import { GitError } from "../git-error.ts";
import { CommitPrinter, type CommitFlag } from "../log/commit-printer.ts";
import { chosenCommits, historyRequest, type HistoryFlag } from "../log/history-request.ts";
import { PLAIN_MAIL, type MailRules } from "../log/mail.ts";
import { PRETTY_FLAGS, WALK_FLAGS, WALK_REFUSED } from "../log/walk-flags.ts";
import { parseSignature, type Commit } from "../objects/objects.ts";
import { splitRevisions } from "../refs/revision-arguments.ts";
import { resolveRange } from "../refs/revision.ts";
import { command, type CommandRun } from "./command.ts";
import { limited, noEffect, OPTIONAL, refused, refusedAll, SWITCH, VALUE, type NamesRead } from "./flags.ts";
import type { Options } from "./options.ts";

const WORKS = "git format-patch --stdout -1";
const FILES = "files are not written here, and mail goes to standard output as it is";
const HOST = "it names who runs git, which the repository does not say";
const SERIES = "the commits of a range are printed in their order, each once";
const COVER = "a cover letter names who runs git, and the time";
const FORMATS = "a mail holds a whole patch";

const FORMAT_PATCH_FLAGS = {
  ...DIFF_FLAGS,
  ...WALK_FLAGS,
  ...WALK_REFUSED,
  "--full-diff": SWITCH,
  "--stdout": SWITCH,
  "-n": SWITCH,
  "--numbered": SWITCH,
  "-N": SWITCH,
  "--no-numbered": SWITCH,
  "--start-number": VALUE,
  "-k": SWITCH,
  "--keep-subject": SWITCH,
  "--root": SWITCH,
  "--subject-prefix": VALUE,
  "--rfc": SWITCH,
  "-v": VALUE,
  "--reroll-count": VALUE,
  "--no-stat": SWITCH,
  "--zero-commit": SWITCH,
  "--always": SWITCH,
  "--no-binary": SWITCH,
  "--signature": VALUE,
  "--no-signature": SWITCH,
  "--to": VALUE,
  "--no-to": SWITCH,
  "--cc": VALUE,
  "--no-cc": SWITCH,
  "--add-header": VALUE,
  "--no-add-header": SWITCH,
  "--in-reply-to": VALUE,
  "--from": limited(OPTIONAL, (value) => (value === undefined ? [HOST, `${WORKS} --from='A <a@example.org>'`] : undefined)),
  "--no-from": SWITCH,
  "--force-in-body-from": SWITCH,
  "--no-force-in-body-from": SWITCH,
  "--encode-email-headers": PRETTY_FLAGS["--encode-email-headers"],
  "--no-encode-email-headers": PRETTY_FLAGS["--no-encode-email-headers"],
  "--notes": OPTIONAL,
  "--show-notes": OPTIONAL,
  "--no-notes": SWITCH,
  "--expand-tabs": OPTIONAL,
  "--no-expand-tabs": SWITCH,
  "--pretty": limited(VALUE, (value) => (/^(email|mboxrd)$/.test(value ?? "") ? undefined : ["patches are mail", WORKS])),
  "--numbered-files": noEffect(FILES),
  "--suffix": noEffect(FILES, "value"),
  "--filename-max-length": noEffect(FILES, "value"),
  "-q": noEffect(FILES),
  "--quiet": noEffect(FILES),
  "--no-thread": noEffect("mails do not name each other unless asked"),
  "--no-cover-letter": noEffect("there is no cover letter here"),
  "--no-base": noEffect("a base is not named here"),
  "--no-attach": noEffect("patches are never attached here"),
  "--no-signoff": noEffect("nothing is signed off here"),
  "--no-progress": noEffect("there is no terminal"),
  ...refusedAll(["-o", "--output-directory"], "files are not written here; --stdout prints the patches", WORKS, "value"),
  ...refusedAll(["-s", "--signoff"], HOST, WORKS),
  "--cover-letter": refused(COVER, WORKS),
  ...refusedAll(["--cover-from-description", "--interdiff", "--range-diff", "--creation-factor"], COVER, WORKS, "value"),
  ...refusedAll(["--attach", "--inline"], "patches are not attached here, and stand below the message", WORKS),
  ...refusedAll(["--thread"], "ids of messages hold the time", WORKS),
  "--base": refused("the commits that a base needs are not listed here", WORKS, "value"),
  "--signature-file": refused("the signature is given in the line", `${WORKS} --signature=TEXT`, "value"),
  "--ignore-if-in-upstream": refused("git log --cherry-pick names the commits that the other side lacks", WORKS),
  "--progress": refused("there is no terminal", WORKS),
  ...refusedAll(["-c", "-m"], "merges have no patches", WORKS),
  ...refusedAll(["-z", "--no-patch", "--check"], FORMATS, WORKS),
  ...refusedAll(["-g", "--walk-reflogs", "--follow", "--no-walk", "--do-walk"], SERIES, WORKS),
  ...refusedAll(
    [
      ...(["--graph", "--no-graph", "--reverse", "--boundary", "--left-right", "--left-only", "--right-only", "--cherry-pick"] as const),
      ...(["--cherry-mark", "--cherry", "--parents", "--children", "--grep-reflog", "--simplify-by-decoration", "--not"] as const),
      ...(["--all", "--branches", "--tags", "--remotes", "--glob", "--exclude", "--ignore-missing"] as const),
    ],
    SERIES,
    WORKS,
  ),
} as const;

type FormatPatchFlag = NamesRead<typeof FORMAT_PATCH_FLAGS>;
type FormatPatchRun = CommandRun<FormatPatchFlag>;

export const formatPatch = command({
  flags: FORMAT_PATCH_FLAGS,
  takesNumbers: true,
  numberFlag: "--max-count",
  readsRevisions: true,
  anywhere: "all",
  check: (options) =>
    options.has("--stdout")
      ? undefined
      : ["git format-patch writes a file for each commit; with --stdout it prints them", WORKS, { flag: "--stdout", lost: "the files" }],
  *run(run) {
    const { repository, options, print } = run;
    const { config } = repository;
    const unread = UNREAD_SETTINGS.find((name) => (config.get(name) ?? "") !== "");
    if (unread !== undefined) throw new GitError(`${unread} is set, which is not read here`);
    const keeps = options.has("-k", "--keep-subject");
    const counting = options.lastOf("-n", "--numbered", "-N", "--no-numbered");
    const configured = config.get("format.numbered")?.toLowerCase() ?? "auto";
    const isWanted = configured !== "auto" && config.boolean("format.numbered", false);
    const isNumbered = counting === undefined ? isWanted : counting === "-n" || counting === "--numbered";
    const countsSeries = counting !== "-N" && counting !== "--no-numbered" && (configured === "auto" || isWanted);
    if (isNumbered && keeps) throw new GitError("options '-n' and '-k' cannot be used together");
    if (keeps && options.has("--subject-prefix", "--rfc"))
      throw new GitError("options '--subject-prefix/--rfc' and '-k' cannot be used together");
    const diff = patchSettings(run);
    const commits = commitsOf(run);
    const start = startNumber(options);
    const isCounted = !keeps && (isNumbered || (countsSeries && commits.length > 1));
    const total = isCounted ? commits.length + start - 1 : undefined;
    const { paths } = splitRevisions(repository, options);
    const printer = new CommitPrinter({ ...run, options: asLog(options) }, diff, {
      mergeDiff: "none",
      paths: options.has("--full-diff") ? undefined : paths,
      skipsUnchanged: !options.has("--always"),
      mail: rulesOf(run, keeps),
    });
    const isSigned = options.lastOf("--signature", "--no-signature") !== "--no-signature";
    const typed = options.last("--signature");
    const signature = !isSigned ? "" : typed === undefined ? (config.get("format.signature") ?? VERSION) : fromWord(typed);
    for (const [index, commit] of commits.entries()) {
      const number = total === undefined ? undefined : `${String(start + index).padStart(String(total).length, "0")}/${total}`;
      const isShown = yield* printer.print({ commit, mail: { number } });
      if (isShown && signature !== "") print(`-- \n${signature}${signature.endsWith("\n") ? "" : "\n"}\n`);
    }
    return 0;
  },
});

const VERSION = "2.39.5";

/** Settings that would change a mail, or need what the repository does not hold. */
const UNREAD_SETTINGS = [
  ...["format.headers", "format.to", "format.cc", "format.attach", "format.thread", "format.signoff", "format.signaturefile"],
  ...["format.coverletter", "format.useautobase", "format.from", "format.forceinbodyfrom", "format.notes"],
];

/** The flags as the walk and the printer of git log read them. */
const asLog = (options: Options<FormatPatchFlag>): Options<CommitFlag> => {
  const kind = options.last("--pretty") ?? "email";
  return options
    .without("-n")
    .among<CommitFlag>()
    .after([{ name: "--pretty", value: kind }]);
};

function commitsOf(run: FormatPatchRun): Commit[] {
  const { repository, options } = run;
  const { revisions, paths } = splitRevisions(repository, options);
  const [only = "HEAD", ...more] = revisions;
  const range = more.length > 0 ? undefined : resolveRange(repository, only);
  const ids = [...(range?.include ?? []), ...(range?.exclude ?? [])];
  const isCounted = Number(options.last("--max-count") ?? "-1") >= 0;
  // One commit alone is where a branch began.
  const named =
    ids.length === 1 && !isCounted && !options.has("--root") ? [`^${ids[0] ?? ""}`, "HEAD"] : revisions.length === 0 ? ["HEAD"] : revisions;
  const walk = options
    .without("-n")
    .among<HistoryFlag>()
    .after([{ name: "--max-parents", value: "1" }]);
  const request = { ...historyRequest({ ...run, options: walk }, { revisions: named }), paths };
  return [...chosenCommits(repository, request)].map(({ commit }) => commit).reverse();
}

function startNumber(options: Options<FormatPatchFlag>): number {
  const text = options.last("--start-number");
  if (text === undefined) return 1;
  if (!/^[0-9]+$/.test(text)) throw new GitError("option `start-number' expects a numerical value", { prefix: "error: ", exit: 129 });
  return Number(text);
}

function patchSettings({ options, repository }: FormatPatchRun): DiffSettings {
  const given = diffSettings(options.among(), repository.config, repository.prefix);
  for (const name of ["name-only", "name-status", "check"] as const)
    if (given.formats.has(name)) throw new GitError(`--${name} does not make sense`);
  const isBare = [...given.formats].every((format) => format === "patch") && !options.has("-p", "--no-stat");
  const formats = new Set<DiffFormat>([...(isBare ? (["stat", "summary"] as const) : given.formats), "patch"]);
  return {
    ...given,
    formats,
    isSilent: false,
    quiet: false,
    // The setting is for other commands.
    submodules: options.has("--submodule") ? given.submodules : { ...given.submodules, format: "short" },
    binary: !given.text && options.lastOf("--binary", "--no-binary") !== "--no-binary",
    statWidth: given.statWidthIsGiven ? given.statWidth : MAIL_COLUMNS,
    statWidthIsGiven: true,
  };
}

const MAIL_COLUMNS = 72;

function rulesOf({ options, repository }: FormatPatchRun, keepsSubject: boolean): MailRules {
  const { config } = repository;
  const titled = options.each("--subject-prefix", "--rfc").at(-1);
  const prefix =
    titled === undefined
      ? (config.get("format.subjectprefix") ?? "PATCH")
      : titled.name === "--rfc"
        ? "RFC PATCH"
        : fromWord(titled.value ?? "");
  const version = options.last("-v", "--reroll-count");
  const encoding = options.lastOf("--encode-email-headers", "--no-encode-email-headers");
  const sender = options.each("--from", "--no-from").at(-1);
  const reply = options.last("--in-reply-to");
  const id = reply === undefined ? "" : fromWord(reply).replace(/^[\s<]+|[\s>]+$/g, "");
  return {
    ...PLAIN_MAIL,
    subjectPrefix: version === undefined ? prefix : `${prefix} v${fromWord(version)}`,
    keepsSubject,
    encodesHeaders: encoding === undefined ? config.boolean("format.encodeemailheaders", true) : encoding === "--encode-email-headers",
    zeroId: options.has("--zero-commit") ? repository.format.noId : undefined,
    from: sender?.name === "--from" ? readSender(fromWord(sender.value ?? "")) : undefined,
    forcesAuthor: options.lastOf("--force-in-body-from", "--no-force-in-body-from") === "--force-in-body-from",
    firstHeaders: id === "" ? "" : `In-Reply-To: <${id}>\nReferences: <${id}>\n`,
    lastHeaders: headersOf(options),
  };
}

function readSender(text: string): MailRules["from"] {
  if (!/<[^>]*>/.test(text)) throw new GitError(`invalid ident line: ${text}`);
  const { name, mail } = parseSignature(text);
  return { name, mail };
}

function headersOf(options: Options<FormatPatchFlag>): string {
  let to: string[] = [];
  let copies: string[] = [];
  let others: string[] = [];
  for (const { name, value } of options.each("--to", "--no-to", "--cc", "--no-cc", "--add-header", "--no-add-header")) {
    const text = fromWord(value ?? "");
    if (name === "--to") to.push(text);
    else if (name === "--cc") copies.push(text);
    else if (name === "--add-header") {
      const header = text.replace(/\n+$/, "");
      const [all = "", which = ""] = /^(to|cc): /i.exec(header) ?? [];
      if (which === "") others.push(header);
      else (which.toLowerCase() === "to" ? to : copies).push(header.slice(all.length));
    } else if (name === "--no-to") to = [];
    else if (name === "--no-cc") copies = [];
    else {
      to = [];
      copies = [];
      others = [];
    }
  }
  const list = (name: string, people: readonly string[]): string => (people.length === 0 ? "" : `${name}: ${people.join(",\n    ")}\n`);
  return others.map((line) => `${line}\n`).join("") + list("To", to) + list("Cc", copies);
}
