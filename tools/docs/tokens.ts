/** `npm run tokens`: counts the tokens that the tool costs a conversation, and writes docs/tokens.md. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { tokenPage } from "./token-page.ts";

const page = await tokenPage();
writeFileSync(join(process.cwd(), "docs", "tokens.md"), page);
process.stdout.write(page);
