/** The chains of iptables-legacy, which nft does not list, as nft would list their rules. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ProcessError, type Run } from "#system/processes.ts";
import type { BaseChain, ListedRule, Statement } from "./ruleset.ts";

const programs = [
  ["net/ip_tables_names", "iptables-legacy"],
  ["net/ip6_tables_names", "ip6tables-legacy"],
] as const;

const hooks: Readonly<Record<string, string>> = { INPUT: "input", FORWARD: "forward", OUTPUT: "output" };

/** Reads the chains of the table `filter`, if the kernel has loaded it. Only root can read that. */
export async function readLegacyChains(run: Run, proc = "/proc"): Promise<readonly BaseChain[]> {
  const found: BaseChain[] = [];
  for (const [tables, program] of programs) {
    // Without the table, the program would load it.
    const names = await readFile(join(proc, tables), "utf8").catch(() => "");
    if (!names.split("\n").includes("filter")) continue;
    const printed = await run(program, ["-S"]).catch((error: unknown) => {
      if (error instanceof ProcessError) return null;
      throw error;
    });
    if (printed?.code === 0) found.push(...parseLegacyChains(program, printed.stdout));
  }
  return found;
}

/** Parses the output of `iptables-legacy -S`. */
export function parseLegacyChains(program: string, text: string): readonly BaseChain[] {
  const lines = text.split("\n").map((line) => line.match(/"(?:[^"\\]|\\.)*"|\S+/g) ?? []);
  const rules = lines.flatMap(([command, chain = "", ...rest]) =>
    command === "-A" ? { chain, expr: parseRule(rest, program.startsWith("ip6") ? "ip6" : "ip") } : [],
  );
  const table = { rules, sets: [] };
  return lines.flatMap(([command, name = "", policy = ""]) => {
    const hook = hooks[name];
    if (command !== "-P" || hook === undefined) return [];
    const family = program.startsWith("ip6") ? "ip6" : "ip";
    return { owner: program, family, name, type: "filter", hook, policy: policy.toLowerCase(), table };
  });
}

const match = (op: string, left: unknown, right: unknown): Statement[] => [{ match: { op, left, right } }];

const targets: Readonly<Record<string, Statement>> = {
  ACCEPT: { accept: null },
  DROP: { drop: null },
  REJECT: { reject: null },
  RETURN: { return: null },
};

/** Modules whose options are parsed, or require nothing. */
const knownModules = new Set(["comment", "conntrack", "state", "tcp", "udp", "multiport"]);

function parseRule(words: readonly string[], family: "ip" | "ip6"): ListedRule["expr"] {
  const protocol = words[words.indexOf("-p") + 1] ?? "";
  const hasPorts = words.some((word) => /^--[ds]ports?$/.test(word));
  return words.flatMap((word, index): Statement[] => {
    const value = words[index + 1] ?? "";
    const op = words[index - 1] === "!" ? "!=" : "==";
    const ofPort = (field: string) =>
      match(op, { payload: { protocol, field } }, { set: value.split(",").map(parsePorts) });
    switch (word) {
      case "-i":
      case "-o":
        return match(op, { meta: { key: word === "-i" ? "iifname" : "oifname" } }, value.replace(/\+$/, "*"));
      case "-s":
      case "-d":
        return match(
          op,
          { payload: { protocol: family, field: word === "-s" ? "saddr" : "daddr" } },
          prefixOf(value),
        );
      case "-p":
        return hasPorts ? [] : match(op, { meta: { key: "l4proto" } }, value);
      case "--dport":
      case "--dports":
        return ofPort("dport");
      case "--sport":
      case "--sports":
        return ofPort("sport");
      case "--ctstate":
      case "--state":
        return match(op, { ct: { key: "state" } }, { set: value.toLowerCase().split(",") });
      case "-m":
        return knownModules.has(value) ? [] : [{ xt: { type: "match", name: value } }];
      case "-g":
        return [{ goto: { target: value } }];
      case "-j":
        // A target that is no chain has no rules.
        return [targets[value] ?? { jump: { target: value } }];
      default:
        return [];
    }
  });
}

function prefixOf(text: string): unknown {
  const [addr = "", length = ""] = text.split("/");
  return { prefix: { addr, len: Number(length) } };
}

function parsePorts(text: string): unknown {
  const [from = 0, to] = text.split(":").map(Number);
  return to === undefined ? from : { range: [from, to] };
}
