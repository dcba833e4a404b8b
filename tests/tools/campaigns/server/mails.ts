/** Messages to support. The server mails each confirmed one; `final-checks.ts` compares them with what arrived. */
import { setTimeout as pause } from "node:timers/promises";
import { calls } from "#contract/calls.ts";
import type { Caller } from "#contract/client.ts";
import { sendChange } from "./answers.ts";
import type { Work, WorkOptions } from "./work.ts";
import type { SentMessage } from "./record.ts";

/** One message a round stays below the server's limit of ten an hour. */
const pauseMs = 1_500;

export function createMailWork({ asn, random, record }: WorkOptions, call: Caller): Work {
  let open: SentMessage | null = null;

  async function send(message: SentMessage): Promise<void> {
    const body = { username: asn, name: "Ada", email: "ada@example.org", message: message.text };
    record.announceChange();
    const answer = await sendChange((signal) => call(calls.submitContactForm, body, { signal }));
    record.log(`AS${asn}: message «${message.text}» ${answer.outcome}`);
    record.count(`messages ${answer.outcome}`);
    // A repeated message that is refused may have been saved the first time.
    if (!(open === message && answer.outcome === "refused")) message.outcome = answer.outcome;
    open = message.outcome === "unknown" ? message : null;
  }

  return {
    async run(signal) {
      await pause(random.integer(pauseMs), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const message: SentMessage = {
        text: `My session flaps, AS${asn}, message number ${record.nextNumber()}.`,
        outcome: "refused",
      };
      record.messages.push(message);
      await send(message);
    },
    async settle() {
      if (open && random.chance(0.5)) await send(open);
      open = null;
    },
  };
}
