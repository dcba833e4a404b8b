/**
 * A router of AS4242422227 that is in use: two WireGuard tunnels of its owner, one of them with a far end, BIRD with an
 * established session, and their files.
 */
import { expect } from "vitest";
import { peeringOf } from "../../src/agent/fixtures/peerings.ts";
import type { Machine } from "./machine.ts";
import { createRemoteRouter } from "./remote-router.ts";

/** The tunnel of wireguard-go, whatever the kernel has. */
export const userspaceTunnel = "wg-owner1";
/** The other one is in the kernel if that has WireGuard. */
const ownerTunnels = [userspaceTunnel, "wg-owner2"] as const;

const ports = [51_821, 51_822] as const;
const link = { node: "9.9.8.254", router: "9.9.8.1" };
/** The owner's peering through the first tunnel, from its far end. */
const farEnd = peeringOf(8, {
  asn: "4242429998",
  addressFamily: "IPv4",
  extendedNextHop: false,
  listenPort: ports[0],
  peerIpv4: "172.20.98.1",
  localIpv4: "172.20.16.9",
  peerIpv6: null,
  localIpv6: null,
});

export interface Owner {
  /** Brings up the far end, also after a boot of the machine. */
  readonly joinFarEnd: () => Promise<void>;
}

const birdConfig = `router id 172.20.16.9;
protocol device {}
protocol static owner_routes { ipv4; route 172.20.16.0/27 blackhole; }
protocol bgp owner_session {
  local 172.20.16.9 as 4242422227;
  neighbor 172.20.98.1 as 4242429998;
  connect delay time 1;
  ipv4 { import all; export all; };
}
`;

/** wg-quick would prefer the kernel. */
const userspaceUnit = `[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=wireguard-go %i
ExecStart=/bin/sh -c "until wg-quick strip %i | wg setconf %i /dev/stdin; do sleep 0.1; done"
ExecStart=ip address add 172.20.16.9 peer 172.20.98.1/32 dev %i
ExecStart=ip link set %i up
[Install]
WantedBy=multi-user.target
`;

/** Writes the files, and starts tunnels and BIRD, at each boot too. Resolves when the session is established. */
export async function setUpOwner(machine: Machine): Promise<Owner> {
  const { run } = machine;
  const router = await createRemoteRouter(machine, { name: "far-end", addresses: link });
  const tunnels = [
    {
      name: ownerTunnels[0],
      peerKey: router.keys.publicKey,
      endpoint: `${link.router}:${farEnd.endpointPort}`,
    },
    { name: ownerTunnels[1], peerKey: (await run("wg genkey | wg pubkey")).trim(), endpoint: "127.0.0.1:9" },
  ] as const;
  await run(`cat > /etc/systemd/system/userspace@.service <<'END'\n${userspaceUnit}END`);
  await run(`cat > /etc/bird/bird.conf <<'END'\n${birdConfig}END\nsystemctl restart bird`);
  for (const [index, { name, peerKey, endpoint }] of tunnels.entries()) {
    const key = (await run("wg genkey")).trim();
    const config = [
      "[Interface]",
      `PrivateKey = ${key}`,
      `ListenPort = ${ports[index]}`,
      `Address = 172.20.16.${index + 9}/32`,
      "[Peer]",
      `PublicKey = ${peerKey}`,
      `AllowedIPs = 172.20.${98 - index}.0/24`,
      `Endpoint = ${endpoint}`,
      "",
    ].join("\n");
    await run(`umask 077; cat > /etc/wireguard/${name}.conf <<'END'\n${config}END`);
    await run(
      `systemctl enable --quiet --now ${name === userspaceTunnel ? "userspace" : "wg-quick"}@${name}`,
    );
  }
  const joinFarEnd = async () => {
    const nodeKey = (await run(`wg show ${userspaceTunnel} public-key`)).trim();
    await router.join({ peering: farEnd, nodeKey, routes: ["172.20.98.0/27"] });
  };
  await joinFarEnd();
  await readRunningOwner(machine);
  return { joinFarEnd };
}

/** `readOwner` when the owner's session is established and packets pass. */
export async function readRunningOwner(machine: Machine): ReturnType<typeof readOwner> {
  let owner: Awaited<ReturnType<typeof readOwner>> = {};
  const read = async () => {
    owner = await readOwner(machine);
    return owner;
  };
  await expect.poll(read, { timeout: 60_000 }).toMatchObject({
    ping: "1 received",
    protocols: expect.stringMatching(/^owner_session BGP up Established$/m),
  });
  return owner;
}

/** The files and folders that the agent's package adds beside the owner's. */
const ownPaths = ["/etc/bird/peerdeck", "/etc/bird/peerdeck-policy.conf", "/etc/bird/roa"];
const without = ownPaths.map((path) => `-path ${path} -prune -o`).join(" ");
const folders = "/etc/bird /etc/wireguard /run/bird /run/wireguard";

/** Shell commands that show everything of the owner that the agent's package could change, without what changes by itself. */
const views = {
  files: `find ${folders} ${without} -printf '%p %u:%g %m %y\\n' | sort`,
  contents: `find /etc/bird /etc/wireguard ${without} -type f -exec sha256sum {} + | sort`,
  tunnels: `for name in ${ownerTunnels.join(" ")}; do wg showconf $name; ip -oneline -4 address show dev $name | cut -d: -f2-; done`,
  protocols:
    "birdc show protocols | awk '{ print $1, $2, $4, $6 }' | tail -n +2 | grep --invert-match ^dn42_",
  ping: `ping -c 1 -W 2 ${farEnd.peerIpv4} | grep --only-matching '[01] received' || true`,
};

/** Returns what each view shows. */
export async function readOwner({ run }: Machine): Promise<Readonly<Record<string, string>>> {
  const commands = Object.entries(views).map(([name, command]) => `echo '## ${name}'\n${command}`);
  const output = await run(commands.join("\n"));
  const parts = output.matchAll(/^## (\w+)\n([^]*?)(?=^## |(?![^]))/gm);
  return Object.fromEntries(Array.from(parts, ([, name = "", text = ""]) => [name, text.trim()]));
}

/** The processes of the owner's tunnels and of BIRD. */
async function readOwnerProcesses({ run }: Machine): Promise<string> {
  return run("pgrep --list-full 'wireguard-go|bird' | grep --invert-match dn42_ || true");
}

/** Runs a step, and expects that it neither changes nor restarts anything of the owner. */
export async function expectUntouched(machine: Machine, step: () => Promise<unknown>): Promise<void> {
  const [before, processes] = [await readRunningOwner(machine), await readOwnerProcesses(machine)];
  await step();
  expect(await readOwner(machine)).toEqual(before);
  expect(await readOwnerProcesses(machine)).toBe(processes);
}
