/** The test files that a run takes, with their paths in the project: made by windows.mjs. */
export declare const FILES: readonly (readonly [file: string, load: () => Promise<unknown>])[];
