import * as v from "valibot";
import type { Environment } from "#server/config/environment.ts";
import { nodeValues } from "#server/config/node-values.ts";
import { announceNotice, writeNodeAddressNotice } from "#server/features/accounts/notices/notice-store.ts";
import { findTunnelAddressUser } from "#server/features/peerings/node-addresses/tunnel-address-user.ts";
import { notifyOfAddress } from "#server/features/peerings/node-addresses/notify-of-address.ts";
import { findSharedValues } from "#server/nodes/change-node.ts";
import type { ProviderNode } from "#server/nodes/provider-node.ts";
import { ConfigError } from "#system/config/config-error.ts";
import { invalidArguments } from "../command-line.ts";
import { applyChange } from "./apply-change.ts";
import { parseNodeArguments, type Print, withNodes } from "./open-nodes.ts";

const usage = `peerdeck nodes move NAME [options] [--json]
  Changes what is stored of a node. Its peerings stay as they are.
  --place TEXT            "Frankfurt, Germany"
  --at LAT,LON            50.11,8.68 on the map; none: not on the map
  --address HOST          the public address or hostname that participants enter. The node's participants are notified
                          by mail, push and Activity
  --endpoint HOST         a further public address or hostname; can be repeated, replaces all earlier ones; none: no other
  --tunnel-ipv4 ADDRESS   the node's end of IPv4 tunnels; none: it has none
  --agent URL             where the server connects to its agent: https://192.0.2.11:4243
  --agent-fingerprint FP  that peerdeck-agent setup prints on the node`;

const text = { type: "string" } as const;
const options = {
  place: text,
  at: text,
  address: text,
  endpoint: { type: "string", multiple: true },
  "tunnel-ipv4": text,
  agent: text,
  "agent-fingerprint": text,
} as const;

const none = "none";

/** Runs `nodes move` and returns its exit code. */
export async function runMoveNode(
  args: readonly string[],
  environment: Environment,
  print: Print,
): Promise<number> {
  const { values, name, others } = parseNodeArguments(args, options, usage);
  if (others.length > 0) throw invalidArguments("Give one NAME", usage);
  const change = readChange(values);
  return withNodes(environment, { isJson: values.json === true, print }, async (context) => {
    let notified: readonly string[] = [];
    await applyChange(
      context,
      name,
      (node, all) => {
        const after = change(node);
        const shared = findSharedValues(after, all);
        if (shared.length > 0)
          throw new ConfigError(`${shared.map(({ message }) => message).join(" ")} Nothing was changed.`);
        return after;
      },
      {
        afterChange: async (tx, changed, now) => {
          const asn = await findTunnelAddressUser(tx, changed);
          if (asn !== null)
            throw new ConfigError(
              `The tunnel of AS${asn} has the address ${changed.after.tunnelIpv4}. Nothing was changed.`,
            );
          notified = await notifyOfAddress(tx, changed, now, writeNodeAddressNotice);
        },
        listNotified: () => notified,
      },
    );
    const [first] = notified;
    if (first !== undefined) await announceNotice(context.events, first);
    return 0;
  });
}

interface Values {
  readonly place?: string;
  readonly at?: string;
  readonly address?: string;
  readonly endpoint?: readonly string[];
  readonly "tunnel-ipv4"?: string;
  readonly agent?: string;
  readonly "agent-fingerprint"?: string;
}

/** Validates the options. Throws `ConfigError` with the usage if one is invalid, or there is none. */
function readChange(values: Values): (node: ProviderNode) => ProviderNode {
  const place = read("--place", nodeValues.place, values.place);
  const address = read("--address", nodeValues.endpoint, values.address);
  const position = values.at === undefined ? undefined : readPosition(values.at);
  const endpoints = values.endpoint && readEndpoints(values.endpoint);
  const tunnelIpv4 =
    values["tunnel-ipv4"] === none
      ? null
      : read("--tunnel-ipv4", nodeValues.tunnelIpv4, values["tunnel-ipv4"]);
  const url = read("--agent", nodeValues.agentUrl, values.agent);
  const fingerprint = read("--agent-fingerprint", nodeValues.agentFingerprint, values["agent-fingerprint"]);
  const changed = [place, address, position, endpoints, tunnelIpv4, url, fingerprint];
  if (changed.every((value) => value === undefined)) throw invalidArguments("An option is missing", usage);
  return (node) => {
    const publicIp = address ?? node.publicIp;
    const further = endpoints ?? node.endpoints.filter((endpoint) => endpoint !== node.publicIp);
    const agent = node.agent && {
      url: url ?? node.agent.url,
      fingerprint: fingerprint ?? node.agent.fingerprint,
    };
    return {
      ...node,
      ...position,
      place: place ?? node.place,
      publicIp,
      endpoints: [...new Set([publicIp, ...further])],
      tunnelIpv4: tunnelIpv4 === undefined ? node.tunnelIpv4 : tunnelIpv4,
      agent,
    };
  };
}

function read<S extends v.GenericSchema<unknown, string>>(
  option: string,
  schema: S,
  typed: unknown,
): v.InferOutput<S> | undefined {
  return typed === undefined ? undefined : readValue(option, schema, typed);
}

/** Reads a value as the profile's schema does. */
function readValue<S extends v.GenericSchema>(option: string, schema: S, typed: unknown): v.InferOutput<S> {
  const parsed = v.safeParse(schema, typed);
  if (parsed.success) return parsed.output;
  const expected = v.getDescription(schema) ?? "another value";
  throw invalidArguments(`${option} must be ${expected}, found ${JSON.stringify(typed)}`, usage);
}

function readEndpoints(typed: readonly string[]): readonly string[] {
  if (typed.length === 1 && typed[0] === none) return [];
  return typed.map((each) => readValue("--endpoint", nodeValues.endpoint, each));
}

function readPosition(typed: string): { readonly lat: number | null; readonly lon: number | null } {
  if (typed === none) return { lat: null, lon: null };
  const [, lat, lon] = /^(-?\d+(?:\.\d+)?), *(-?\d+(?:\.\d+)?)$/.exec(typed) ?? [];
  if (lat === undefined || lon === undefined)
    throw invalidArguments(
      `--at must be latitude and longitude such as 50.11,8.68, found ${JSON.stringify(typed)}`,
      usage,
    );
  return {
    lat: readValue("--at", nodeValues.lat, Number(lat)),
    lon: readValue("--at", nodeValues.lon, Number(lon)),
  };
}
