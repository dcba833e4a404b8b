/**
 * What versions of BIRD replied in known situations, recorded by `npm run record:bird`, with a judgement of each
 * situation. `recording-files.ts` says how the recordings are stored.
 */
import path from "node:path";
import { type BirdReply, createReplyReader } from "../../src/agent/drivers/bird/control-socket.ts";
import type { Judgement } from "../fixtures/router-outputs/judgement.ts";
import { findJudgement } from "../fixtures/router-outputs/judgements.ts";
import { readRecordings } from "./recording-files.ts";
import { repository } from "./repository.ts";

export interface RecordedReply {
  readonly command: string;
  readonly reply: BirdReply;
}

export interface RouterOutput {
  /** The version of BIRD, such as `2.0.12`. */
  readonly version: string;
  /** The name of the case, such as `limit-import-exceeded`. */
  readonly name: string;
  /** In the order in which the commands were sent. A command may occur more than once. */
  readonly replies: readonly RecordedReply[];
  readonly judgement: Judgement;
}

const folder = path.join(repository, "tests/fixtures/router-outputs");

/** Reads all recordings of all versions. */
export async function readRouterOutputs(): Promise<readonly RouterOutput[]> {
  const recordings = await readRecordings(folder);
  return [...recordings].flatMap(([version, texts]) =>
    Array.from(texts, ([name, text]) => {
      const replies = parseRecording(Buffer.from(text, "latin1").toString("utf8"));
      return { version, name, replies, judgement: findJudgement(version, name) };
    }),
  );
}

/** Returns the first recorded reply to a command. Throws if there is none. */
export function replyTo({ version, name, replies }: RouterOutput, command: string): BirdReply {
  const found = replies.find((each) => each.command === command);
  if (!found) throw new Error(`the recording ${name} of BIRD ${version} has no reply to: ${command}`);
  return found.reply;
}

/** Parses blocks of `> command` and the lines of the reply. No line of a reply starts with `>`. */
function parseRecording(text: string): readonly RecordedReply[] {
  return text
    .split(/^> /m)
    .slice(1)
    .map((block) => {
      const [command = "", ...lines] = block.split("\n");
      const [reply] = createReplyReader().push(lines.join("\n")) ?? [];
      if (!reply) throw new Error(`the recorded reply to ${command} is not complete`);
      return { command, reply };
    });
}
