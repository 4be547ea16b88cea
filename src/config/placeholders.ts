/** Placeholders `${key}` in the command of a named pipeline. */

const PLACEHOLDER = /\$\{([A-Za-z_]\w*)\}/g;

/** The keys in order, each once. */
export const placeholdersOf = (command: string): readonly string[] => [
  ...new Set(Array.from(command.matchAll(PLACEHOLDER), ([, key = ""]) => key)),
];
