import { type DestinationStream, type LevelWithSilent, type Logger, pino } from "pino";

/** Structured logs, a JSON object a line. What could hold a secret is removed even where nobody should log it. */
export function createLog(level: LevelWithSilent, destination?: DestinationStream): Logger {
  const secrets = ["password", "token", "cookie", "authorization", "text", "body"];
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: secrets.flatMap((name) => [name, `*.${name}`]), censor: "[removed]" },
  };
  return destination ? pino(options, destination) : pino(options);
}
