/** npm run check: types, lint and format, dead code, boundaries, two at a time. */
import { BOUNDARIES, conclusion, DEAD_CODE, inTurn, LINT, PAGE_TYPES, TYPES } from "./steps.mjs";

const failed = await Promise.all([inTurn([TYPES, BOUNDARIES]), inTurn([LINT, PAGE_TYPES, DEAD_CODE])]);
process.exit(conclusion(failed.flat()));
