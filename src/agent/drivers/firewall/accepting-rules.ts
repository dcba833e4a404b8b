/**
 * What the rules of another program's chain say about participants' packets, in the JSON of `nft list table`.
 *
 * This reads rules and evaluates none: a rule that accepts and names participants' interfaces counts, whatever else it requires
 * and wherever it is.
 */
import {
  drops,
  elementsOf,
  entriesOf,
  type ListedRule,
  type ListedTable,
  type Statement,
  type Verdict,
} from "./ruleset.ts";

/** The ports from which the server takes those of tunnels (docs/nodes.md, Ports). */
const [lowestPort, highestPort] = [20_000, 32_767];

/** Whether the last rule of a chain drops or rejects all packets that reach it. */
export function endsWithDrop({ rules }: ListedTable, chain: string): boolean {
  const last = rules.findLast((rule) => rule.chain === chain)?.expr ?? [];
  const isConditional = last.some(
    ({ match, vmap, xt }) => match || vmap || (xt?.type === "match" && xt.name !== "comment"),
  );
  return !isConditional && last.some(drops);
}

/** Whether a rule of a chain, or of one that it jumps to, accepts packets and names participants' interfaces on the way. */
export function acceptsParticipants(table: ListedTable, chain: string): boolean {
  const elements = elementsOf(table);
  const names = (value: unknown): boolean => {
    if (typeof value === "string") return isPattern(value) || names(elements.get(value));
    if (typeof value !== "object" || value === null) return false;
    return Object.values(value).some(names);
  };
  return accepts(
    table,
    chain,
    ({ match }) => match !== undefined && names(match.right),
    (_, key) => names(key),
  );
}

/**
 * Whether a rule of a chain, or of one that it jumps to, accepts packets and names UDP ports of tunnels on the way. Where nft does
 * not say which ports, as for some rules of iptables, they count.
 */
export function acceptsTunnelPorts(table: ListedTable, chain: string): boolean {
  return accepts(
    table,
    chain,
    ({ match, xt }) =>
      (match !== undefined && (isAllUdp(match) || (isPort(match.left) && hasTunnelPort(match.right)))) ||
      (xt?.type === "match" && /^(?:udp|multiport)$/.test(xt.name ?? "")),
    (of, key) => isPort(of) && hasTunnelPort(key),
  );
}

/**
 * @param isWanted whether a statement names what is looked for
 * @param isWantedKey the same for a key of a map, and for what the map looks up
 */
function accepts(
  table: ListedTable,
  chain: string,
  isWanted: (statement: Statement) => boolean,
  isWantedKey: (of: unknown, key: unknown) => boolean,
): boolean {
  const elements = elementsOf(table);
  const visited = new Set<string>();
  const acceptsVerdict = (verdict: Verdict, isNamed: boolean): boolean => {
    if ("accept" in verdict) return isNamed;
    const { target } = verdict.jump ?? verdict.goto ?? {};
    return target !== undefined && search(target, isNamed);
  };
  const acceptsRule = ({ expr }: ListedRule, wasNamed: boolean): boolean => {
    const isNamed = wasNamed || expr.some((statement) => statement.match?.op !== "!=" && isWanted(statement));
    return expr.some((statement) => {
      const { vmap } = statement;
      if (!vmap) return acceptsVerdict(statement, isNamed);
      const entries = entriesOf(vmap.data, elements) ?? [];
      return entries.some(([key, verdict]) => acceptsVerdict(verdict, isNamed || isWantedKey(vmap.key, key)));
    });
  };
  function search(name: string, isNamed: boolean): boolean {
    const key = `${name} ${isNamed}`;
    if (visited.has(key)) return false;
    visited.add(key);
    return table.rules.some((rule) => rule.chain === name && acceptsRule(rule, isNamed));
  }
  return search(chain, false);
}

/** Whether a rule is for all UDP packets: nft lists no match of the protocol where a rule names a port. */
function isAllUdp({ left, right }: { readonly left?: unknown; readonly right: unknown }): boolean {
  return /"key":"l4proto"/.test(JSON.stringify(left) ?? "") && /"udp"/.test(JSON.stringify(right) ?? "");
}

/** Whether a rule looks at the destination port of UDP packets, or of packets of any transport. */
function isPort(left: unknown): boolean {
  return /"protocol":"(?:udp|th)","field":"dport"/.test(JSON.stringify(left) ?? "");
}

/** Whether a number, a range, or a set of them has a port that tunnels use. A named set of ports is not read. */
function hasTunnelPort(value: unknown): boolean {
  if (typeof value === "string") return true;
  if (typeof value === "number") return value >= lowestPort && value <= highestPort;
  const { range, set } = (value ?? {}) as {
    readonly range?: readonly number[];
    readonly set?: readonly unknown[];
  };
  const [from = 0, to = 0] = range ?? [];
  return (
    (range !== undefined && from <= highestPort && to >= lowestPort) || set?.some(hasTunnelPort) === true
  );
}

/** Whether a name with a wildcard covers interfaces of participants, like `dn42_*`, which iptables writes as `dn42_+`. */
function isPattern(text: string): boolean {
  const start = text.slice(0, -1);
  return text.endsWith("*") && ("dn42_".startsWith(start) || /^dn42_[0-9]+$/.test(start));
}
