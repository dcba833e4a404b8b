/** Whether tables of the kernel are full: it drops packets of further connections, and to further neighbours. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type ForwardingFault, ofOperator } from "./forwarding-fault.ts";

/** The share of a limit from which a table counts as full: the rest is for the time until the operator acts. */
const fullShare = 0.9;
const families = [
  ["arp", "arp_cache", "ipv4"],
  ["ndisc", "ndisc_cache", "ipv6"],
] as const;

/** A file that is missing says nothing: connections may not be tracked, and a container does not see the limits of neighbours. */
export async function findFullTables(proc: string): Promise<readonly ForwardingFault[]> {
  const read = (path: string) => readFile(join(proc, path), "utf8").then(String, () => null);
  const [used, limit] = await Promise.all(
    ["count", "max"].map(async (name) => parseNumber(await read(`sys/net/netfilter/nf_conntrack_${name}`))),
  );
  const neighbours = families.map(async ([table, file, family]) => {
    const [statistics, threshold] = await Promise.all([
      read(`net/stat/${file}`),
      read(`sys/net/${family}/neigh/default/gc_thresh3`),
    ]);
    return {
      code: "neighbours-full",
      table,
      used: statistics === null ? null : parseEntries(statistics),
      limit: parseNumber(threshold),
    } as const;
  });
  const tables = [
    { code: "conntrack-full", used: used ?? null, limit: limit ?? null } as const,
    ...(await Promise.all(neighbours)),
  ];
  return tables.flatMap((table) => {
    const { used: entries, limit: most } = table;
    if (entries === null || most === null || most <= 0 || entries < fullShare * most) return [];
    const counts = { used: entries, limit: most };
    return table.code === "conntrack-full"
      ? ofOperator({ code: "conntrack-full", facts: counts })
      : ofOperator({ code: "neighbours-full", facts: { table: table.table, ...counts } });
  });
}

/** The entries of the whole table, in hexadecimal digits: each line, one per processor, has the same number. */
function parseEntries(statistics: string): number | null {
  const [head = "", first = ""] = statistics.split("\n");
  const column = head.trim().split(/\s+/).indexOf("entries");
  const text = first.trim().split(/\s+/)[column] ?? "";
  return /^[\da-f]+$/i.test(text) ? Number.parseInt(text, 16) : null;
}

function parseNumber(text: string | null): number | null {
  return text !== null && /^\d+\s*$/.test(text) ? Number(text) : null;
}
