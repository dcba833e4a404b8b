/**
 * A BGP speaker as a program, so that it can run in a host's network namespace. Its argument is the speaker's options
 * as JSON. Reads one JSON line per call, `{ id, call, args }`, and writes one per result, `{ id, value }` or
 * `{ id, error }`. Ends with its standard input.
 */
import { createInterface } from "node:readline";
import { type BgpSpeaker, type BgpSpeakerOptions, createBgpSpeaker } from "./speaker.ts";

/** A method of the speaker and its arguments. */
export type SpeakerCall = {
  [Name in Extract<keyof BgpSpeaker, string>]: {
    readonly call: Name;
    readonly args: Readonly<Parameters<BgpSpeaker[Name]>>;
  };
}[Extract<keyof BgpSpeaker, string>];

await using speaker = createBgpSpeaker(JSON.parse(process.argv[2] ?? "") as BgpSpeakerOptions);

async function answer(id: number, { call, args }: SpeakerCall): Promise<void> {
  const method = speaker[call] as (...values: typeof args) => unknown;
  const result = await Promise.resolve()
    .then(() => method(...args))
    .then(
      (value) => ({ value }),
      (error: Error) => ({ error: { name: error.name, message: error.message } }),
    );
  process.stdout.write(`${JSON.stringify({ id, ...result })}\n`);
}

// Calls run at the same time: one of them may wait for an event that another one causes.
for await (const line of createInterface({ input: process.stdin })) {
  const { id, ...call } = JSON.parse(line) as SpeakerCall & { readonly id: number };
  void answer(id, call);
}
