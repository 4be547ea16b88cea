/**
 * Configuration files of MCP clients in examples/clients, as `shelpa-mcp init --steer --hook` writes them where a client has
 * none.
 */
import { basename, join, relative } from "node:path";
import { CLIENTS, type Place, type Wish } from "../../src/cli/init/clients.ts";

const PLACE: Place = { root: "/path/to/project", home: "/home/you", platform: "linux" };
/** Settings of `init` where nothing is installed. */
const WISH: Wish = { program: ["npx", "-y", "shelpa-mcp"], mounts: [], steer: true, hook: true };

/** Path from the top of the project → text. */
export function clientExamples(): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(CLIENTS).flatMap(([name, client]) =>
      client.files(PLACE, WISH).map(({ path, edited }): [string, string] => {
        const inProject = relative(PLACE.root, path);
        return [join("examples/clients", name, inProject.startsWith("..") ? basename(path) : inProject), edited(undefined)];
      }),
    ),
  );
}
