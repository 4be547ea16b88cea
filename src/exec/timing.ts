/** `time`: the time that a pipeline took, as bash prints it. */
import { processorTime } from "../host/processor-time.ts";
import { toBytes } from "../io/text.ts";
import type { ShellState } from "./shell-state.ts";
import type { StageOutput, Surroundings } from "./stage.ts";

/** Begins to measure; the function that is returned ends it, and gives the text for standard error. */
function timing(shell: ShellState, posix: boolean): () => string {
  const fromMs = performance.now();
  const used = processorTime();
  return () => {
    const real = (performance.now() - fromMs) / 1000;
    const { user, system } = used();
    const format = posix ? "real %2R\nuser %2U\nsys %2S" : (shell.get("TIMEFORMAT")?.text ?? "\nreal\t%3lR\nuser\t%3lU\nsys\t%3lS");
    return format === "" ? "" : `${formatted(format, { R: real, U: user, S: system })}\n`;
  };
}

function formatted(format: string, seconds: Readonly<Record<"R" | "U" | "S", number>>): string {
  return format.replace(
    /%(?:%|P|([0-9]?)(l?)([RUS]))/g,
    (all, places: string | undefined, long: string, of: "R" | "U" | "S" | undefined) => {
      if (all === "%%") return "%";
      if (of === undefined) return (seconds.R === 0 ? 0 : (100 * (seconds.U + seconds.S)) / seconds.R).toFixed(2);
      const digits = Math.min(places === undefined || places === "" ? 3 : Number(places), 3);
      // Cut, not rounded.
      const value = Math.floor(seconds[of] * 1000) / 1000;
      const shown = (value: number): string => (Math.floor(value * 10 ** digits + 1e-6) / 10 ** digits).toFixed(digits);
      return long === "" ? shown(value) : `${Math.floor(value / 60)}m${shown(value % 60)}s`;
    },
  );
}

/** Runs a pipeline and prints its times. */
export async function* timedBy(output: StageOutput, { shell, stderr }: Surroundings, isPosix: boolean): StageOutput {
  const end = timing(shell, isPosix);
  const status = yield* output;
  if (shell.leaving?.kind !== "return") await stderr(toBytes(end()));
  return status;
}
