/** What is asked of BIRD about the sessions of one peering, as `birdc` would print it. */
import type { RefusedRouteFacts } from "../../../contract/agent.ts";
import type { BgpSession } from "../../../domain/bgp-sessions.ts";
import { refusedFacts } from "../refused-facts.ts";
import type { SessionDetail } from "../router.ts";
import { type BirdControl, type BirdReply, isBirdError } from "./control-socket.ts";
import { parseRefused } from "./parse-refused.ts";
import { parseSession } from "./parse-session.ts";
import { explainRefusals } from "./refusals.ts";

type Sessions = readonly BgpSession[];

export interface BirdQueries {
  readonly details: (sessions: Sessions) => Promise<string>;
  readonly sessions: (sessions: Sessions) => Promise<readonly SessionDetail[]>;
  readonly restart: (sessions: Sessions) => Promise<{ readonly ok: boolean; readonly output: string }>;
  readonly received: (sessions: Sessions) => Promise<string>;
  readonly refused: (sessions: Sessions) => Promise<RefusedRouteFacts>;
  readonly advertised: (sessions: Sessions) => Promise<string>;
}

/** Of each reply; a text of the seam has at most 1 MiB, from at most four of them. */
const outputLimitBytes = 240 * 1024;
/** Of each family, the 500 that the wire allows; then BIRD is cut off, whose totals need no list. */
const refusedListed = 500;
const netTypes = { IPv4: "NET_IP4", IPv6: "NET_IP6" } as const;

export function createBirdQueries(bird: BirdControl, providerAsn: string): BirdQueries {
  const ask = (commands: readonly string[]) =>
    Promise.all(commands.map((command) => bird(command, { outputLimitBytes })));
  const texts = async (commands: readonly string[]) => (await ask(commands)).map(textOf).join("");
  const sessionsNow = async (sessions: Sessions) =>
    (await ask(sessions.map(({ name }) => `show protocols all ${name}`))).flatMap(
      (reply) => parseSession(reply) ?? [],
    );
  return {
    details: (sessions) => texts(sessions.map(({ name }) => `show protocols all ${name}`)),
    sessions: sessionsNow,
    restart: async (sessions) => {
      const replies = await ask(sessions.map(({ name }) => `restart ${name}`));
      return { ok: !replies.some(isBirdError), output: replies.map(textOf).join("") };
    },
    received: async (sessions) => {
      const taken = await texts(sessions.map(({ name }) => `show route all protocol ${name}`));
      const refused = await texts(sessions.map(({ name }) => `show route all filtered protocol ${name}`));
      return refused === "" ? taken : `${taken}\nFiltered:\n${explainRefusals(refused, providerAsn)}`;
    },
    refused: async (sessions) => {
      const channels = sessions.flatMap(({ name, channels: families }) =>
        families.map(
          (family) => `show route all filtered protocol ${name} where net.type = ${netTypes[family]}`,
        ),
      );
      const [details, replies] = await Promise.all([sessionsNow(sessions), ask(channels)]);
      const listed = replies.map((reply) => parseRefused(reply, providerAsn).slice(0, refusedListed));
      return refusedFacts(listed.flat(), details);
    },
    advertised: (sessions) => texts(sessions.map(({ name }) => `show route all export ${name}`)),
  };
}

function textOf({ lines, cut, code }: BirdReply): string {
  const shown = lines.filter(({ text }, index) => index < lines.length - 1 || text !== "");
  return [...shown.map(({ text }) => text), ...(cut ? [`(cut here, after code ${code})`] : []), ""]
    .join("\n")
    .replace(/^\n$/, "");
}
