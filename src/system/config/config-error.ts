/** The operator's configuration is invalid. The message is for the operator and names the place, one problem per line. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
