/** The call that lists run in. */
import type { FollowCursors } from "../builtin/follow.ts";
import type { Plan, PlannedCommand } from "../guard/plan.ts";
import type { CommandOrigin } from "../shell/named-pipeline.ts";
import type { Command, SimpleCommand } from "../shell/tree.ts";
import type { CallControl } from "./call-control.ts";
import type { StageReport } from "./result.ts";
import type { CallContext, CheckStarting } from "./stage.ts";
import type { StageClock } from "./stage-clock.ts";

/** The call, with the state that its lists share in it. */
export interface ListContext extends CallContext {
  readonly cursors: FollowCursors;
  readonly line: string;
  readonly planned: ReadonlyMap<SimpleCommand, PlannedCommand>;
  /** Commands that fail at their turn. */
  readonly failing: Plan["failing"];
  /** Scripts that shells within the line run, by their text. */
  readonly scripts: Plan["scripts"];
  /** Commands that do not stand in the line. */
  readonly origins: ReadonlyMap<Command, CommandOrigin>;
  /** Checks a stage whose words were not all known before it starts. */
  readonly checkStarting: CheckStarting;
  readonly control: CallControl;
  readonly stages: StageReport[];
  readonly clock: StageClock;
  /** Blocks of output that a writer at the end of its pipeline has only passed on. */
  readonly passedOn: WeakSet<Uint8Array>;
}
