/** The page of the audit's viewer as one text: its markup with its script, bundled from TypeScript, in it. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";

/** Plugin of esbuild: gives the page to the module that imports it. */
export const viewerPage = {
  name: "viewer-page",
  setup({ onLoad }) {
    onLoad({ filter: /\/viewer\/page\/page\.html$/ }, async ({ path }) => {
      const { outputFiles } = await build({
        entryPoints: [join(dirname(path), "main.ts")],
        bundle: true,
        write: false,
        format: "esm",
        platform: "browser",
        target: "es2022",
        minifyWhitespace: true,
        minifySyntax: true,
        lineLimit: 200,
        logLevel: "warning",
      });
      return { contents: readFileSync(path, "utf8").replace("</script>", () => `${outputFiles[0].text}</script>`), loader: "text" };
    });
  },
};
