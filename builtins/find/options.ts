/** find's options inside the expression, and the primaries that steer the walk. */
import type { GivenPrimary, PrimaryReader } from "./primary.ts";
import { QuitFind, test } from "./expression.ts";
import { isRegexType, REGEX_TYPES } from "./regex-type.ts";

const option = (set: (given: GivenPrimary) => void): PrimaryReader => ({
  role: "option",
  read(given) {
    set(given);
    return undefined;
  },
});

const positional = (set: (given: GivenPrimary) => void): PrimaryReader => ({ ...option(set), role: "positional" });

const oneDevice = option(({ settings }) => {
  settings.oneDevice = true;
});

export const optionPrimaries: Readonly<Record<string, PrimaryReader>> = {
  "-depth": option(({ settings }) => {
    settings.contentsFirst = true;
    settings.asksForDepth = true;
  }),
  "-d": option((given) => {
    given.warn("the -d option is deprecated; please use -depth instead, because the latter is a POSIX-compliant feature.");
    given.settings.contentsFirst = true;
    given.settings.asksForDepth = true;
  }),
  "-maxdepth": option((given) => {
    given.settings.maxDepth = depth(given);
  }),
  "-mindepth": option((given) => {
    given.settings.minDepth = depth(given);
  }),
  "-mount": oneDevice,
  "-xdev": oneDevice,
  // Link counts are never taken for a sign of how many directories there are, so there is nothing to turn off.
  "-noleaf": option(() => {}),
  "-ignore_readdir_race": option(({ settings }) => {
    settings.ignoresRaces = true;
  }),
  "-noignore_readdir_race": option(({ settings }) => {
    settings.ignoresRaces = false;
  }),
  "-files0-from": option((given) => {
    const path = given.take();
    given.settings.startPointsFrom = path;
    if (path !== "-") given.settings.references.push({ path, operand: given.at });
  }),
  "-help": option(({ settings }) => {
    settings.informs = "help";
  }),
  "--help": option(({ settings }) => {
    settings.informs = "help";
  }),
  "-version": option(({ settings }) => {
    settings.informs = "version";
  }),
  "--version": option(({ settings }) => {
    settings.informs = "version";
  }),
  "-daystart": {
    role: "setting",
    read({ settings }) {
      settings.fromMidnight = true;
      return undefined;
    },
  },
  "-follow": positional(({ settings }) => {
    settings.follow = "always";
  }),
  "-regextype": positional((given) => {
    const type = given.take();
    if (!isRegexType(type)) {
      const known = REGEX_TYPES.map((name) => `\u2018${name}\u2019`).join(", ");
      throw given.bad(`Unknown regular expression type \u2018${type}\u2019; valid types are ${known}.`);
    }
    given.settings.regexType = type;
  }),
  "-warn": positional(({ settings }) => {
    settings.warns = true;
  }),
  "-nowarn": positional(({ settings }) => {
    settings.warns = false;
  }),
  "-true": { role: "test", read: () => undefined },
  "-false": { role: "test", read: () => () => test(() => false) },
  "-prune": {
    role: "test",
    read: ({ settings }) => {
      settings.prunes = true;
      return (run) =>
        test(() => {
          run.prune();
          return true;
        });
    },
  },
  "-quit": {
    role: "test",
    read: () => () =>
      test(() => {
        throw new QuitFind();
      }),
  },
};

function depth(given: GivenPrimary): number {
  const text = given.take();
  if (!/^[0-9]+$/.test(text)) throw given.bad(`Expected a positive decimal integer argument to ${given.name}, but got \u2018${text}\u2019`);
  const value = Number(text);
  if (value > 0x7fffffff) throw given.bad(`${text}: Numerical result out of range`);
  return value;
}
