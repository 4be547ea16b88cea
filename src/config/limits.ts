/** Caps of one call, each with its unit. */
export interface RunLimits {
  readonly timeMs: number;
  /** Bytes of standard output a call may produce before it is stopped. */
  readonly outputBytes: number;
  /** Longest line or record a stage may hold, in bytes. */
  readonly lineBytes: number;
  /** Most a stage that must hold its input may hold, in bytes. */
  readonly heldBytes: number;
  /** Most that stages may put aside in temporary space, together, in bytes. */
  readonly spillBytes: number;
  /** Most in the files of a session's scratch (/tmp), together, in bytes; 0: there is none. */
  readonly scratchBytes: number;
  /** Resident memory of the executor process, in bytes (isolation "process" only). */
  readonly residentBytes: number;
}

/** Most files and directories in a session's scratch. */
export const MOST_SCRATCH_FILES = 1000;

export const DEFAULT_RUN_LIMITS: RunLimits = {
  timeMs: 30_000,
  outputBytes: 1 << 30,
  lineBytes: 64 << 20,
  heldBytes: 256 << 20,
  spillBytes: 4 * 2 ** 30,
  scratchBytes: 64 << 20,
  residentBytes: 768 << 20,
};
