/** The table of MCP clients in docs/clients.md: their files and the source of the format, between two marks. */
import { relative } from "node:path";
import { CLIENT_NAMES } from "../../src/cli/init/client-names.ts";
import { CLIENTS, filesOf, isBelow } from "../../src/cli/init/clients.ts";
import type { Wish } from "../../src/cli/init/wish.ts";
import { EXAMPLE_PLACE, EXAMPLE_WISH } from "./client-examples.ts";

const BEGIN = "<!-- clients: npm run docs -->\n";
const END = "<!-- /clients -->";

/** `page` with the table of today. Throws where it has no marks. */
export function withClientTable(page: string): string {
  const from = page.indexOf(BEGIN) + BEGIN.length;
  const to = page.indexOf(END);
  if (from < BEGIN.length || to < from) throw new Error("docs/clients.md has no marks around the table of clients");
  const rows = CLIENT_NAMES.map((name) => {
    const client = CLIENTS[name];
    const cells = [`[${name}](${client.source})`, files(name, {}), files(name, { steer: true }), files(name, { hook: true })];
    return `| ${cells.join(" | ")} |`;
  });
  const head = "| client | the server | `--steer` | `--hook` |\n|---|---|---|---|";
  return `${page.slice(0, from)}${[head, ...rows].join("\n")}\n${page.slice(to)}`;
}

/** The files that change for a part of the wish alone, or a dash. */
function files(name: (typeof CLIENT_NAMES)[number], part: Partial<Wish>): string {
  const wish = { ...EXAMPLE_WISH, steer: false, hook: false };
  const client = CLIENTS[name];
  const changesIn = (given: Wish): Map<string, number> =>
    new Map(filesOf(client, EXAMPLE_PLACE, given).map(({ path, changes }) => [path, changes.list.length]));
  const plain = changesIn(wish);
  const all = changesIn({ ...wish, ...part });
  const paths =
    Object.keys(part).length === 0
      ? [...plain.keys()]
      : [...all].filter(([path, count]) => count !== plain.get(path)).map(([path]) => path);
  return paths.length === 0 ? "–" : paths.map((path) => `\`${shown(path)}\``).join(", ");
}

/** From the root of the project, or from the home directory. */
const shown = (path: string): string =>
  isBelow(EXAMPLE_PLACE.root, path) ? relative(EXAMPLE_PLACE.root, path) : `~/${relative(EXAMPLE_PLACE.home, path)}`;
