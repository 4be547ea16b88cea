/** Thrown for a configuration that is wrong: the server does not start. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}
