/** A router of another network beside the machine's own network, with WireGuard and BIRD. It ends when the machine boots. */
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeKeys, type WireguardKeys } from "../../src/lab/hosts/wireguard.ts";
import { joinNode, type ParticipantSetup } from "../lab/lab-participant.ts";
import type { Machine } from "./machine.ts";

export interface RemoteRouter {
  readonly keys: WireguardKeys;
  readonly run: (program: string, ...args: readonly string[]) => Promise<string>;
  /** Brings up the tunnel and BIRD, also after a boot of the machine. */
  readonly join: (setup: Pick<ParticipantSetup, "peering" | "nodeKey" | "routes">) => Promise<void>;
}

export interface RemoteRouterOptions {
  readonly name: string;
  /** The two ends of the link between the machine and the router. */
  readonly addresses: { readonly node: string; readonly router: string };
}

export async function createRemoteRouter(
  machine: Machine,
  { name, addresses }: RemoteRouterOptions,
): Promise<RemoteRouter> {
  const folder = join(machine.root, "srv", name);
  await mkdir(folder, { recursive: true });
  const findRouter = `systemctl show --property MainPID --value ${name}`;
  const run = (program: string, ...args: readonly string[]) =>
    machine.run(
      `exec nsenter --target "$(${findRouter})" --net --mount ${[program, ...args].map(quote).join(" ")}`,
    );
  const host = { folder, run };

  async function start(): Promise<void> {
    // The folder has the same path in the machine.
    await machine.run(`mkdir -p ${dirname(machine.root)} && ln -sfn / ${machine.root}`);
    // A unit of another type counts as started before its process has a network of its own.
    await machine.run(
      `systemd-run --quiet --unit ${name} --service-type=exec --property PrivateNetwork=yes ` +
        "--property TemporaryFileSystem=/run/wireguard sleep infinity",
    );
    await machine.run(`ip link add ${name} type veth peer name uplink netns "$(${findRouter})"`);
    await machine.run(`ip address add ${addresses.node}/24 dev ${name}; ip link set ${name} up`);
    await run("ip", "address", "add", `${addresses.router}/24`, "dev", "uplink");
    await run("ip", "link", "set", "uplink", "up");
  }

  await start();
  const keys = await makeKeys(host);
  return {
    keys,
    run,
    join: async (setup) => {
      const isRunning = (await machine.run(`systemctl is-active ${name} || true`)) === "active\n";
      if (!isRunning) await start();
      await joinNode(host, { ...setup, keys, nodeAddress: addresses.node });
    },
  };
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
