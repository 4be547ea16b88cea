/** npm run screenshots: the pictures of the audit's viewer in docs/images, taken by its tests in Chromium. */
import { join } from "node:path";
import { conclusion, FAST_BUILD, inTurn, root, tests } from "./steps.mjs";

const failed = await inTurn([FAST_BUILD]);
if (failed.length === 0) failed.push(...(await tests(["test/cli/viewer-page.test.ts"], { SHELPA_SCREENSHOTS: join(root, "docs/images") })));
process.exit(conclusion(failed));
