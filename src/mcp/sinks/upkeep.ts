/**
 * Upkeep of a workspace's records while it is watched: anchors for the sinks, and archives of what is old. Both read all of the journal,
 * so they are commands of ours in a process of their own, and no call waits for them.
 */
import { CHAIN_BROKEN, HEAD_LOST, parseAnchor } from "../../audit/ship/anchor.ts";
import type { JournalSince } from "../../audit/ship/place.ts";
import type { AuditSettings } from "../../config/server/audit-settings.ts";
import { type OwnCommandEnd, runOwnCommand } from "../../exec/own-command.ts";
import { madeHostDirectory } from "../../host/host-file.ts";
import type { NotedEvent } from "../server-events.ts";
import type { Shipper } from "./shipper.ts";
import type { Turns } from "./turns.ts";

const MINUTE_MS = 60_000;
/** First look for records that are old enough, and the interval between looks, in milliseconds. */
const FIRST_PRUNE_MS = 5 * MINUTE_MS;
const PRUNE_MS = 6 * 60 * MINUTE_MS;
/** Longest time of a command, in milliseconds. */
const COMMAND_MS = 10 * MINUTE_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Longest time for the head to be signed when a workspace is closed, in milliseconds. */
const CLOSING_MS = 5000;

export interface UpkeepOptions {
  readonly settings: AuditSettings;
  readonly name: string;
  readonly root: string;
  readonly shippers: readonly Shipper[];
  /** Those of commands in the server, each of which is a process. */
  readonly turns: Turns;
  /** The journal since the workspace was closed, where its head was signed then. */
  readonly sinceClosed: JournalSince;
  readonly log: (event: NotedEvent) => void;
  readonly run?: typeof runOwnCommand;
}

export class Upkeep {
  readonly #options: UpkeepOptions;
  readonly #run: typeof runOwnCommand;
  readonly #end = new AbortController();
  readonly #timers = new Set<NodeJS.Timeout>();
  /** One command at a time: a prune and the reading of a head would disturb each other. */
  #last: Promise<void> = Promise.resolve();
  #trouble = "";

  constructor(options: UpkeepOptions) {
    this.#options = options;
    this.#run = options.run ?? runOwnCommand;
    const { settings, shippers, sinceClosed } = options;
    const { anchorKeyFile, anchorMinutes, keepDays } = settings;
    if (anchorKeyFile !== undefined && shippers.length > 0) {
      const everyMs = anchorMinutes * MINUTE_MS;
      const lastMs = Math.min(...shippers.map(({ place }) => place.notices.anchoredMs));
      const dueMs = Math.min(everyMs, Math.max(0, lastMs + everyMs - Date.now()));
      if (sinceClosed !== "same") this.#tellSinceClosed(sinceClosed);
      this.#at(sinceClosed === "same" ? dueMs : 0, everyMs, () => this.anchor(anchorKeyFile));
    }
    if (keepDays !== undefined) this.#at(FIRST_PRUNE_MS, PRUNE_MS, () => this.prune(keepDays));
  }

  /**
   * Signs the head of the chain for the sinks, where it is new, after a look at all of the journal: that it still has the head that was
   * signed last. Where it has not, that is told to the operator and to the sinks before another head is signed.
   */
  async anchor(keyFile: string): Promise<void> {
    const { shippers } = this.#options;
    if (shippers.every((shipper) => shipper.hasAnchor || isEmpty(shipper))) return;
    const last = shippers.map(({ place }) => place.notices.anchor).reduce(later, undefined);
    if (await this.#anchored(keyFile, last)) await this.#anchored(keyFile, undefined);
  }

  /** True where the journal no longer has the head of the anchor `after`. */
  async #anchored(keyFile: string, after: string | undefined): Promise<boolean> {
    const { name, root, shippers } = this.#options;
    const behind = after === undefined ? [] : ["--after", after];
    const argv = ["audit", "anchor", "--root", root, "--workspace", name, "--key", keyFile, "--json", ...behind];
    const { status, stdout, stderr } = await this.#runInTurn(argv);
    const isLost = stderr.includes(HEAD_LOST);
    if (isLost || (stderr.includes(CHAIN_BROKEN) && !this.#isRepeated("anchor", stderr))) {
      const { id, sha256, time } = after === undefined ? {} : parseAnchor(after);
      const facts = { found: stderr.trim(), ...(id === undefined ? {} : { anchored: { id, sha256, time } }) };
      for (const shipper of shippers) shipper.headNotice(isLost ? "anchor-lost" : "anchor-refused", facts);
    }
    if (this.#told("anchor", status, stderr)) return isLost;
    const text = stdout.trim();
    const { id, time } = parseAnchor(text);
    for (const shipper of shippers) shipper.anchor({ id, time, text });
    return false;
  }

  #tellSinceClosed(since: Exclude<JournalSince, "same">): void {
    const { name, shippers, log } = this.#options;
    log({ level: "warning", workspace: name, message: SINCE_CLOSED[since] });
    if (since === "other") return;
    for (const shipper of shippers) shipper.headNotice("written-unwatched", { after: shipper.place.journal.id });
  }

  /** Moves records older than `keepDays` into an archive, and none that a sink has not confirmed. */
  async prune(keepDays: number): Promise<void> {
    const { settings, name, root, shippers } = this.#options;
    const sentMs = shippers.map(({ place }) => Number(BigInt(place.journal.id) / 1_000_000n));
    const beforeMs = Math.min(Date.now() - keepDays * DAY_MS, ...sentMs);
    if (beforeMs <= 0) return;
    const before = new Date(beforeMs).toISOString();
    const directory = madeHostDirectory(`${settings.state}/archives/${name}`);
    const archive = `${directory}/${new Date().toISOString().replaceAll(":", "")}.tar.gz`;
    const argv = ["audit", "prune", "--root", root, "--before", before, "--archive", archive];
    const { status, stdout, stderr } = await this.#runInTurn(argv);
    if (stderr.includes(NOTHING_OLD) || this.#told("prune", status, stderr)) return;
    this.#options.log({ level: "info", workspace: name, message: `audit: ${stdout.trim().replaceAll("\n", "; ")}` });
  }

  /** Has the head signed once more, where it is new, in five seconds at most and until `hurry`; and ends. */
  async close(hurry?: AbortSignal): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    const { anchorKeyFile } = this.#options.settings;
    if (anchorKeyFile !== undefined && this.#isHeadNew && hurry?.aborted !== true) {
      const end = (): void => this.#end.abort();
      const timer = setTimeout(end, CLOSING_MS);
      hurry?.addEventListener("abort", end, { once: true });
      await this.#inOrder(() => this.anchor(anchorKeyFile));
      clearTimeout(timer);
    }
    this.#end.abort();
    await this.#last;
  }

  get #isHeadNew(): boolean {
    return this.#options.shippers.some(
      ({ isUnfinished, place }) => isUnfinished || (place.journal.id !== "0" && place.journal.id !== place.notices.anchored),
    );
  }

  async #runInTurn(argv: readonly string[]): Promise<OwnCommandEnd> {
    const { signal } = this.#end;
    const giveBack = await this.#options.turns.take(signal);
    if (giveBack === undefined) return { status: undefined, stdout: "", stderr: "" };
    try {
      return await this.#run(argv, COMMAND_MS, signal);
    } finally {
      giveBack();
    }
  }

  #inOrder(work: () => Promise<void>): Promise<void> {
    this.#last = this.#last
      .then(work)
      .catch((thrown: unknown) => void this.#told("upkeep", 1, thrown instanceof Error ? thrown.message : String(thrown)));
    return this.#last;
  }

  /** Begins `work` after `firstMs`, and `everyMs` after its end again. */
  #at(firstMs: number, everyMs: number, work: () => Promise<void>): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (this.#end.signal.aborted) return;
      void this.#inOrder(work).then(() => this.#at(everyMs, everyMs, work));
    }, firstMs).unref();
    this.#timers.add(timer);
    if (this.#end.signal.aborted) clearTimeout(timer);
  }

  /** True where the command failed; says so once for each reason. */
  #told(what: string, status: number | undefined, stderr: string): boolean {
    if (status === 0) {
      this.#trouble = "";
      return false;
    }
    if (this.#end.signal.aborted) return true;
    const message = messageOf(what, stderr);
    if (message !== this.#trouble) this.#options.log({ level: "error", workspace: this.#options.name, message });
    this.#trouble = message;
    return true;
  }

  #isRepeated(what: string, stderr: string): boolean {
    return this.#trouble === messageOf(what, stderr);
  }
}

const SINCE_CLOSED = {
  longer: "audit: lines were recorded while no server watched the workspace, behind the head that was signed at its closing",
  other: "audit: the journal is not as it was when its head was signed at the closing of the workspace: it was pruned, or it is another",
} as const;

const messageOf = (what: string, stderr: string): string => `audit ${what}: ${stderr.trim() || "took too long, or was ended"}`;

/** True where nothing was recorded, nor signed. */
const isEmpty = ({ isUnfinished, place: { journal, notices } }: Shipper): boolean =>
  !isUnfinished && journal.id === "0" && notices.anchored === "0";

/** The one of two anchors, in JSON, that was made later. */
function later(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return parseAnchor(one).time < parseAnchor(other).time ? other : one;
}

/** Words of `prunable` where there is nothing to do. */
const NOTHING_OLD = "there is no record as old as that";
