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
  /** Resident memory of the executor process, in bytes (isolation "process" only). */
  readonly residentBytes: number;
}

export const DEFAULT_RUN_LIMITS: RunLimits = {
  timeMs: 30_000,
  outputBytes: 1 << 30,
  lineBytes: 64 << 20,
  heldBytes: 256 << 20,
  spillBytes: 4 * 2 ** 30,
  residentBytes: 768 << 20,
};
