/** What can be wrong with a participant's BGP sessions. */
import { factKinds } from "#contract/agent/findings.ts";
import { formatAge } from "../../text/age.ts";
import { findingRow, listWords } from "./finding-row.ts";

const { word, words, number, output } = factKinds;

/** The address families of the sessions, and the node's addresses of them. */
const sessionFacts = { families: words, addresses: words };

interface SessionFacts {
  readonly families: readonly string[];
  readonly addresses: readonly string[];
}

const notEstablished = { segment: "session", weight: "broken" } as const;

const of = ({ families }: SessionFacts, fault: string) =>
  families.length === 0
    ? `${fault.charAt(0).toUpperCase()}${fault.slice(1)}.`
    : `${listWords(families)}: ${fault}.`;

/** What to check wherever the cause is not known for certain. */
const checkSession = ({ addresses }: SessionFacts) => {
  const neighbour = addresses.length === 0 ? "the node" : listWords(addresses);
  return (
    `Check that your BGP daemon runs a session with ${neighbour}, that both AS numbers match those under Edit ` +
    "Peering, and that your firewall allows TCP port 179 on the tunnel."
  );
};

/** A refused connection has not come as far as the AS numbers. */
const checkListener = ({ addresses }: SessionFacts) => {
  const neighbour = addresses.length === 0 ? "the node" : listWords(addresses);
  return (
    `Check that your BGP daemon is running and has a session with ${neighbour}, and that your firewall does not ` +
    "reject TCP port 179 on the tunnel. The node tries again by itself."
  );
};

/** The likely causes where small packets pass and large ones do not. */
const largePacketsFix =
  "A likely cause is that the path loses large packets: set the MTU of your tunnel to 1280, and that of this peering under More " +
  "options. Other causes are a line that loses packets, and a router that is overloaded.";

export const sessionFindings = {
  "session-waiting": findingRow(
    {},
    {
      ...notEstablished,
      sentence: "BGP is waiting for the tunnel",
      explanation: "BGP is waiting for the tunnel.",
      participantFix: "Fix the tunnel first.",
    },
  ),
  // For two minutes after a deployment.
  "session-awaited": findingRow(
    {},
    {
      segment: "session",
      weight: "unknown",
      sentence: "Waiting for your router",
      explanation: "The node is ready and waits for your router's BGP session.",
      participantFix: "Set up your side with the configuration under Edit Peering.",
    },
  ),
  "session-refused": findingRow(sessionFacts, {
    ...notEstablished,
    sentence: "Your router refuses BGP connections",
    explanation: (facts) => of(facts, "your router refused the BGP connection (TCP 179)"),
    participantFix: checkListener,
  }),
  "session-closed": findingRow(sessionFacts, {
    ...notEstablished,
    sentence: "Your router closes BGP connections",
    explanation: (facts) => of(facts, "your router closed the BGP connection"),
    participantFix: checkSession,
  }),
  "session-unreachable": findingRow(sessionFacts, {
    ...notEstablished,
    sentence: "Your tunnel address is not reachable",
    explanation: (facts) => of(facts, "your router is not reachable through the tunnel"),
    participantFix: checkSession,
  }),
  "session-silent": findingRow(sessionFacts, {
    ...notEstablished,
    sentence: "No BGP reply from your router",
    explanation: (facts) => of(facts, "no reply from your router"),
    participantFix: checkSession,
  }),
  "session-wrong-as": findingRow(sessionFacts, {
    ...notEstablished,
    sentence: "The AS numbers do not match",
    explanation: (facts) => of(facts, "your router and the node disagree about an AS number (Bad peer AS)"),
    participantFix: "Compare both AS numbers in your BGP configuration with those under Edit Peering.",
  }),
  "session-hold-timer": findingRow(sessionFacts, {
    ...notEstablished,
    sentence: "No keepalives arrive in time",
    explanation: (facts) => of(facts, "the session ended because no keepalives arrived in time (hold timer)"),
    participantFix: `Check that your router and its BGP daemon run. ${largePacketsFix}`,
  }),
  "session-flapping": findingRow(
    { families: words, times: number, seconds: number },
    {
      segment: "session",
      weight: "degraded",
      sentence: ({ times }) => `The hold timer ended the session ${times} times`,
      explanation: ({ families, times, seconds }) =>
        `${listWords(families)}: the session ended ${times} times, the first time ${formatAge(seconds)}, because no keepalives ` +
        "arrived in time (hold timer).",
      participantFix: largePacketsFix,
    },
  ),
  "session-stuck": findingRow(
    { families: words, seconds: number },
    {
      segment: "session",
      weight: "degraded",
      sentence: "Routes do not arrive at your router",
      explanation: ({ families, seconds }) =>
        `${listWords(families)}: your router has confirmed nothing of what the node sends since ${Math.round(seconds)} s, so it lacks routes. ` +
        "Smaller packets may pass.",
      participantFix: largePacketsFix,
    },
  ),
  "session-shut-down": findingRow(
    { ...sessionFacts, output },
    {
      ...notEstablished,
      sentence: "The session was shut down",
      explanation: ({ output: printed, ...facts }) => of(facts, `the session was shut down (${printed})`),
      participantFix: "Enable the session on your router.",
    },
  ),
  "session-disabled": findingRow(
    { families: words, sessions: words },
    {
      ...notEstablished,
      sentence: "The provider has disabled this session",
      explanation: ({ families }) =>
        `${listWords(families)}: the provider has disabled the BGP session. Your router's configuration is not the cause.`,
      providerFix: ({ sessions }) =>
        `Enable it on the node: ${sessions.map((name) => `birdc enable ${name}`).join("; ")}.`,
    },
  ),
  "session-not-established": findingRow(
    { ...sessionFacts, state: word, output },
    {
      ...notEstablished,
      sentence: ({ state }) => `The session is ${state}`,
      explanation: ({ state, output: printed, ...facts }) =>
        of(facts, `the BGP session is ${state}${printed === "" ? "" : ` (${printed})`}`),
      participantFix: checkSession,
    },
  ),
  "session-not-running": findingRow(
    { session: word },
    {
      ...notEstablished,
      sentence: "The node is restoring your session",
      explanation: ({ session }) =>
        `The node is not running session ${session} at the moment. It will be set up again automatically.`,
      participantFix: "Check again in a minute.",
    },
  ),
  "capabilities-unknown": findingRow(
    { session: word },
    {
      segment: "session",
      weight: "unknown",
      sentence: "Your router's capabilities are not known",
      explanation: ({ session }) => `BIRD does not say what your router announces in session ${session}.`,
      participantFix: "Check again in a minute.",
    },
  ),
  "family-not-announced": findingRow(
    { session: word, family: word },
    {
      segment: "session",
      weight: "degraded",
      sentence: ({ family }) => `Your router does not announce ${family}`,
      explanation: ({ session, family }) => `Your router does not announce ${family} in session ${session}.`,
      participantFix: ({ family }) => `Add an ${family.toLowerCase()} channel to it.`,
    },
  ),
  "extended-next-hop-missing": findingRow(
    { session: word },
    {
      segment: "session",
      weight: "degraded",
      sentence: "Your router lacks extended next hop",
      explanation: ({ session }) => `Your router does not announce extended next hop in session ${session}.`,
      participantFix: 'Set "extended next hop on" in its ipv4 channel, or choose No for Extended Nexthop.',
    },
  ),
};
