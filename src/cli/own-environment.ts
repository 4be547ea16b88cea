/** The environment of this process, for another that is started from it. */
export function ownEnvironment(): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] !== undefined));
}
