/** The time that each command of a call takes, without that of the commands that it waits for. Stages pull from one another, so one is at work at a time. */
import type { Command } from "../shell/tree.ts";
import type { StoppedStage } from "./result.ts";

interface CommandTime {
  readonly command: string;
  /** The stage before it in its pipeline. */
  producer: CommandTime | undefined;
  milliseconds: number;
  runs: number;
  outputBytes: number;
}

export class StageClock {
  readonly #times = new Map<Command, CommandTime>();
  /** Each waits for the one behind it. */
  readonly #atWork: CommandTime[] = [];
  #sinceMs = performance.now();
  #ended: { readonly time: CommandTime; readonly thrown: unknown } | undefined;

  /** The command `command`, whose text is asked for once, is a stage behind `producer`. */
  of(command: Command, text: (command: Command) => string, producer?: CommandTime): CommandTime {
    let time = this.#times.get(command);
    if (time === undefined) {
      time = { command: text(command), producer, milliseconds: 0, runs: 0, outputBytes: 0 };
      this.#times.set(command, time);
    }
    time.producer ??= producer;
    return time;
  }

  /** It is asked for its next block. */
  enter(time: CommandTime): void {
    this.#pass();
    this.#atWork.push(time);
  }

  /** It has given the block. */
  leave(time: CommandTime): void {
    this.#pass();
    const place = this.#atWork.lastIndexOf(time);
    if (place >= 0) this.#atWork.splice(place, 1);
  }

  /** It has thrown an error. Those that wait for it may throw it on. */
  failed(time: CommandTime, thrown: unknown): void {
    this.leave(time);
    if (this.#ended?.thrown !== thrown) this.#ended = { time, thrown };
  }

  /** The one that has taken most of the time. */
  busiest(): StoppedStage | undefined {
    let busiest: CommandTime | undefined;
    for (const time of this.#times.values()) if (busiest === undefined || time.milliseconds > busiest.milliseconds) busiest = time;
    return busiest && stoppedStage(busiest);
  }

  /** The one that `thrown` came from. */
  origin(thrown: unknown): StoppedStage | undefined {
    const ended = this.#ended;
    return ended?.thrown === thrown ? ended && stoppedStage(ended.time) : undefined;
  }

  #pass(): void {
    const now = performance.now();
    const time = this.#atWork.at(-1);
    if (time !== undefined) time.milliseconds += now - this.#sinceMs;
    this.#sinceMs = now;
  }
}

const stoppedStage = ({ command, producer, milliseconds, runs, outputBytes }: CommandTime): StoppedStage => ({
  command,
  milliseconds,
  runs,
  inputBytes: producer?.outputBytes,
  outputBytes,
});
