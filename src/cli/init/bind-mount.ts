/** Bind mounts as values of `--mount`: fields of one record of CSV, in which both docker and podman read them. */

/** Paths of the host and of the container; a client's variable may stand in both. */
export interface BindMount {
  readonly source: string;
  readonly target: string;
  readonly access: "read" | "write";
}

/** The value that docker and podman read as `mount`. */
export function bindMountText({ source, target, access }: BindMount): string {
  return [`type=bind`, `src=${source}`, `dst=${target}`, ...(access === "read" ? ["readonly"] : [])].map(field).join(",");
}

/** A variable is quoted for the path that a client puts in its place, which may have a comma. */
const field = (text: string): string => (/[",\r\n]|\$\{/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The bind mount that `text` stands for, by any of the names of its fields; undefined where it is none. */
export function bindMountOf(text: string): BindMount | undefined {
  const fields = fieldsOf(text);
  if (fields === undefined) return undefined;
  const values = new Map(fields.map((each) => [each.split("=", 1)[0], each.slice(each.indexOf("=") + 1)]));
  const source = values.get("src") ?? values.get("source");
  const target = values.get("dst") ?? values.get("destination") ?? values.get("target");
  if (values.get("type") !== "bind" || source === undefined || target === undefined) return undefined;
  const isForReading = ["readonly", "ro"].some((name) => values.has(name) && values.get(name) !== "false");
  return { source, target, access: isForReading ? "read" : "write" };
}

/** The fields of one record (RFC 4180, section 2); undefined where a quote stands in the middle of a field, or is not closed. */
function fieldsOf(record: string): readonly string[] | undefined {
  const fields: string[] = [];
  const next = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y;
  for (;;) {
    const found = next.exec(record);
    if (found === null) return undefined;
    const [, quoted, plain = "", end] = found;
    fields.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === "") return fields;
  }
}
