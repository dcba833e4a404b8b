/** The steps of a deployment, once: each is a code with facts, and the table has its sentence. They name nothing of the node's own: participants read them. */
import {
  type CodedFacts,
  type FactsOf,
  factKinds,
  factsOf,
  type FactsSchema,
  readFacts,
} from "../../contract/agent/findings.ts";
import { listWords } from "./table/finding-row.ts";

const { word, words, number, boolean, nullable } = factKinds;

interface StepRow<Schema extends FactsSchema = FactsSchema> {
  readonly facts: Schema;
  readonly sentence: string | ((facts: FactsOf<Schema>) => string);
}

type Entries = Parameters<typeof factsOf>[0];

function stepRow<const E extends Entries>(
  entries: E,
  sentence: StepRow<ReturnType<typeof factsOf<E>>>["sentence"],
): StepRow<ReturnType<typeof factsOf<E>>> {
  return { facts: factsOf(entries), sentence };
}

const sessionEntries = { families: words, transport: word, hasExtendedNextHop: boolean };

const session = ({
  families,
  transport,
  hasExtendedNextHop,
}: FactsOf<ReturnType<typeof factsOf<typeof sessionEntries>>>) =>
  `${listWords(families)} over ${transport}${hasExtendedNextHop ? " with extended next hop" : ""}`;

/** The values of a tunnel that can change without removing it. */
const tunnelValues = {
  endpoint: "endpoint",
  publicKey: "participant's public key",
  listenPort: "node's UDP port",
  localIpv4: "node's tunnel IPv4",
  localIpv6: "node's tunnel IPv6",
  peerIpv4: "participant's tunnel IPv4",
  peerIpv6: "participant's tunnel IPv6",
  mtu: "tunnel's MTU",
} as const;
export type TunnelValue = keyof typeof tunnelValues;

const keyChanges: Readonly<Record<string, string>> = { set: "Set", removed: "Removed", replaced: "Changed" };

const stepTable = {
  // The server's steps.
  accepted: stepRow({}, "Checked and saved the change."),
  called: stepRow(
    { host: word, isDeletion: boolean, attempt: number },
    ({ host, isDeletion, attempt }) =>
      `Called ${host} ${isDeletion ? "to delete" : "to deploy"} the peering${attempt === 1 ? "" : `, attempt ${attempt}`}.`,
  ),
  "not-called": stepRow(
    { host: word },
    ({ host }) => `${host} is no longer one of the provider's nodes and was not called.`,
  ),
  // The agent's steps.
  "no-changes": stepRow({}, "The node had already applied this."),
  superseded: stepRow(
    { applied: number, requested: number },
    ({ applied, requested }) =>
      `The node already has generation ${applied}, which is newer than ${requested}. Nothing was changed.`,
  ),
  "change-rolled-back": stepRow({}, "Rolled back a change that was interrupted."),
  "bird-reloaded": stepRow({}, "BIRD loaded the confirmed configuration again."),
  "files-written": stepRow({}, "Wrote the new configuration next to the running one."),
  "tunnel-created": stepRow(
    { port: number, endpoint: nullable(word) },
    ({ port, endpoint }) =>
      `Set up the tunnel on UDP port ${port}${endpoint === null ? ", to which your router connects" : ` towards ${endpoint}`}.`,
  ),
  "tunnel-changed": stepRow(
    { value: word, before: word, after: word },
    ({ value, before, after }) =>
      `Changed the ${tunnelValues[value as TunnelValue] ?? value} from ${before} to ${after}.`,
  ),
  /** The facts contain no key. */
  "preshared-key-changed": stepRow(
    { change: word },
    ({ change }) => `${keyChanges[change] ?? "Changed"} the pre-shared key.`,
  ),
  /** Null: the node's first key. */
  "node-key-changed": stepRow({ publicKey: nullable(word) }, ({ publicKey }) =>
    publicKey === null
      ? "Gave the tunnel the node's first public key."
      : `Gave the tunnel the node's public key ${publicKey}.`,
  ),
  "bird-loaded": stepRow({}, "BIRD parsed and loaded the new configuration."),
  "session-removed": stepRow(sessionEntries, (facts) => `Removed the BGP session for ${session(facts)}.`),
  "session-created": stepRow(sessionEntries, (facts) => `Set up the BGP session for ${session(facts)}.`),
  "sessions-postponed": stepRow(
    {},
    "The BGP session has ended. BIRD forgets it when the provider has finished its work on the node's configuration.",
  ),
  confirmed: stepRow({}, "The router's health check passed, and the configuration was confirmed."),
  "leftovers-removed": stepRow(
    { tunnels: number },
    ({ tunnels }) => `Removed tunnels that an interrupted change had left: ${tunnels}.`,
  ),
  "tunnel-removed": stepRow({}, "Removed the tunnel."),
};

type Table = typeof stepTable;

/** A code with exactly the facts of its row. */
export type Step = {
  readonly [Code in keyof Table]: { readonly code: Code; readonly facts: FactsOf<Table[Code]["facts"]> };
}[keyof Table];

/** The sentence of a step. One that the table lacks has its code. */
export function describeStep({ code, facts }: CodedFacts): string {
  const row = Object.hasOwn(stepTable, code) ? (stepTable[code as keyof Table] as unknown as StepRow) : null;
  const read = row && readFacts(row.facts, facts);
  if (!row || !read) return `Did a step that the server does not know: ${code}.`;
  return typeof row.sentence === "function" ? row.sentence(read) : row.sentence;
}
