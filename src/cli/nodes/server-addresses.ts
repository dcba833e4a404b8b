import type { Environment } from "#server/config/environment.ts";
import { parseProxies } from "#server/config/profile-addresses.ts";
import { isLinkLocal } from "#domain/address-ranges.ts";
import { formatAddress, formatPrefix } from "#domain/prefix.ts";
import { changeServerAddresses, listServerAddresses } from "#server/nodes/server-addresses.ts";
import { invalidArguments, parseArguments } from "../command-line.ts";
import { type Print, withNodes } from "./open-nodes.ts";

const usage = `peerdeck nodes servers [--add ADDRESS|PREFIX]… [--remove ADDRESS|PREFIX]… [--json]
  Lists the addresses from which agents accept the server, and changes them. Servers add those of their own interfaces. Agents
  know a change within a minute, if the server reaches them from an address that they accept.
  --add     before a server moves, or if it is behind a NAT: the address that the agents see
  --remove  an address that no server has any more`;

/** Runs `nodes servers` and returns its exit code. */
export async function runServerAddresses(
  args: readonly string[],
  environment: Environment,
  print: Print,
): Promise<number> {
  const ranges = { type: "string", multiple: true } as const;
  const { values } = parseArguments(
    args,
    { options: { add: ranges, remove: ranges, json: { type: "boolean" } } },
    usage,
  );
  const { add: added = [], remove: removed = [] } = values;
  const add = added.map((typed) => readRange("--add", typed));
  const remove = removed.map((typed) => readRange("--remove", typed));
  const both = add.find((address) => remove.includes(address));
  if (both !== undefined) throw invalidArguments(`${both} cannot be added and removed at once`, usage);
  return withNodes(environment, { isJson: values.json === true, print }, async (context) => {
    const { db, say, report } = context;
    const changes = await changeServerAddresses(context, { add, remove });
    const addresses = await listServerAddresses(db);
    for (const change of changes) say(change);
    if (changes.length > 0) say("Agents that the server reaches know it within a minute.");
    else if (add.length + remove.length > 0) say("Nothing was changed.");
    say(
      addresses.length === 0
        ? "No addresses are known: no server has run with this database yet."
        : addresses.map(({ address, isManual, seenAt }) => describe(address, isManual, seenAt)).join("\n"),
    );
    report({ addresses, changes });
    return 0;
  });
}

function describe(address: string, isManual: boolean, seenAt: string): string {
  return isManual
    ? `${address}  added by the operator`
    : `${address}  of a server, last ${seenAt.slice(0, 16).replace("T", " ")} UTC`;
}

/** Returns the canonical text of an address or a range. */
function readRange(option: string, typed: string): string {
  const range = parseProxies(typed);
  if (range === null || isLinkLocal(formatAddress(range))) {
    const expected =
      "an IPv4 or IPv6 address that is not link-local, or a range without host bits such as 192.0.2.0/24";
    throw invalidArguments(`${option} must be ${expected}, found ${JSON.stringify(typed)}`, usage);
  }
  return range.length === range.bits ? formatAddress(range) : formatPrefix(range);
}
