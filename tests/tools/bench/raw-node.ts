/** Talks to `raw-steps.ts` inside a node. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { renderBirdPeering } from "#agent/drivers/bird/render.ts";
import { tunnelAddresses } from "#agent/drivers/wireguard/addresses.ts";
import { renderWireguard } from "#agent/drivers/wireguard/render.ts";
import { interfaceName } from "#domain/peering/bgp-sessions.ts";
import type { LabHost } from "#lab/hosts/namespaces.ts";
import { provider } from "#lab/network.ts";
import { startHostProcess } from "../../lab/host-process.ts";
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

/** Sets like those that the agent fills. */
const table =
  "table inet by_hand { set participants { type ifname; }; set neighbours6 { type ifname . ipv6_addr; }; }";

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
  await host.run("sh", "-c", `printf '${table}' | nft -f -`);
  const program = startHostProcess(host, "../tools/bench/raw-steps.ts", {});
  return {
    call: (call, ...args) => program.call({ call, args }) as Promise<never>,
    peering: {
      name,
      wireguardFile,
      filterText: `add element inet by_hand participants { "${name}" }\nadd element inet by_hand neighbours6 { "${name}" . ${routed.peering.peerIpv6} }\n`,
      addresses: tunnelAddresses(routed.peering),
      birdFile: join(etc, "by-hand", `${name}.conf`),
      birdText: renderBirdPeering(routed, { providerAsn: provider.asn }),
    },
  };
}
