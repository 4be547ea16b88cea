/** Counts of a sink, as the metrics of the server have them. */
import { expect, test } from "vitest";
import { type AuditSink, SinkAway } from "../../../src/mcp/sinks/audit-sink.ts";
import { CountedSink } from "../../../src/mcp/sinks/counted-sink.ts";
import { shippedLine } from "./receivers.ts";

test("lines that are confirmed, batches that are not, and when", async () => {
  let answer: "taken" | "away" | "a fault" = "taken";
  const inner: AuditSink = {
    name: "stdout",
    batchBytes: 7,
    send: async () => {
      if (answer === "away") throw new SinkAway("no answer");
      if (answer === "a fault") throw new Error("a fault");
    },
  };
  const sink = new CountedSink(inner, () => 5000);
  expect(sink.figures).toEqual({ name: "stdout", lines: 0, failures: 0, confirmedMs: undefined });
  const never = new AbortController().signal;
  await sink.send([shippedLine(1), shippedLine(2)], never);
  answer = "away";
  await expect(sink.send([shippedLine(3)], never)).rejects.toThrow("no answer");
  // The server ends.
  await expect(sink.send([shippedLine(3)], AbortSignal.abort())).rejects.toThrow("no answer");
  answer = "a fault";
  await expect(sink.send([shippedLine(3)], never)).rejects.toThrow("a fault");
  expect([sink.figures, sink.batchBytes]).toEqual([{ name: "stdout", lines: 2, failures: 1, confirmedMs: 5000 }, 7]);
});
