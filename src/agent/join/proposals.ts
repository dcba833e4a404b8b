/** What the machine has already of the values that `join` asks for. */
import { networkInterfaces } from "node:os";
import { formatEndpoint } from "../../domain/port.ts";
import { contains, parseAddress, type Prefix } from "../../domain/prefix.ts";
import type { Run } from "../../system/processes.ts";

const agentPort = 4243;
const families = [
  { bits: 32, option: "-4" },
  { bits: 128, option: "-6" },
] as const;

/** Proposes the address of the interface of the default route, and the machine's addresses in the provider's prefixes. */
export async function proposeValues(run: Run, prefixes: readonly Prefix[]) {
  const addresses = Object.entries(networkInterfaces()).flatMap(([name, all = []]) =>
    all.map(({ address }) => ({ name, address })),
  );
  const uplinks = await Promise.all(families.map(({ option }) => findUplink(run, option)));
  const listen = families.flatMap(({ bits }, index) =>
    addresses.flatMap(({ name, address }) =>
      name === uplinks[index] && parseAddress(address)?.bits === bits && !isLocal(address) ? address : [],
    ),
  )[0];
  const findOwn = (bits: number) =>
    addresses.find(({ address }) => {
      const parsed = parseAddress(address);
      return parsed?.bits === bits && prefixes.some((range) => contains(range, parsed));
    })?.address;
  const values = {
    listen: listen && formatEndpoint(listen, agentPort),
    ipv4: findOwn(32),
    ipv6: findOwn(128),
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** Returns the interface of the default route; null if there is none, or `ip` does not say it. */
async function findUplink(run: Run, option: string): Promise<string | null> {
  const result = await run("ip", ["-json", option, "route", "show", "default"]).catch(() => null);
  if (result?.code !== 0) return null;
  const [route] = JSON.parse(result.stdout || "[]") as ReadonlyArray<{ readonly dev?: string }>;
  return route?.dev ?? null;
}

const isLocal = (address: string) => address.startsWith("fe80:");
