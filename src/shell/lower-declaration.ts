/** Commands that declare variables: `declare`, `typeset`, `local`, `readonly`, `export`. */
import type { Lowering } from "./lowering.ts";
import { staticText, type Assignment, type DeclareCommand, type Span, type Word } from "./tree.ts";

export const isDeclaration = (name: string): name is DeclareCommand["name"] => /^(declare|typeset|local|readonly|export)$/.test(name);

/** An assignment as an argument that is none. */
export const asWord = ({ name, value, span }: Assignment): Word => ({
  parts: [{ kind: "text", text: `${name}=`, quoted: true }, ...value.parts],
  span,
});

/** Refuses what prints functions, and the list of all variables, which bash begins with those of the host; exported ones are the line's. */
export function checkDeclaration(lowering: Lowering, name: string, items: readonly (Word | Assignment)[], span: Span): void {
  const texts = items.map((item) => ("append" in item ? "=" : staticText(item)));
  const first = texts.findIndex((text) => text === undefined || !/^[-+]./s.test(text));
  const flags = (first < 0 ? texts : texts.slice(0, first)).join("");
  if (lowering.problems.length > 0) return;
  const isDeclare = name === "declare" || name === "typeset";
  if (isDeclare && flags === "-F" && !texts.includes("=")) return;
  if (first < 0 && (name === "export" ? /^(-p)?$/ : isDeclare ? /^-(x|px|xp)$/ : /^\b$/).test(flags)) return;
  if (/[fFtcI]/.test(flags) || (first < 0 && name !== "local")) lowering.refuse("declaration", span);
}
