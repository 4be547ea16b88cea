/** cat: files one after the other, with the marks of -A -b -E -n -s -T -v where asked. */
import { defineBuiltin } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { inputComplaint, inputOperands, openInput, overwritingBlocks } from "../../src/builtin/inputs.ts";
import { LineMarker } from "./line-marker.ts";

export const cat = defineBuiltin({
  name: "cat",
  summary: "Print files one after the other.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/cat.html",
  reference: "GNU coreutils 9.1",
  readsStreams: true,
  operands: { kind: "paths", access: "read" },
  flags: {
    numberNonblank: { kind: "switch", short: "b", help: "number the lines that are not empty, overrides -n" },
    number: { kind: "switch", short: "n", help: "number all lines" },
    squeezeBlank: { kind: "switch", short: "s", help: "print one empty line where several follow each other" },
    showNonprinting: { kind: "switch", short: "v", help: "print control and high bytes in ^ and M- notation, except newline and tab" },
    showEnds: { kind: "switch", short: "E", help: "print $ at the end of each line" },
    showTabs: { kind: "switch", short: "T", help: "print tabs as ^I" },
    showAll: { kind: "switch", short: "A", help: "as -v -E -T" },
    showNonprintingEnds: { kind: "switch", short: "e", long: false, help: "as -v -E" },
    showNonprintingTabs: { kind: "switch", short: "t", long: false, help: "as -v -T" },
    unbuffered: { kind: "switch", short: "u", long: false, unread: true, help: "no effect" },
  },
  silence: { 0: "read nothing" },
  examples: [
    { command: "cat a b", files: { a: "one\n", b: "two\n" }, stdout: "one\ntwo\n" },
    { command: "cat -A", stdin: "a\tb\r\n", stdout: "a^Ib^M$\n" },
    { command: "cat -n", stdin: "x\n\ny\n", stdout: "     1\tx\n     2\t\n     3\ty\n" },
  ],
  async *run(invocation) {
    const { numberNonblank, number, squeezeBlank, showNonprinting, showEnds, showTabs, ...combined } = invocation.flags;
    const { showAll, showNonprintingEnds, showNonprintingTabs, ...others } = combined;
    allFlagsRead(others);
    const marker = new LineMarker({
      ends: showEnds || showAll || showNonprintingEnds,
      tabs: showTabs || showAll || showNonprintingTabs,
      nonprinting: showNonprinting || showAll || showNonprintingEnds || showNonprintingTabs,
      number: numberNonblank ? "nonblank" : number ? "all" : "none",
      squeeze: squeezeBlank,
    });
    let exit = 0;
    for (const operand of inputOperands(invocation)) {
      try {
        for await (const block of overwritingBlocks(openInput(invocation, operand))) yield marker.idle ? block : marker.mark(block);
      } catch (thrown) {
        invocation.warn(inputComplaint(thrown, operand));
        exit = 1;
      }
    }
    const rest = marker.end();
    if (rest.length > 0) yield rest;
    return exit;
  },
});
