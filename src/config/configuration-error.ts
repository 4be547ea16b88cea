/** The configuration is not what it must be, and the server does not start. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}
