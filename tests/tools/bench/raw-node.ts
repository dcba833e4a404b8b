/** Talks to `raw-steps.ts` inside a node. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { renderBirdPeering } from "#agent/drivers/bird/render.ts";
import { tunnelAddresses } from "#agent/drivers/wireguard/addresses.ts";
import { renderWireguard } from "#agent/drivers/wireguard/render.ts";
import { interfaceName } from "#domain/peering/bgp-sessions.ts";
import type { LabHost } from "#lab/hosts/namespaces.ts";
import { provider } from "#lab/network.ts";
import { routedFiller } from "./filler-peerings.ts";
import type { RawCalls, RawPeering } from "./raw-steps.ts";

export interface RawNode {
  readonly call: <N extends keyof RawCalls>(
    call: N,
    ...args: Parameters<RawCalls[N]>
  ) => Promise<Awaited<ReturnType<RawCalls[N]>>>;
  /** A peering that the agent does not know. */
  readonly peering: RawPeering;
}

/** A number that no filler and no participant has. */
const ownNumber = 1000;

/** Adds a folder for manual peerings to BIRD's configuration, and starts the process in the node. It ends with the lab. */
export async function openRawNode(host: LabHost, localIpv6: string): Promise<RawNode> {
  const etc = join(host.folder, "bird");
  await mkdir(join(etc, "by-hand"), { recursive: true });
  const config = join(etc, "bird.conf");
  await writeFile(config, `${await readFile(config, "utf8")}\ninclude "/etc/bird/by-hand/*.conf";\n`);
  // While a file of the operator is changed and not loaded, the agent lets participants wait.
  await host.run("birdc", "configure");
  const routed = routedFiller(ownNumber, localIpv6);
  const name = interfaceName(routed.peering.asn);
  const wireguardFile = join(host.folder, "by-hand.conf");
  const key = (await readFile(join(host.folder, "state/wireguard.key"), "utf8")).trim();
  await writeFile(wireguardFile, renderWireguard(routed, key), { mode: 0o600 });
  return {
    call: callerTo(host),
    peering: {
      name,
      wireguardFile,
      addresses: tunnelAddresses(routed.peering),
      birdFile: join(etc, "by-hand", `${name}.conf`),
      birdText: renderBirdPeering(routed, { providerAsn: provider.asn }),
    },
  };
}

interface RawResponse {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

function callerTo(host: LabHost): RawNode["call"] {
  const child = host.start(process.execPath, join(import.meta.dirname, "raw-steps.ts"));
  const waiting = new Map<number, (response: RawResponse) => void>();
  let last = 0;
  if (!child.stdout) throw new Error("the process has no output");
  createInterface({ input: child.stdout }).on("line", (line) => {
    const response = JSON.parse(line) as RawResponse;
    waiting.get(response.id)?.(response);
    waiting.delete(response.id);
  });
  return (call, ...args) => {
    last += 1;
    const id = last;
    return new Promise((resolve, reject) => {
      waiting.set(id, ({ value, error }) => {
        if (error === undefined) resolve(value as never);
        else reject(new Error(error));
      });
      child.stdin?.write(`${JSON.stringify({ id, call, args })}\n`);
    });
  };
}
