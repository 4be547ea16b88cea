/**
 * Configuration files of MCP clients in examples/clients, as `shelpa-mcp init --steer --hook` writes them where a client has
 * none.
 */
import { basename, join, relative } from "node:path";
import { CLIENTS, filesOf } from "../../src/cli/init/clients.ts";
import { editedContent } from "../../src/cli/init/configuration-file.ts";
import type { Place } from "../../src/cli/init/place.ts";
import type { Wish } from "../../src/cli/init/wish.ts";

export const EXAMPLE_PLACE: Place = {
  root: "/path/to/project",
  realRoot: "/path/to/project",
  home: "/home/you",
  user: { uid: 1000, gid: 1000 },
  platform: "linux",
  configuration: "/home/you/.config",
  applicationData: (application) => `/home/you/.config/${application}`,
  exists: () => false,
};
/** Settings of `init` where nothing is installed. */
const NPX = { program: ["npx", "-y", "shelpa-mcp"] } as const;
export const EXAMPLE_WISH: Wish = {
  launch: { terminal: NPX, desktop: { ...NPX, env: { PATH: "/usr/local/bin:/usr/bin:/bin" } } },
  mounts: [],
  steer: true,
  hook: true,
};

/** Path from the top of the project → text. */
export function clientExamples(): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(CLIENTS).flatMap(([name, client]) =>
      filesOf(client, EXAMPLE_PLACE, EXAMPLE_WISH).map((file): [string, string] => {
        const inProject = relative(EXAMPLE_PLACE.root, file.path);
        const shown = inProject.startsWith("..") ? basename(file.path) : inProject;
        return [join("examples/clients", name, shown), editedContent(file, undefined)];
      }),
    ),
  );
}
