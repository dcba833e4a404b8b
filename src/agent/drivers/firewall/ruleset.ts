/** The rules of other programs, in the JSON of `nft list ruleset`. */
import { ProcessError, type Run } from "#system/processes.ts";
import { memoizeByObject } from "../memoize-by-object.ts";
import { tableName } from "./elements.ts";

interface Target {
  readonly target: string;
}

export interface Verdict {
  readonly accept?: null;
  readonly jump?: Target;
  readonly goto?: Target;
}

export interface Statement extends Verdict {
  readonly match?: { readonly op: string; readonly left?: unknown; readonly right: unknown };
  readonly vmap?: { readonly key?: unknown; readonly data: unknown };
  readonly drop?: null;
  readonly return?: null;
  readonly queue?: unknown;
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

export function drops(statement: Statement): boolean {
  return "drop" in statement || "reject" in statement || /^(?:DROP|REJECT)$/.test(statement.xt?.name ?? "");
}

/** The elements of named sets and maps, by `@name`. */
export type Elements = ReadonlyMap<string, unknown>;

export const elementsOf = memoizeByObject(
  ({ sets }: ListedTable): Elements => new Map(sets.map(({ name, elem }) => [`@${name}`, elem ?? []])),
);

export type MapEntry = readonly [key: unknown, verdict: Verdict];

/** The entries of a map in a rule, or of a named one; null if they cannot be read. */
export function entriesOf(data: unknown, elements: Elements): readonly MapEntry[] | null {
  const entries =
    typeof data === "string" ? elements.get(data) : (data as { readonly set?: unknown } | null)?.set;
  return Array.isArray(entries) ? (entries as readonly MapEntry[]).filter(Array.isArray) : null;
}

/** A chain that the kernel calls for packets. */
export interface BaseChain {
  /** Family and table, as in nft's commands; a program of iptables-legacy instead. */
  readonly owner: string;
  readonly family: string;
  readonly name: string;
  readonly type: string;
  readonly hook: string;
  readonly policy: string;
  /** The rules of its table. */
  readonly table: ListedTable;
}

interface ListedChain {
  readonly family: string;
  readonly table: string;
  readonly name: string;
  readonly type?: string;
  readonly hook?: string;
  readonly policy?: string;
}

interface OfTable {
  readonly family: string;
  readonly table: string;
}

interface TypedSet extends ListedSet {
  readonly type: string | readonly string[];
}

/** An entry of nft's lists. */
interface Listed {
  readonly chain?: ListedChain;
  readonly rule?: ListedRule & OfTable;
  readonly set?: TypedSet & OfTable;
  readonly map?: TypedSet & OfTable;
}

/**
 * Reads the chains of other programs with their rules; null if nft cannot list them. Of named sets, the elements are read if
 * they are names of interfaces. The chains of iptables-legacy are not visible to nft.
 */
export async function readRuleset(run: Run): Promise<readonly BaseChain[] | null> {
  const listed = await list(run, ["--terse", "list", "ruleset"]);
  if (listed === null) return null;
  const chains = listed
    .flatMap(({ chain }) => chain ?? [])
    .filter(
      ({ family, table, hook }) =>
        hook !== undefined && /^(?:ip|ip6|inet)$/.test(family) && !(family === "inet" && table === tableName),
    );
  const tables = new Map<string, ListedTable>();
  for (const owner of new Set(chains.map(ownerOf))) {
    const own = listed.filter(({ rule, set, map }) => {
      const entry = rule ?? set ?? map;
      return entry !== undefined && ownerOf(entry) === owner;
    });
    const sets = await Promise.all(own.map((entry) => readElements(run, entry)));
    tables.set(owner, { rules: own.flatMap(({ rule }) => rule ?? []), sets: sets.flat() });
  }
  return chains.map(({ family, table, name, type = "", hook = "", policy = "accept" }) => {
    const owner = ownerOf({ family, table });
    return {
      owner,
      family,
      name,
      type,
      hook,
      policy,
      table: tables.get(owner) ?? { rules: [], sets: [] },
    };
  });
}

async function readElements(run: Run, { set, map }: Listed): Promise<readonly ListedSet[]> {
  const own = set ?? map;
  if (!own || ![own.type].flat().includes("ifname")) return [];
  const listed = await list(run, ["list", set ? "set" : "map", own.family, own.table, own.name]);
  return (listed ?? []).flatMap((entry) => entry.set ?? entry.map ?? []);
}

const ownerOf = ({ family, table }: OfTable) => `${family} ${table}`;

async function list(run: Run, args: readonly string[]): Promise<readonly Listed[] | null> {
  const result = await run("nft", ["--json", ...args]).catch((error: unknown) => {
    if (error instanceof ProcessError) return null;
    throw error;
  });
  if (result?.code !== 0 || result.isTruncated) return null;
  return (JSON.parse(result.stdout) as { readonly nftables: readonly Listed[] }).nftables;
}
