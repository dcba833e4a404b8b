/** A participant's host, with its own BGP daemon that has no neighbour yet. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type LabHost, runCommands } from "./hosts/namespaces.ts";
import type { ParticipantPlan } from "./network.ts";

/**
 * Starts the BGP daemon; it announces the participant's prefixes, whose addresses reply to pings from now on.
 */
export async function startParticipant(plan: ParticipantPlan, host: LabHost): Promise<void> {
  await runCommands(host, [
    `ip address add ${plan.ipv4.address}/32 dev lo`,
    `ip address add ${plan.ipv6.address}/128 dev lo`,
  ]);
  await mkdir(join(host.folder, "wireguard"), { recursive: true });
  await (plan.speaker === "BIRD" ? startBird(plan, host) : startFrr(plan, host));
}

async function startBird({ ipv4, ipv6 }: ParticipantPlan, host: LabHost): Promise<void> {
  const etc = join(host.folder, "bird");
  await mkdir(join(etc, "peers"), { recursive: true });
  const config = `log "/run/bird/bird.log" all;
router id ${ipv4.address};
protocol device {}
protocol static { ipv4; route ${ipv4.prefix} reject; }
protocol static { ipv6; route ${ipv6.prefix} reject; }
protocol kernel {
    ipv4 { export filter { if source != RTS_BGP then reject; krt_prefsrc = ${ipv4.address}; accept; }; };
}
protocol kernel {
    ipv6 { export filter { if source != RTS_BGP then reject; krt_prefsrc = ${ipv6.address}; accept; }; };
}
include "/etc/bird/peers/*.conf";
`;
  await writeFile(join(etc, "bird.conf"), config);
  await runCommands(host, [`mount --bind ${etc} /etc/bird`, "mkdir -p /run/bird", "bird"]);
}

async function startFrr({ asn, ipv4, ipv6 }: ParticipantPlan, host: LabHost): Promise<void> {
  const etc = join(host.folder, "frr");
  await mkdir(etc, { recursive: true });
  const config = `route-map from-own4 permit 10
 set src ${ipv4.address}
route-map from-own6 permit 10
 set src ${ipv6.address}
ip protocol bgp route-map from-own4
ipv6 protocol bgp route-map from-own6
router bgp ${asn}
 bgp router-id ${ipv4.address}
 no bgp default ipv4-unicast
 no bgp ebgp-requires-policy
 no bgp network import-check
 timers bgp 10 30
 address-family ipv4 unicast
  network ${ipv4.prefix}
 exit-address-family
 address-family ipv6 unicast
  network ${ipv6.prefix}
 exit-address-family
`;
  await writeFile(join(etc, "frr.conf"), config);
  await writeFile(join(etc, "vtysh.conf"), "");
  // FRR requires its user in this group; the only user of these namespaces is root.
  const groups = join(host.folder, "group");
  await writeFile(groups, (await readFile("/etc/group", "utf8")).replace(/^(frrvty:.*:).*$/m, "$1root"));
  await runCommands(host, [
    `mount --bind ${etc} /etc/frr`,
    `mount --bind ${groups} /etc/group`,
    "mkdir -p /run/frr",
    ...["zebra", "bgpd"].map((daemon) => `/usr/lib/frr/${daemon} --daemon --user root --group root`),
    "vtysh -b",
  ]);
}
