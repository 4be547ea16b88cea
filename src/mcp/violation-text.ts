/** Placeholder for src/guard/render.ts, same names and shapes. */
import type { Violation } from "../guard/violation.ts";

export function renderViolation(line: string, violation: Violation): string {
  const lines = [`${violation.reason}: ${violation.detail}`];
  if (violation.position !== undefined) {
    const { start, end } = violation.position;
    lines.push(line, " ".repeat(start) + "^".repeat(Math.max(1, end - start)));
  }
  if (violation.suggestion !== undefined) lines.push(`try: ${violation.suggestion}`);
  return lines.join("\n");
}

export function wireError(line: string, violation: Violation): { error: WireError } {
  const { code, reason, detail, suggestion, position } = violation;
  const bytes = (end: number): number => Buffer.byteLength(line.slice(0, end));
  return {
    error: {
      code,
      reason,
      detail,
      suggestion: suggestion ?? null,
      position: position === undefined ? null : { start: bytes(position.start), end: bytes(position.end), stage: position.stage },
    },
  };
}

interface WireError {
  readonly code: string;
  readonly reason: string;
  readonly detail: string;
  readonly suggestion: string | null;
  readonly position: { readonly start: number; readonly end: number; readonly stage: number } | null;
}
