/** Logins and logouts. A confirmed login session lasts, and a confirmed logout ends it for good. */
import { setTimeout as pause } from "node:timers/promises";
import { calls } from "#contract/calls.ts";
import type { Caller } from "#contract/client.ts";
import { caller, logIn } from "#tests/integration/server/participant.ts";
import { readWhenBack, sendChange } from "./answers.ts";
import { InvariantError } from "../campaign.ts";
import type { Work, WorkOptions } from "./work.ts";

interface LoginSession {
  readonly cookie: string;
  state: "open" | "ended" | "unknown";
}

/** Below the server's limit for an AS. */
const maxOpen = 8;
/** Below the server's limit of logins, with all rounds of a sequence. */
const loginsPerRound = 2;
const pauseMs = 800;

export async function createLoginWork({
  url,
  asn,
  password,
  random,
  record,
}: WorkOptions): Promise<{ readonly work: Work; readonly call: Caller }> {
  const { call } = await logIn(url, asn, password);
  const sessions: LoginSession[] = [];
  const open = () => sessions.filter(({ state }) => state === "open");

  async function logInOnce(): Promise<void> {
    const answer = await sendChange(() => logIn(url, asn, password));
    record.log(`AS${asn}: login ${answer.outcome}`);
    record.count(`logins ${answer.outcome}`);
    if (answer.outcome === "accepted") sessions.push({ cookie: answer.value.cookie, state: "open" });
  }

  async function logOut(session: LoginSession): Promise<void> {
    const answer = await sendChange((signal) =>
      caller(url, session.cookie)(calls.logout, undefined, { signal }),
    );
    record.log(`AS${asn}: logout ${answer.outcome}`);
    record.count(`logouts ${answer.outcome}`);
    if (answer.outcome !== "refused") session.state = answer.outcome === "accepted" ? "ended" : "unknown";
  }

  return {
    call,
    work: {
      async run(signal) {
        for (let logins = 0; logins < loginsPerRound && !signal.aborted; logins += 1) {
          await pause(random.integer(pauseMs), undefined, { signal }).catch(() => undefined);
          if (signal.aborted) return;
          await logInOnce();
          const [first] = open();
          if (first && (open().length > maxOpen || random.chance(0.4))) await logOut(first);
        }
      },
      async settle() {
        for (const session of sessions) {
          const { isAuthenticated } = await readWhenBack(() =>
            caller(url, session.cookie)(calls.authStatus, undefined),
          );
          if (session.state === "unknown") session.state = isAuthenticated ? "open" : "ended";
          if (isAuthenticated !== (session.state === "open"))
            throw new InvariantError(
              `AS${asn}: a login session that is ${session.state} ${isAuthenticated ? "works" : "does not work"}`,
            );
        }
      },
    },
  };
}
