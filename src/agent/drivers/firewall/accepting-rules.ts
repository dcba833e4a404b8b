/**
 * What the rules of another program's chain say about participants' packets, in the JSON of `nft list table`.
 *
 * This reads rules and evaluates none: a rule that accepts and names participants' interfaces counts, whatever else it requires
 * and wherever it is.
 */

interface Target {
  readonly target: string;
}

interface Verdict {
  readonly accept?: null;
  readonly jump?: Target;
  readonly goto?: Target;
}

export interface Statement extends Verdict {
  readonly match?: { readonly op: string; readonly right: unknown };
  readonly vmap?: { readonly data: unknown };
  readonly drop?: null;
  readonly reject?: unknown;
  /** What iptables has and nftables does not. */
  readonly xt?: { readonly type?: string; readonly name?: string } | null;
}

export interface ListedRule {
  readonly chain: string;
  readonly expr: readonly Statement[];
}

/** A named set or map, with its elements. */
export interface ListedSet {
  readonly name: string;
  readonly elem?: unknown;
}

export interface ListedTable {
  readonly rules: readonly ListedRule[];
  readonly sets: readonly ListedSet[];
}

/** Whether the last rule of a chain drops or rejects all packets that reach it. */
export function endsWithDrop({ rules }: ListedTable, chain: string): boolean {
  const last = rules.findLast((rule) => rule.chain === chain)?.expr ?? [];
  const isConditional = last.some(
    ({ match, vmap, xt }) => match || vmap || (xt?.type === "match" && xt.name !== "comment"),
  );
  return !isConditional && last.some(drops);
}

function drops(statement: Statement): boolean {
  return "drop" in statement || "reject" in statement || /^(?:DROP|REJECT)$/.test(statement.xt?.name ?? "");
}

/** Whether a rule of a chain, or of one that it jumps to, accepts packets and names participants' interfaces on the way. */
export function acceptsParticipants({ rules, sets }: ListedTable, chain: string): boolean {
  const elements = new Map(sets.map(({ name, elem }) => [`@${name}`, elem]));
  const visited = new Set<string>();

  const names = (value: unknown): boolean => {
    if (typeof value === "string") return isPattern(value) || names(elements.get(value));
    if (typeof value !== "object" || value === null) return false;
    return Object.values(value).some(names);
  };
  const accepts = (verdict: Verdict, isNamed: boolean): boolean => {
    if ("accept" in verdict) return isNamed;
    const { target } = verdict.jump ?? verdict.goto ?? {};
    return target !== undefined && search(target, isNamed);
  };
  const acceptsRule = ({ expr }: ListedRule, wasNamed: boolean): boolean => {
    const isNamed = wasNamed || expr.some(({ match }) => match && match.op !== "!=" && names(match.right));
    return expr.some((statement) =>
      statement.vmap
        ? entriesOf(statement.vmap.data, elements).some(([key, verdict]) =>
            accepts(verdict, isNamed || names(key)),
          )
        : accepts(statement, isNamed),
    );
  };
  function search(name: string, isNamed: boolean): boolean {
    const key = `${name} ${isNamed}`;
    if (visited.has(key)) return false;
    visited.add(key);
    return rules.some((rule) => rule.chain === name && acceptsRule(rule, isNamed));
  }
  return search(chain, false);
}

/** Whether a name with a wildcard covers interfaces of participants, like `dn42_*`, which iptables writes as `dn42_+`. */
function isPattern(text: string): boolean {
  const start = text.slice(0, -1);
  return text.endsWith("*") && ("dn42_".startsWith(start) || /^dn42_[0-9]+$/.test(start));
}

type Entry = readonly [key: unknown, verdict: Verdict];

/** The entries of a map in a rule, or of a named one. */
function entriesOf(data: unknown, elements: ReadonlyMap<string, unknown>): readonly Entry[] {
  const entries =
    typeof data === "string" ? elements.get(data) : (data as { readonly set?: unknown } | null)?.set;
  return Array.isArray(entries) ? (entries as readonly Entry[]).filter(Array.isArray) : [];
}
