/** What the operator wrote cannot be used. The message names the place, one fault a line, for people. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
