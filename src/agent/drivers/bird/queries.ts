/**
 * Queries BIRD about sessions and returns facts, or the text that `birdc` would print. A fact that BIRD refuses to tell is
 * unknown: the query rejects with `BirdUnavailableError`. A text contains BIRD's error message.
 */
import type { RefusedRouteFacts } from "#contract/call-tables/refused-route-facts.ts";
import { truncatedMark } from "#contract/diagnostics.ts";
import type { BgpSession } from "#domain/peering/bgp-sessions.ts";
import { createRefusedFacts } from "../refused-facts.ts";
import type { SessionDetail, SessionObservation } from "../router.ts";
import { showAllSessions } from "./all-sessions.ts";
import { assertNoBirdError, type BirdControl, type BirdReply, isBirdError } from "./control-socket.ts";
import { parseFilteredRoutes } from "./parse-filtered.ts";
import { parseSessions } from "./parse-session.ts";
import { annotateReasons } from "./filter-reasons.ts";

type Sessions = readonly BgpSession[];

export interface BirdQueries {
  /** Observes the sessions with the names that `names` returns after BIRD's reply, with one command. */
  readonly observe: (names: () => ReadonlySet<string>) => Promise<readonly SessionObservation[]>;
  readonly details: (sessions: Sessions) => Promise<string>;
  readonly sessions: (sessions: Sessions) => Promise<readonly SessionDetail[]>;
  readonly restart: (sessions: Sessions) => Promise<{ readonly ok: boolean; readonly output: string }>;
  readonly received: (sessions: Sessions) => Promise<string>;
  readonly refused: (sessions: Sessions) => Promise<RefusedRouteFacts>;
  readonly advertised: (sessions: Sessions) => Promise<string>;
}

/**
 * Limit for one reply. A text of the `Router` interface has at most 1 MiB and consists of at most four
 * replies.
 */
const outputLimitBytes = 240 * 1024;
/**
 * At most 500 routes per address family, the limit of the wire. Further output of BIRD is cut off; the totals
 * are its count of the routes in the table.
 */
const maxListed = 500;
const netTypes = { IPv4: "NET_IP4", IPv6: "NET_IP6" } as const;

export function createBirdQueries(bird: BirdControl, providerAsn: string): BirdQueries {
  const sendAll = (commands: readonly string[]) =>
    Promise.all(commands.map((command) => bird(command, { outputLimitBytes })));
  const sendForText = async (commands: readonly string[]) => (await sendAll(commands)).map(textOf).join("");
  const sendForFacts = async (command: string) =>
    assertNoBirdError(await bird(command, { outputLimitBytes }));
  /** Leaves out sessions that BIRD does not know. */
  const readSessions = async (sessions: Sessions) =>
    (await sendAll(sessions.map(({ name }) => `show protocols all ${name}`))).flatMap(parseSessions);
  return {
    observe: async (names) => {
      const sessions = parseSessions(await showAllSessions(bird, "show protocols all"));
      const wanted = names();
      return sessions.filter(({ name }) => wanted.has(name));
    },
    details: (sessions) => sendForText(sessions.map(({ name }) => `show protocols all ${name}`)),
    sessions: readSessions,
    restart: async (sessions) => {
      const disabled = (await readSessions(sessions)).filter(({ isDisabled }) => isDisabled === true);
      const isEnabled = ({ name }: BgpSession) => !disabled.some((each) => each.name === name);
      const replies = await sendAll(sessions.filter(isEnabled).map(({ name }) => `restart ${name}`));
      const refusals = disabled.map(({ name }) => `${name}: not restarted, the provider has disabled it\n`);
      return {
        ok: replies.length > 0 && !replies.some(isBirdError),
        output: [...replies.map(textOf), ...refusals].join(""),
      };
    },
    received: async (sessions) => {
      const accepted = await sendForText(sessions.map(({ name }) => `show route all protocol ${name}`));
      const rejected = await sendForText(
        sessions.map(({ name }) => `show route all filtered protocol ${name}`),
      );
      return rejected === "" ? accepted : `${accepted}\nFiltered:\n${annotateReasons(rejected, providerAsn)}`;
    },
    refused: async (sessions) => {
      const channels = sessions.flatMap(({ name, channels: families }) =>
        families.map(
          (family) => `show route all filtered protocol ${name} where net.type = ${netTypes[family]}`,
        ),
      );
      const [details, replies] = await Promise.all([
        readSessions(sessions),
        Promise.all(channels.map(sendForFacts)),
      ]);
      const listed = replies.map((reply) => parseFilteredRoutes(reply, providerAsn).slice(0, maxListed));
      return createRefusedFacts(listed.flat(), details);
    },
    advertised: (sessions) => sendForText(sessions.map(({ name }) => `show route all export ${name}`)),
  };
}

function textOf({ lines, isTruncated: cut, code }: BirdReply): string {
  const shown = lines.filter(({ text }, index) => index < lines.length - 1 || text !== "");
  return [...shown.map(({ text }) => text), ...(cut ? [`${truncatedMark}, after code ${code})`] : []), ""]
    .join("\n")
    .replace(/^\n$/, "");
}
