/** The trailers of a message (git-interpret-trailers(1)): `Key: value` lines in its last paragraph. */
import { withoutTrailingSpace } from "../objects/byte-text.ts";

export interface Trailer {
  readonly key: string;
  /** Folded lines with their newlines. */
  readonly value: string;
  /** Lines as they stand there. */
  readonly text: string;
}

/** Nothing where the last paragraph holds too much else: it must be trailers alone, or a quarter of it with one that git writes. */
export function trailersOf(message: string): readonly Trailer[] {
  const paragraphs = withoutBlankEnd(message).split(/\n[ \t\r]*\n/);
  if (paragraphs.length < 2) return [];
  const lines = (paragraphs.at(-1) ?? "").split("\n").filter((line) => !line.startsWith("#"));
  const trailers: Trailer[] = [];
  let others = 0;
  let knows = false;
  let isInTrailer = false;
  for (const line of lines) {
    const last = trailers.at(-1);
    if (/^[ \t]/.test(line) && isInTrailer && last !== undefined) {
      trailers[trailers.length - 1] = { ...last, value: `${last.value}\n${line}`, text: `${last.text}\n${line}` };
      continue;
    }
    const [, key, value = ""] = /^([A-Za-z0-9-]+)[ \t]*:[ \t]*([^]*)$/.exec(line) ?? [];
    isInTrailer = key !== undefined;
    if (key === undefined) {
      others++;
      if (line.startsWith("(cherry picked from commit ")) knows = true;
      continue;
    }
    if (key === "Signed-off-by") knows = true;
    trailers.push({ key, value: withoutTrailingSpace(value), text: line });
  }
  return others === 0 || (knows && trailers.length * 3 >= others) ? trailers : [];
}

function withoutBlankEnd(message: string): string {
  const end = message.indexOf("\n", withoutTrailingSpace(message).length);
  return end < 0 ? message : message.slice(0, end);
}

/** `%(trailers:OPTIONS)`: `key=K`, `only`, `unfold`, `valueonly`, `keyonly`, `separator=S`, `key_value_separator=S`. */
export function trailerText(message: string, typed: string): string {
  const options = typed
    .replace(/^:/, "")
    .split(",")
    .filter((word) => word !== "");
  const value = (name: string): string | undefined => {
    const found = options.findLast((word) => word === name || word.startsWith(`${name}=`));
    return found === undefined ? undefined : found === name ? "true" : found.slice(name.length + 1);
  };
  const isOn = (name: string): boolean => /^(true|yes|on|1)$/i.test(value(name) ?? "");
  const keys = options.flatMap((word) => (word.startsWith("key=") ? [word.slice(4).replace(/:$/, "").toLowerCase()] : []));
  const escaped = (text: string): string =>
    text.replace(/%x([0-9a-fA-F]{2})|%n/g, (all, hex: string | undefined) =>
      hex === undefined ? (all === "%n" ? "\n" : all) : String.fromCharCode(Number.parseInt(hex, 16)),
    );
  const separator = value("separator");
  const between = escaped(value("key_value_separator") ?? ": ");
  const unfolds = isOn("unfold");
  const found = trailersOf(message).filter(({ key }) => keys.length === 0 || keys.includes(key.toLowerCase()));
  const isPlain =
    keys.length === 0 &&
    !["only", "unfold", "valueonly", "keyonly", "separator", "key_value_separator"].some((name) => value(name) !== undefined);
  const lines = found.map((trailer) => {
    const text = unfolds ? trailer.value.replace(/\n[ \t]+/g, " ") : trailer.value;
    if (isPlain) return trailer.text;
    return isOn("valueonly") ? text : isOn("keyonly") ? trailer.key : `${trailer.key}${between}${text}`;
  });
  return separator === undefined ? lines.map((line) => `${line}\n`).join("") : lines.join(escaped(separator));
}
