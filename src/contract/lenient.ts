/**
 * What the app accepts of a response. `entities.ts` says what our server sends; another server that speaks the
 * specification sends only the fields of its section 7, and words and types of its own.
 *
 * - A field beyond the specification is optional.
 * - Status words are open lists.
 * - A missing text is empty, a missing list has no items, and numbers are accepted as texts.
 * - A field beyond the specification with a value that the app does not know counts as missing.
 */
import * as v from "valibot";
import type { AddressFamily, YesNo } from "./entities.ts";
import * as e from "./entities.ts";
import * as history from "./history.ts";
import { configOptions } from "./peering-options.ts";

/** A text, or a number as text; empty if it is missing or something else. */
const text = v.fallback(v.union([v.string(), v.pipe(v.number(), v.transform(String))]), "");

/** The status words that the app compares, by their lower case. */
const statusWords = new Map(["OK", "Issues", "Down", "Up"].map((word) => [word.toLowerCase(), word]));

/** A status word. Known words are accepted in any case, others are left as they are. */
const statusWord = v.pipe(
  text,
  v.transform((word) => statusWords.get(word.toLowerCase()) ?? word),
);

const texts = v.fallback(v.array(text), []);

/** A number, or null if it is missing or not a number. */
const count = v.fallback(
  v.nullable(v.union([v.number(), v.pipe(v.string(), v.trim(), v.regex(/^\d+$/), v.transform(Number))])),
  null,
);

/** Words that mean Yes, in lower case. Everything else means No. */
const yesWords: ReadonlySet<unknown> = new Set(["yes", "true", "on", "enabled", "1"]);

/** A field beyond the specification. It is undefined if it is missing or has a value of another type. */
function optionalOf<const Schema extends v.GenericSchema>(schema: Schema) {
  return v.fallback(v.optional(schema), undefined);
}

/** Whether the node replied: only `false` says that it did not. */
const isKnown = v.fallback(v.optional(v.boolean(), true), true);

const yesNo = v.optional(
  v.pipe(
    v.unknown(),
    v.transform((value): YesNo => (yesWords.has(String(value).toLowerCase()) ? "Yes" : "No")),
  ),
  "No",
);

/** Where the status alone decides, the body may be anything. */
export const anyBody = v.pipe(
  v.unknown(),
  v.transform(() => ({})),
);

/** The status alone decides. */
export const sentMail = v.fallback(
  v.object({ sent_to: texts, refused: optionalOf(v.array(e.refusedAddress)) }),
  { sent_to: [] },
);

export const authStatus = v.object({ isAuthenticated: v.boolean(), username: text });

export const nodesList = v.array(
  v.union([
    v.object({ name: v.string() }),
    v.pipe(
      v.string(),
      v.transform((name) => ({ name })),
    ),
  ]),
);

export const connection = v.object({ from: v.string(), to: v.string(), status: text });
export type Connection = v.InferOutput<typeof connection>;

/** A state of a deployment, as a poll reads it. Who polls knows its ID, node and kind. */
export const taskState = v.object({
  /** `success`, `failed` and `error` end it. */
  status: text,
  quip: text,
  taskID: v.optional(text),
  node: optionalOf(v.string()),
  kind: optionalOf(e.taskKind),
  steps: texts,
  reason: text,
  deadline: count,
});

export type TaskState = v.InferOutput<typeof taskState>;

/** The response to a submit or a deletion. Without an ID the deployment cannot be followed. */
export const startedTask = v.object({ ...taskState.entries, taskID: v.pipe(text, v.nonEmpty()) });

/** A deployment as the app knows it. */
export type Task = Omit<e.Task, "status"> & { readonly status: string };

const optionTexts = v.entriesFromList(Object.keys(configOptions) as Array<keyof typeof configOptions>, text);

export const peerConfig = v.pipe(
  v.object({
    local_port: text,
    local_asn: text,
    remote: text,
    peer_ipv4: text,
    peer_ipv6: text,
    peer_publickey: text,
    peer_asn: text,
    bgp_ipv4: yesNo,
    bgp_ipv6: yesNo,
    bgp_mpbgp: yesNo,
    bgp_extnh: yesNo,
    address_family: optionalOf(e.addressFamily),
    local_ipv6: text,
    generation: optionalOf(v.number()),
    ...optionTexts,
  }),
  v.transform((config) => ({ ...config, address_family: config.address_family ?? familyOf(config) })),
);
export type PeerConfig = v.InferOutput<typeof peerConfig>;

function familyOf({ bgp_ipv4, bgp_ipv6 }: { bgp_ipv4: YesNo; bgp_ipv6: YesNo }): AddressFamily {
  if (bgp_ipv4 === bgp_ipv6) return "Both";
  return bgp_ipv4 === "Yes" ? "IPv4" : "IPv6";
}

export const nodeConfig = v.object({
  public_ip: text,
  local_ipv4: text,
  local_ipv6: text,
  public_key: text,
  next_public_key: optionalOf(v.string()),
  switch_at: optionalOf(v.number()),
});
export type NodeConfig = v.InferOutput<typeof nodeConfig>;

const bgpSession = v.object({
  ...e.bgpSessionStatus.entries,
  routes: v.fallback(e.bgpSessionStatus.entries.routes, null),
  since: optionalOf(e.bgpSessionStatus.entries.since),
  ends: optionalOf(e.bgpSessionStatus.entries.ends),
});

const noTunnelStatus = { state: "", issues: [], tx: "", rx: "" };

export const peerStatus = v.object({
  node: v.string(),
  known: isKnown,
  bgp_status: statusWord,
  wg_status: v.fallback(
    v.object({
      state: statusWord,
      issues: texts,
      tx: text,
      rx: text,
      handshake: optionalOf(v.string()),
      endpoint: optionalOf(v.string()),
      loss: optionalOf(v.string()),
    }),
    noTunnelStatus,
  ),
  latency: text,
  /** Undefined if the server knows no sessions. */
  sessions: optionalOf(v.array(bgpSession)),
  /** Undefined if the server sends texts alone. */
  findings: optionalOf(e.findings),
  deployment: v.fallback(e.peerStatus.entries.deployment, null),
});
export type PeerStatus = v.InferOutput<typeof peerStatus>;

export const nodeStatus = v.object({
  status: statusWord,
  known: isKnown,
  uptime: text,
  load: text,
  issues: texts,
  findings: optionalOf(e.findings),
});

export const nodeHistories = v.object({
  ...history.nodeHistories.entries,
  nodes: v.array(v.object({ ...history.nodeHistory.entries, now: v.fallback(v.nullable(v.string()), null) })),
});
export type NodeHistories = v.InferOutput<typeof nodeHistories>;

const output = v.fallback(v.object({ output: text }), { output: "" });

export const routerOutput = output;

export const peerDetails = v.object({ wg_details: output, bgp_details: output });

const counts = v.fallback(v.object({ ipv4: count, ipv6: count }), { ipv4: null, ipv6: null });

export const bgpCheck = v.object({
  address_families: text,
  bgp_extnh: text,
  received_routes: counts,
  filtered_routes: counts,
  rejected_routes: counts,
});
export type BgpCheck = v.InferOutput<typeof bgpCheck>;

/** `result` is "success", or any other word for a ping that failed. */
export const pingResult = v.fallback(v.object({ result: text, output: text }), { result: "", output: "" });
export type PingResult = v.InferOutput<typeof pingResult>;

const { nodes, map, dashboards } = e.provider.entries;
const noMap = { tiles: "", attribution: "", attribution_url: "" };
const noDashboards = { node_cpu: "", node_memory: "", interface: "", total_routes: "" };

export const provider = v.object({
  name: v.string(),
  domain: text,
  asn: text,
  public_url: text,
  demo: v.fallback(v.boolean(), false),
  nodes: v.array(v.object({ ...nodes.item.entries, place: text })),
  resolver: text,
  looking_glass: text,
  status_page: text,
  map: v.fallback(map, noMap),
  dashboards: v.fallback(dashboards, noDashboards),
  options: texts,
  ways_in: texts,
});
