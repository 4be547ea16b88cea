/** git column: the lines of standard input in columns. */
import { fromWord } from "../objects/byte-text.ts";
import { GitError } from "../git-error.ts";
import { configuredStyle, styleIn, table, USUAL_TABLE } from "./columns.ts";
import { command } from "./command.ts";
import { OPTIONAL, refused, VALUE } from "./flags.ts";
import { wholeInput } from "./standard-input.ts";

export const column = command({
  worksOutside: true,
  flags: {
    "--command": VALUE,
    "--mode": OPTIONAL,
    "--raw-mode": refused("the mode is named by its words", "git column --mode=row", "value"),
    "--width": VALUE,
    "--indent": VALUE,
    "--nl": VALUE,
    "--padding": VALUE,
  },
  *run({ options, repository, print }) {
    const number = (flag: "--width" | "--padding", otherwise: number): number => {
      const text = options.last(flag);
      if (text === undefined) return otherwise;
      if (!/^[-+]?[0-9]+$/.test(text))
        throw new GitError(`option \`${flag.slice(2)}' expects a numerical value`, { prefix: "error: ", exit: 129 });
      return Number(text);
    };
    const name = options.last("--command");
    if (name !== undefined && options.sequence[0] !== "--command") throw new GitError("--command must be the first argument");
    const padding = number("--padding", 1);
    const [stray] = [...options.operands, ...(options.paths ?? [])];
    if (stray !== undefined) throw new GitError("usage: git column [<options>]", { prefix: "", exit: 129 });
    let style = configuredStyle(repository.config, name === undefined ? undefined : fromWord(name));
    for (const { value } of options.each("--mode")) style = styleIn({ ...style, isOn: true }, fromWord(value ?? ""));
    if (padding < 0 && style.isOn) throw new GitError("--padding must be non-negative");
    const text = (yield* wholeInput(repository)).toString("latin1");
    const items = text === "" ? [] : text.replace(/\n$/, "").split("\n");
    print(
      table(items, style, {
        width: number("--width", 0) || USUAL_TABLE.width,
        indent: fromWord(options.last("--indent") ?? ""),
        end: fromWord(options.last("--nl") ?? "\n"),
        padding,
      }),
    );
    return 0;
  },
});
