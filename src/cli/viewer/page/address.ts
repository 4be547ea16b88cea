/**
 * State of the page as it stands in its address: `#TOKEN?kind=write&entry=1789…`. All of it is behind #, which a browser sends to
 * nobody: neither the token nor what somebody looks for is in a log or a referrer.
 */

/** Names of the filters, as the server reads them. */
export const FILTERS = ["text", "kind", "change", "client", "session", "approved", "under", "path", "call", "since", "until"] as const;
export type FilterName = (typeof FILTERS)[number];

export interface Address {
  readonly token: string;
  /** Filters that are set. */
  readonly filters: Readonly<Partial<Record<FilterName, string>>>;
  /** Key of the entry that is open, or a view of its own; undefined: the list alone. */
  readonly shown: Shown | undefined;
}

export type Shown = { readonly kind: "entry"; readonly key: string } | { readonly kind: "overview" } | { readonly kind: "verify" };

export function readAddress(hash: string): Address {
  const [, token = "", query = ""] = /^#?([^?]*)\??(.*)$/s.exec(hash) ?? [];
  const parameters = new URLSearchParams(query);
  const filters = FILTERS.flatMap((name) => {
    const value = parameters.get(name);
    return value === null || value === "" ? [] : [[name, value] as const];
  });
  const key = parameters.get("entry");
  const view = parameters.get("view");
  const shown: Shown | undefined =
    key !== null ? { kind: "entry", key } : view === "overview" || view === "verify" ? { kind: view } : undefined;
  return { token, filters: Object.fromEntries(filters), shown };
}

export function hashOf({ token, filters, shown }: Address): string {
  const parameters = new URLSearchParams(queryOf(filters));
  if (shown?.kind === "entry") parameters.set("entry", shown.key);
  else if (shown !== undefined) parameters.set("view", shown.kind);
  const query = parameters.toString();
  return `#${token}${query === "" ? "" : `?${query}`}`;
}

/** The filters in one order, so that equal ones are equal as text. */
export function queryOf(filters: Address["filters"]): string {
  const parameters = new URLSearchParams();
  for (const name of FILTERS) {
    const value = filters[name];
    if (value !== undefined) parameters.set(name, value);
  }
  return parameters.toString();
}
