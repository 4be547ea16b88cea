/** The members of an archive in order, with tar's words for what is wrong between them. */
import { LimitReached } from "../../src/io/limit-reached.ts";
import { toText } from "../../src/io/text.ts";
import type { Files } from "../../src/workspace/contract.ts";
import type { ArchiveBlocks } from "./archive-blocks.ts";
import { FatalError } from "./fatal-error.ts";
import { Header, headerState, type Complain } from "./header.ts";
import { nameMember, takeRecord, type Member } from "./member.ts";
import { paxRecords, untilZero, type PaxRecord } from "./pax-records.ts";

export interface ReaderOptions {
  /** Takes a message that makes the status 2. */
  readonly complain: Complain;
  /** Takes a message that leaves the status as it is. */
  readonly warn: (warning: Warning, message: string) => void;
  /** -i: blocks of zeros are no end. */
  readonly passesZeros: boolean;
  readonly numericOwner: boolean;
  /** The most that may be held of a name or an extended header, in bytes. */
  readonly heldBytes: number;
  readonly files: Pick<Files, "userNumber" | "groupNumber">;
}

export type Warning = "alone-zero-block" | "unknown-keyword" | "unknown-cast";

type State = { readonly kind: "member"; readonly read: () => Member } | { readonly kind: "zeros" | "end" | "broken" };

export class ArchiveReader {
  readonly #blocks: ArchiveBlocks;
  readonly #options: ReaderOptions;
  /** Records of the last global header: they hold for all members that follow. */
  #global: readonly PaxRecord[] = [];
  #before: State["kind"] | "start" = "start";

  constructor(blocks: ArchiveBlocks, options: ReaderOptions) {
    this.#blocks = blocks;
    this.#options = options;
  }

  /** The next member, whose data is to be read or passed over before the one after it; undefined at the end. Throws FatalError. */
  async next(): Promise<Member | undefined> {
    for (;;) {
      const before = this.#before;
      const state = await this.#read();
      this.#before = state.kind;
      switch (state.kind) {
        case "member":
          return state.read();
        case "end":
          return undefined;
        case "zeros": {
          if (this.#options.passesZeros) {
            this.#before = before;
            continue;
          }
          const alone = this.#blocks.ordinal;
          if ((await this.#read()).kind !== "zeros") this.#options.warn("alone-zero-block", `A lone zero block at ${alone}`);
          return undefined;
        }
        case "broken":
          if (before === "start") this.#options.complain("This does not look like a tar archive");
          if (before === "start" || before === "member" || before === "zeros") this.#options.complain("Skipping to next header");
      }
    }
  }

  async #read(): Promise<State> {
    const { complain } = this.#options;
    let longName: string | undefined;
    let longLink: string | undefined;
    const extended: Buffer[] = [];
    for (;;) {
      const block = await this.#blocks.next();
      if (block === undefined) return { kind: "end" };
      const state = headerState(block);
      if (state !== "good") return { kind: state };
      const header = new Header(block);
      const size = header.type === "1" ? 0n : header.size(complain);
      if (size === undefined) return { kind: "broken" };
      if (header.type === "L" || header.type === "K") {
        const text = toText(untilZero(await this.#held(size, () => complain(UNEXPECTED_END))));
        if (header.type === "L") longName = text;
        else longLink = text;
      } else if (header.type === "x" || header.type === "X" || header.type === "g") {
        const data = await this.#held(size, () => {
          throw new FatalError(UNEXPECTED_END);
        });
        if (header.type === "g") this.#global = [...paxRecords(data, complain)];
        else extended.push(data);
      } else {
        return { kind: "member", read: () => this.#member(header, size, { longName, longLink }, extended) };
      }
    }
  }

  /** `size` bytes from here on, as many as there are. */
  async #held(size: bigint, atEnd: () => void): Promise<Buffer> {
    const most = Math.min(this.#options.heldBytes, MOST_HEADER_BYTES);
    const parts: Buffer[] = [];
    let left = Number(size);
    for (let held = 0; left > 0; ) {
      const some = await this.#blocks.some(left);
      if (some === undefined) {
        atEnd();
        break;
      }
      held += some.length;
      if (held > most) throw new LimitReached("held", most, "bytes");
      parts.push(Buffer.from(some.subarray(0, left)));
      left -= some.length;
    }
    return Buffer.concat(parts);
  }

  #member(
    header: Header,
    size: bigint,
    { longName, longLink }: { readonly longName: string | undefined; readonly longLink: string | undefined },
    extended: readonly Buffer[],
  ): Member {
    const { complain, warn, numericOwner, files } = this.#options;
    header.mode(complain);
    const seconds = header.seconds(complain);
    const [userName, groupName] = [toText(header.userName()), toText(header.groupName())];
    const host = (name: string, find: (name: string) => number | undefined): bigint | undefined => {
      const number = numericOwner || name === "" ? undefined : find(name);
      return number === undefined ? undefined : BigInt(number);
    };
    const member: Member = {
      header,
      storedName: "",
      name: "",
      linkName: longLink ?? toText(header.linkName()),
      userName,
      groupName,
      userId: host(userName, (name) => files.userNumber(name)) ?? header.userId(complain),
      groupId: host(groupName, (name) => files.groupNumber(name)) ?? header.groupId(complain),
      modified: seconds * 1_000_000_000n,
      size,
      storedBytes: size,
      sparse: { major: undefined, realSize: undefined, pairs: 0n, map: [] },
    };
    nameMember(member, longName ?? toText(header.name()));
    const take = (record: PaxRecord): void => takeRecord(member, record, complain, (message) => warn("unknown-keyword", message));
    for (const record of this.#global) take(record);
    for (const data of extended) for (const record of paxRecords(data, complain)) take(record);
    if (header.type === "S" && header.format === "gnu") member.size = header.realSize(complain);
    else if (member.sparse.realSize !== undefined) member.size = member.sparse.realSize;
    return member;
  }
}

/** The longest name or extended header, in bytes: its records are held as objects. */
const MOST_HEADER_BYTES = 4 << 20;
export const UNEXPECTED_END = "Unexpected EOF in archive";
