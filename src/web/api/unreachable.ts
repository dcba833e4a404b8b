/** The server gave no answer: there is no network, the connection broke, or the time ran out. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
  readonly timedOut: boolean;

  constructor(path: string, cause: unknown) {
    super(`${path} was not answered`, { cause });
    this.timedOut = cause instanceof Error && cause.name === "TimeoutError";
  }
}
