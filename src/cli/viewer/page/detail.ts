/** One entry as it is opened: what is known of it, its difference, and what can be done about it. */
import type { EntryDetail } from "../entry-detail.ts";
import { announce, button, counted, facts, find, make, number, save, time } from "./elements.ts";
import { differenceTable } from "./difference.ts";
import type { Address } from "./address.ts";
import type { Server } from "./server.ts";

/** What the page gives to its panes. */
export interface Context {
  readonly server: Server;
  /** The link to the page as it is now, with other filters or another entry. */
  readonly linkTo: (change: Partial<Omit<Address, "token">>) => string;
  readonly go: (change: Partial<Omit<Address, "token">>) => void;
  /** Shows `error` in the pane that is open. */
  readonly fail: (error: unknown) => void;
}

export function entryHead(entry: EntryDetail, { linkTo }: Context): Node[] {
  const title = entry.kind === "write" ? entry.path : `${entry.change}${entry.ending?.reason ? `: ${entry.ending.reason}` : ""}`;
  const heading = make("h2", { id: "heading", tabindex: "-1", class: entry.kind === "write" ? "file" : entry.change, text: title });
  const more = [
    ...(entry.kind === "write" ? [make("a", { href: linkTo({ filters: { path: entry.path } }), text: "History of this file" })] : []),
    ...(entry.callWrites > 1
      ? [
          make("a", {
            href: linkTo({ filters: { call: entry.call } }),
            text: `All ${counted(entry.callWrites, "write")} of this command line`,
          }),
        ]
      : []),
    ...neighbour(entry.earlier, "Earlier change", linkTo),
    ...neighbour(entry.later, "Later change", linkTo),
  ];
  return [heading, ...(more.length > 0 ? [make("p", { class: "links" }, ...more)] : []), facts(pairsOf(entry))];
}

const neighbour = (key: string | null, text: string, linkTo: Context["linkTo"]): Node[] =>
  key === null ? [] : [make("a", { href: linkTo({ shown: { kind: "entry", key } }), text })];

function pairsOf(entry: EntryDetail): [string, Node | string][] {
  const { record, ending } = entry;
  const size = (state: { readonly bytes: number; readonly sha256: string } | null, none: string): Node =>
    state === null
      ? make("span", { text: none })
      : make("span", {}, counted(state.bytes, "byte"), make("small", { class: "hash", text: ` SHA-256 ${state.sha256}` }));
  const who: [string, Node | string][] = [
    ["who", entry.author],
    ["approved by", entry.approval === "" ? "nobody had to" : entry.approval],
    ["way in", entry.client],
    ["session", copyable(entry.session, "session")],
  ];
  if (entry.kind === "call") {
    return [
      ["time", time(entry.ts, true)],
      ["command", copyable(entry.command, "command line")],
      ["outcome", entry.change],
      ["reason", ending?.reason || "none"],
      ["exit status", ending?.exit === null || ending === undefined ? "none" : String(ending.exit)],
      ["directory", `/${ending?.directory ?? ""}`],
      ["took", `${number(ending?.elapsedMs ?? 0)} ms`],
      ...who,
    ];
  }
  const modes = record?.old && record.new && record.old.permissions !== record.new.permissions;
  return [
    ["change", entry.change],
    ["time", time(entry.ts, true)],
    ["command", copyable(entry.command, "command line")],
    ...(record?.ran == null ? [] : [["ran as", record.ran] as [string, string]]),
    ["record", copyable(entry.key, "record")],
    ["before", size(record?.before ?? null, "there was no file")],
    ["after", size(record?.after ?? null, "there is no file")],
    ...(modes ? [["permissions", `${octal(record.old?.permissions)} → ${octal(record.new?.permissions)}`] as [string, string]] : []),
    ...(record?.undoes == null ? [] : [["takes back", record.undoes] as [string, string]]),
    ...who,
  ];
}

const octal = (permissions = 0): string => permissions.toString(8).padStart(4, "0");

function copyable(text: string, name: string): Node {
  if (text === "") return make("span", { text: "none" });
  const copy = button(
    "Copy",
    () => {
      navigator.clipboard.writeText(text).then(
        () => announce(`The ${name} is copied.`),
        () => announce(`The browser does not let the ${name} be copied.`),
      );
    },
    { class: "small", "aria-label": `Copy the ${name}` },
  );
  return make("span", { class: "copyable" }, make("code", { text }), copy);
}

/** The difference of a write, with what can be done. */
export async function entryChange(entry: EntryDetail, context: Context): Promise<Node[]> {
  const difference = await context.server.difference(entry.key);
  const { isCurrent } = difference;
  const state = make("p", {
    class: isCurrent ? "good" : "warn",
    text: isCurrent ? "The file is as this write left it." : "The file has changed since.",
  });
  const wasThere = entry.record?.before != null;
  const isThere = entry.record?.after != null;
  const actions = make(
    "div",
    { class: "actions" },
    button(wasThere ? "Put back what was there before…" : "Remove this file…", () => ask(entry, true, context), { id: "undo" }),
    button("Put back this version…", () => ask(entry, false, context), { id: "again", disabled: isCurrent }),
    ...(wasThere ? [download(entry, "before", context)] : []),
    ...(isThere ? [download(entry, "after", context)] : []),
  );
  return [state, actions, ...differenceTable(difference, entry.path)];
}

function download({ key, path }: EntryDetail, side: "before" | "after", { server, fail }: Context): HTMLButtonElement {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return button(`Download ${side}`, () => {
    server.content(key, side).then((content) => save(content, `${side}-${key}-${name}`), fail);
  });
}

function ask(entry: EntryDetail, undo: boolean, { server, go, fail }: Context): void {
  const dialog = find("confirm", HTMLDialogElement);
  const isRemoval = undo && entry.record?.before == null;
  const what = isRemoval
    ? `Remove ${entry.path}?`
    : `Put ${entry.path} back to ${undo ? "what it was before" : "what it was after"} record ${entry.key}?`;
  find("question", HTMLElement).textContent = `${what} This is itself recorded and can be undone.`;
  const yes = find("yes", HTMLButtonElement);
  yes.textContent = isRemoval ? "Remove" : "Restore";
  yes.onclick = () => {
    dialog.close();
    server.restore(entry.key, undo).then(({ record }) => {
      announce(record === null ? `${entry.path} is so already.` : `${entry.path} is restored.`);
      if (record !== null) go({ shown: { kind: "entry", key: record } });
    }, fail);
  };
  dialog.showModal();
}
