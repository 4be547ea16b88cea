/** Definitions of functions of the parser library's tree → ours (bash manual §3.3). */
import type { Function as SourceFunction } from "unbash";
import type { CompoundLowerer } from "./lower-compound.ts";
import { type Lowering, nothing, spanOf } from "./lowering.ts";
import { UNNAMABLE } from "./problem.ts";
import type { Command } from "./tree.ts";

export class FunctionLowerer {
  readonly #lowering: Lowering;
  readonly #compounds: CompoundLowerer;

  constructor(lowering: Lowering, compounds: CompoundLowerer) {
    this.#lowering = lowering;
    this.#compounds = compounds;
  }

  define(node: SourceFunction): Command {
    const { line, gaps } = this.#lowering;
    const { body } = node;
    const span = spanOf(node);
    const name = line.slice(node.name.pos, node.name.end);
    if (!/^(?!\d+$)\w[\w.:+%,-]*$/.test(name) || UNNAMABLE.includes(name)) {
      this.#lowering.refuse("function", spanOf(node.name));
      return nothing(span);
    }
    if (body.type === "CompoundList" || body.end !== node.end) return this.#disagree(node, "a function needs a body");
    const between = gaps.between(node.name.end, body.pos);
    const byKeyword = node.name.pos !== node.pos;
    if (byKeyword && (!line.startsWith("function", node.pos) || gaps.between(node.pos + "function".length, node.name.pos) !== ""))
      return this.#disagree(node, "unexpected text before the name of a function");
    const isOpen = byKeyword && body.type !== "Subshell" && !(body.type === "Redirected" && body.command.type === "Subshell");
    if (between === undefined || !(isOpen ? /^(\(\))?\n*$/ : /^\(\)\n*$/).test(between))
      return this.#disagree(node, "unexpected text between a function's name and its body");
    const command =
      body.type === "Redirected"
        ? this.#compounds.compound(body.command, body.redirects, spanOf(body))
        : this.#compounds.compound(body, [], spanOf(body));
    const items = [{ when: "always", pipeline: { negated: false, commands: [command], span: spanOf(body) } }] as const;
    return { kind: "function", name, body: { items, span: spanOf(body) }, redirects: [], span };
  }

  #disagree(node: SourceFunction, what: string): Command {
    this.#lowering.disagree(spanOf(node), what);
    return nothing(spanOf(node));
  }
}
