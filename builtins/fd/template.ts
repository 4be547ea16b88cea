/** fd's placeholders: `{}` path, `{/}` name, `{//}` parent, `{.}` path without extension, `{/.}` name without it; `{{` and `}}` are braces. */

export type TemplatePart = { readonly text: string } | { readonly place: keyof typeof PLACES };

export interface Template {
  readonly parts: readonly TemplatePart[];
  readonly hasPlaces: boolean;
}

const PLACES = {
  "{}": (path: string): string => path,
  "{/}": (path: string): string => nameOf(path),
  "{//}": (path: string): string => parentOf(path),
  "{.}": (path: string): string => withoutExtension(path),
  "{/.}": (path: string): string => withoutExtension(nameOf(path)),
};

export function parseTemplate(format: string): Template {
  const parts: TemplatePart[] = [];
  let text = "";
  let rest = format;
  for (;;) {
    const found = /\{\{|\}\}|\{(?:\/\/|\/\.|\/|\.)?\}/.exec(rest);
    if (found === null) break;
    const [token] = found;
    const after = rest.slice(found.index + token.length);
    if (token === "{{" || token === "}}") text += rest.slice(0, found.index + 1);
    // The brace that would close the placeholder is an escaped one.
    else if (after.startsWith("}")) text += rest.slice(0, found.index + token.length);
    else {
      text += rest.slice(0, found.index);
      if (text !== "") parts.push({ text });
      text = "";
      parts.push({ place: token as keyof typeof PLACES });
    }
    rest = token !== "{{" && token !== "}}" && after.startsWith("}") ? after.slice(1) : after;
  }
  text += rest;
  if (text !== "") parts.push({ text });
  return { parts, hasPlaces: parts.some((part) => "place" in part) };
}

/** `separator` stands in the place of "/" where it is given. */
export function fillTemplate({ parts }: Template, path: string, separator: string | undefined): string {
  return parts.map((part) => ("text" in part ? part.text : separated(PLACES[part.place](path), separator))).join("");
}

/** `path` with its components joined by `separator`. */
export function separated(path: string, separator: string | undefined): string {
  if (separator === undefined) return path;
  const joined = path
    .split("/")
    .filter((component, at) => component !== "" && (component !== "." || at === 0))
    .join(separator);
  return path.startsWith("/") ? separator + joined : joined;
}

/** Rust's Path::file_name, or all of it. */
function nameOf(path: string): string {
  const trimmed = path.replace(/\/+$/, "");
  const name = trimmed.slice(trimmed.lastIndexOf("/") + 1);
  return name === "" || name === ".." ? path : name;
}

function parentOf(path: string): string {
  const slash = path.replace(/(?<=.)\/+$/, "").lastIndexOf("/");
  return slash < 0 ? "." : slash === 0 ? "/" : path.slice(0, slash);
}

/** As fd does it: the parent joined to the stem, without `./` in front. */
function withoutExtension(path: string): string {
  const parent = parentOf(path);
  const name = nameOf(path);
  const dot = name.lastIndexOf(".");
  const stem = dot > 0 ? name.slice(0, dot) : name;
  // What `..dots` leaves is the directory itself, of which nothing is shown.
  if (parent === "." && stem === ".") return "";
  const whole = parent.endsWith("/") ? parent + stem : `${parent}/${stem}`;
  return whole.startsWith("./") ? whole.slice(2) : whole;
}
