/** One line of doctor's report; a failure makes its exit status 1. */
export interface Finding {
  readonly state: "ok" | "note" | "fail";
  readonly what: string;
}
