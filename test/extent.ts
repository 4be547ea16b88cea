/** Counts of random and timed tests: one for `npm test` of every day, a higher one for .ci/run (SHELPA_TESTS=thorough). */
const isThorough = process.env["SHELPA_TESTS"] === "thorough";

/** The count of this run. `npm run fuzz` and `npm run stress` ask for others still. */
export const extent = (everyday: number, thorough: number): number => (isThorough ? thorough : everyday);
