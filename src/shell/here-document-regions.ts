/** Regions of a line that are bodies of here-documents: text that belongs to no gap between nodes (gaps.ts). */
import type { AndOr, ParsedScript, PipelineNode, Redirection, Statement } from "unbash";
import type { HereDocumentRegion } from "./gaps.ts";

/** Every here-document of the line, with where its body stands. */
export function hereDocumentRegions(script: ParsedScript, lineEnd: number): readonly HereDocumentRegion[] {
  return hereDocuments(script).map(({ pos, body, closing }) => ({
    operator: pos,
    start: body.pos,
    end: Math.min((closing?.end ?? body.end) + 1, lineEnd),
  }));
}

type HereDocument = Extract<Redirection, { readonly type: "HereDoc" }>;

/** Every here-document of the line, in no order; one that the line does not end has no `closing`. */
export function hereDocuments(script: ParsedScript): readonly HereDocument[] {
  const found: HereDocument[] = [];
  const note = (redirections: readonly { readonly type: string }[]): void => {
    for (const node of redirections as readonly Redirection[]) if (node.type === "HereDoc") found.push(node);
  };
  const pending: (Statement | PipelineNode | AndOr)[] = [...script.commands];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    switch (node.type) {
      case "Statement":
        pending.push(node.command);
        break;
      case "AndOr":
      case "Pipeline":
        pending.push(...node.commands);
        break;
      case "Function":
        if (node.body.type !== "CompoundList") pending.push(node.body);
        break;
      case "Redirected":
        note(node.redirects);
        pending.push(node.command);
        break;
      case "Subshell":
      case "BraceGroup":
      case "For":
      case "ArithmeticFor":
        pending.push(...node.body.commands);
        break;
      case "While":
        pending.push(...node.clause.commands, ...node.body.commands);
        break;
      case "If":
        for (const { clause, then } of [node, ...node.elif]) pending.push(...clause.commands, ...then.commands);
        pending.push(...(node.else?.commands ?? []));
        break;
      case "Case":
        for (const item of node.items) pending.push(...item.body.commands);
        break;
      case "Command":
        note(node.prefix);
        note(node.suffix);
        break;
      default:
        // Refused when it is lowered; where its here-documents stand does not matter then.
        break;
    }
  }
  return found;
}
