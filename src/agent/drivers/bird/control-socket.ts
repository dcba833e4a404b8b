/**
 * BIRD's control socket, spoken directly: `birdc` ends with 0 whatever BIRD answered, the reply codes tell.
 *
 * A reply is a number of lines. `1002-text` opens or continues a code, ` text` continues the line's code
 * before it, `0003 text` ends the reply. Codes 8xxx are errors of running, 9xxx of parsing a command
 * (BIRD's doc/reply_codes).
 *
 * Invariant: one connection carries one command, so an answer cannot be taken for another's.
 */
import { connect } from "node:net";

export interface BirdLine {
  readonly code: number;
  readonly text: string;
}

export interface BirdReply {
  /** The code that ended the reply. */
  readonly code: number;
  /** Its words. */
  readonly text: string;
  /** All lines, the last one included. */
  readonly lines: readonly BirdLine[];
  /** Whether the reply was longer than the limit; then `code` is that of the last line read. */
  readonly cut: boolean;
}

/** BIRD does not answer: no socket, nobody behind it, too slow, or something that is not BIRD. */
export class BirdUnavailable extends Error {
  override readonly name = "BirdUnavailable";
}

export interface BirdCallOptions {
  readonly timeLimitMs?: number;
  readonly outputLimitBytes?: number;
}

/** Sends one command and resolves with the reply, an error of BIRD's included. */
export type BirdControl = (command: string, options?: BirdCallOptions) => Promise<BirdReply>;

const greetingCode = 1;
const defaultTimeMs = 10_000;
const defaultOutputBytes = 16 * 1024 * 1024;

export function isBirdError({ code }: BirdReply): boolean {
  return code >= 8000;
}

export function createBirdControl(socketPath: string): BirdControl {
  return (command, options = {}) => {
    if (/[\r\n\0]/.test(command)) return Promise.reject(new Error("a command to BIRD is one line"));
    const { timeLimitMs = defaultTimeMs, outputLimitBytes = defaultOutputBytes } = options;
    return new Promise((resolve, reject) => {
      const socket = connect(socketPath);
      const reader = createReplyReader();
      let size = 0;
      let greeted = false;
      const finish = (settle: () => void) => {
        clearTimeout(limit);
        socket.destroy();
        settle();
      };
      const fail = (why: string, cause?: unknown) =>
        finish(() => reject(new BirdUnavailable(`BIRD's control socket ${socketPath} ${why}`, { cause })));
      const limit = setTimeout(() => fail(`did not answer within ${timeLimitMs / 1000} s.`), timeLimitMs);
      socket.on("error", (error) => fail(`cannot be used: ${error.message}.`, error));
      socket.on("close", () => fail("was closed before the answer was complete."));
      socket.setEncoding("utf8");
      socket.on("data", (chunk: string) => {
        size += Buffer.byteLength(chunk);
        const replies = reader.push(chunk);
        if (replies === null) {
          fail("does not speak as BIRD does.");
          return;
        }
        for (const reply of replies) {
          if (greeted) {
            finish(() => resolve(reply));
            return;
          }
          if (reply.code !== greetingCode) {
            fail("did not greet as BIRD does.");
            return;
          }
          greeted = true;
          socket.write(`${command}\n`);
        }
        if (size > outputLimitBytes) finish(() => resolve(reader.soFar()));
      });
    });
  };
}

/** Puts chunks together to replies; `push` gives those that are complete, null for what is none. */
export function createReplyReader() {
  let rest = "";
  let lines: BirdLine[] = [];
  return {
    push: (chunk: string): readonly BirdReply[] | null => {
      const texts = (rest + chunk).split("\n");
      rest = texts.pop() ?? "";
      const replies: BirdReply[] = [];
      for (const text of texts) {
        // A `+` opens what BIRD says unasked, which nobody here subscribes to.
        if (text.startsWith("+")) continue;
        const line = parseLine(text, lines.at(-1)?.code);
        if (line === null) return null;
        lines.push({ code: line.code, text: line.text });
        if (!line.last) continue;
        replies.push({ code: line.code, text: line.text, lines, cut: false });
        lines = [];
      }
      return replies;
    },
    soFar: (): BirdReply => ({ code: lines.at(-1)?.code ?? 0, text: "", lines, cut: true }),
  };
}

function parseLine(text: string, before: number | undefined) {
  if (text.startsWith(" ") && before !== undefined) return { code: before, text: text.slice(1), last: false };
  const match = /^([0-9]{4})([ -])(.*)$/.exec(text);
  if (!match) return null;
  return { code: Number(match[1]), text: match[3] ?? "", last: match[2] === " " };
}
