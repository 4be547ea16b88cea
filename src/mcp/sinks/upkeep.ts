/**
 * Upkeep of a workspace's records while it is watched: anchors for the sinks, and archives of what is old. Both read all of the journal,
 * so they are commands of ours in a process of their own, and no call waits for them.
 */
import { parseAnchor } from "../../audit/ship/anchor.ts";
import type { AuditSettings } from "../../config/server/audit-settings.ts";
import { runOwnCommand } from "../../exec/own-command.ts";
import { madeHostDirectory } from "../../host/host-file.ts";
import type { NotedEvent } from "../server-events.ts";
import type { Shipper } from "./shipper.ts";

const MINUTE_MS = 60_000;
/** First look for records that are old enough, and the interval between looks, in milliseconds. */
const FIRST_PRUNE_MS = 5 * MINUTE_MS;
const PRUNE_MS = 6 * 60 * MINUTE_MS;
/** Longest time of a command, in milliseconds. */
const COMMAND_MS = 10 * MINUTE_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

export interface UpkeepOptions {
  readonly settings: AuditSettings;
  readonly name: string;
  readonly root: string;
  readonly shippers: readonly Shipper[];
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
    const { anchorKeyFile, anchorMinutes, keepDays } = options.settings;
    if (anchorKeyFile !== undefined && options.shippers.length > 0) {
      const everyMs = anchorMinutes * MINUTE_MS;
      // A workspace may be closed before the interval is over: the one that is due is made when it is next opened.
      const lastMs = Math.min(...options.shippers.map(({ place }) => place.notices.anchoredMs));
      this.#at(Math.min(everyMs, Math.max(0, lastMs + everyMs - Date.now())), everyMs, () => this.anchor(anchorKeyFile));
    }
    if (keepDays !== undefined) this.#at(FIRST_PRUNE_MS, PRUNE_MS, () => this.prune(keepDays));
  }

  /** Signs the head of the chain for the sinks, unless it is the one that was signed last. */
  async anchor(keyFile: string): Promise<void> {
    const { name, root, shippers } = this.#options;
    if (shippers.every(({ place }) => place.notices.anchor !== undefined || place.notices.anchored === place.journal.id)) return;
    const argv = ["audit", "anchor", "--root", root, "--workspace", name, "--key", keyFile, "--json"];
    const { status, stdout, stderr } = await this.#run(argv, COMMAND_MS, this.#end.signal);
    if (this.#told("anchor", status, stderr)) return;
    const text = stdout.trim();
    const { id, time } = parseAnchor(text);
    for (const shipper of shippers) shipper.anchor({ id, time, text });
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
    const { status, stdout, stderr } = await this.#run(argv, COMMAND_MS, this.#end.signal);
    if (stderr.includes(NOTHING_OLD) || this.#told("prune", status, stderr)) return;
    this.#options.log({ level: "info", workspace: name, message: `audit: ${stdout.trim().replaceAll("\n", "; ")}` });
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#end.abort();
    await this.#last;
  }

  /** Begins `work` after `firstMs`, and `everyMs` after its end again. */
  #at(firstMs: number, everyMs: number, work: () => Promise<void>): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (this.#end.signal.aborted) return;
      this.#last = this.#last
        .then(work)
        .catch((thrown: unknown) => void this.#told("upkeep", 1, thrown instanceof Error ? thrown.message : String(thrown)))
        .then(() => this.#at(everyMs, everyMs, work));
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
    const message = `audit ${what}: ${stderr.trim() || "took too long, or was ended"}`;
    if (message !== this.#trouble) this.#options.log({ level: "error", workspace: this.#options.name, message });
    this.#trouble = message;
    return true;
  }
}

/** Words of `prunable` where there is nothing to do. */
const NOTHING_OLD = "there is no record as old as that";
