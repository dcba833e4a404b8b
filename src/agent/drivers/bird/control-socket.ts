/**
 * A client of BIRD's control socket. `birdc` exits with 0 whatever BIRD replied; the socket's reply codes are
 * reliable.
 *
 * A reply consists of lines. `1002-text` opens or continues a code, ` text` continues the code of the line
 * before it, `0003 text` ends the reply. Codes 8xxx are runtime errors, 9xxx are parse errors of a command
 * (BIRD's doc/reply_codes).
 *
 * Invariant: one connection carries one command, so a reply cannot be mistaken for another command's.
 */
import { connect } from "node:net";

export interface BirdLine {
  readonly code: number;
  readonly text: string;
}

export interface BirdReply {
  /** The code that ended the reply. */
  readonly code: number;
  /** The text of the last line. */
  readonly text: string;
  /** All lines, including the last one. */
  readonly lines: readonly BirdLine[];
  /** Whether the reply exceeded the limit; `code` is then the code of the last line read. */
  readonly isTruncated: boolean;
}

/**
 * BIRD does not reply: there is no socket, no process behind it, a timeout, or something that is not BIRD.
 */
export class BirdUnavailableError extends Error {
  override readonly name = "BirdUnavailableError";
}

export interface BirdCallOptions {
  readonly timeoutMs?: number;
  readonly outputLimitBytes?: number;
}

/** Sends one command and resolves with the reply, which may be an error of BIRD. */
export type BirdControl = (command: string, options?: BirdCallOptions) => Promise<BirdReply>;

const greetingCode = 1;
const defaultTimeoutMs = 10_000;
const defaultOutputBytes = 16 * 1024 * 1024;

export function isBirdError({ code }: BirdReply): boolean {
  return code >= 8000;
}

/** Returns the reply, or throws `BirdUnavailableError` with BIRD's message if it is an error: a figure is then unknown. */
export function assertNoBirdError(reply: BirdReply): BirdReply {
  if (isBirdError(reply)) throw new BirdUnavailableError(`BIRD replied: ${reply.code} ${reply.text}.`);
  return reply;
}

export function createBirdControl(socketPath: string): BirdControl {
  return (command, options = {}) => {
    if (/[\r\n\0]/.test(command)) return Promise.reject(new Error("a BIRD command must be one line"));
    const { timeoutMs = defaultTimeoutMs, outputLimitBytes = defaultOutputBytes } = options;
    return new Promise((resolve, reject) => {
      const socket = connect(socketPath);
      const reader = createReplyReader();
      let size = 0;
      let isGreeted = false;
      const close = (settle: () => void) => {
        clearTimeout(timer);
        socket.destroy();
        settle();
      };
      const fail = (reason: string, cause?: unknown) =>
        close(() =>
          reject(new BirdUnavailableError(`BIRD's control socket ${socketPath} ${reason}`, { cause })),
        );
      const timer = setTimeout(() => fail(`did not reply within ${timeoutMs / 1000} s.`), timeoutMs);
      socket.on("error", (error) => fail(`cannot be used: ${error.message}.`, error));
      socket.on("close", () => fail("was closed before the reply was complete."));
      socket.setEncoding("utf8");
      socket.on("data", (chunk: string) => {
        size += Buffer.byteLength(chunk);
        const replies = reader.push(chunk);
        if (replies === null) {
          fail("does not speak BIRD's protocol.");
          return;
        }
        for (const reply of replies) {
          if (isGreeted) {
            close(() => resolve(reply));
            return;
          }
          if (reply.code !== greetingCode) {
            fail("did not send BIRD's greeting.");
            return;
          }
          isGreeted = true;
          socket.write(`${command}\n`);
        }
        if (size > outputLimitBytes) close(() => resolve(reader.partial()));
      });
    });
  };
}

/**
 * Assembles replies from chunks. `push` returns the completed replies, or null if the text is not BIRD's
 * protocol.
 */
export function createReplyReader() {
  /** The pieces of a line that is not complete: joined once, because each chunk may continue the same line. */
  let rest: string[] = [];
  let lines: BirdLine[] = [];
  return {
    push: (chunk: string): readonly BirdReply[] | null => {
      const end = chunk.lastIndexOf("\n");
      rest.push(end === -1 ? chunk : chunk.slice(0, end));
      if (end === -1) return [];
      const texts = rest.join("").split("\n");
      rest = [chunk.slice(end + 1)];
      const replies: BirdReply[] = [];
      for (const text of texts) {
        // A line with `+` is an asynchronous message, to which the agent does not subscribe.
        if (text.startsWith("+")) continue;
        const line = parseLine(text, lines.at(-1)?.code);
        if (line === null) return null;
        lines.push({ code: line.code, text: line.text });
        if (!line.last) continue;
        replies.push({ code: line.code, text: line.text, lines, isTruncated: false });
        lines = [];
      }
      return replies;
    },
    partial: (): BirdReply => ({ code: lines.at(-1)?.code ?? 0, text: "", lines, isTruncated: true }),
  };
}

function parseLine(text: string, previousCode: number | undefined) {
  if (text.startsWith(" ") && previousCode !== undefined)
    return { code: previousCode, text: text.slice(1), last: false };
  // A participant's shutdown text may contain U+2028, at which `.` stops without the flag.
  const match = /^([0-9]{4})([ -])(.*)$/s.exec(text);
  if (!match) return null;
  return { code: Number(match[1]), text: match[3] ?? "", last: match[2] === " " };
}
