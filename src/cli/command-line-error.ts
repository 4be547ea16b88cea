/** Thrown for arguments that the command cannot run with; `suggestion` is the corrected command, where there is one. */
export class CommandLineError extends Error {
  override readonly name = "CommandLineError";
  readonly suggestion: string | undefined;

  constructor(message: string, suggestion?: string) {
    super(message);
    this.suggestion = suggestion;
  }
}
