/** A participant of the lab that announces routes without a filter on its side, and what the others see of them. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { LabHost } from "../../src/lab/hosts/namespaces.ts";
import type { LabParticipant } from "../../src/lab/lab.ts";
import { eventually } from "./eventually.ts";

/** The announced routes, with the reason of their rejection and the registry object that causes it. */
export const unauthorisedRoutes: ReadonlyArray<readonly [prefix: string, reason: string, object: string]> = [
  ["0.0.0.0/0", "default route", ""],
  ["::/0", "default route", ""],
  ["172.20.222.128/25", "provider's own", ""],
  ["fd42:4242:2227:1::/64", "provider's own", ""],
  // Prefixes of the other participant.
  ["172.20.2.0/26", "ROA invalid", "route/172.20.2.0_26"],
  ["fd42:4242:2::/48", "ROA invalid", "route6/fd42:4242:2::_48"],
  // The participant's own prefixes, longer than their route object allows.
  ["172.20.1.0/27", "ROA invalid", "route/172.20.1.0_26"],
  ["172.20.1.32/30", "wrong length", ""],
  ["fd42:4242:1::/80", "wrong length", ""],
  ["172.20.100.0/24", "no ROA", "route/172.20.100.0_24"],
  ["fd42:9999::/48", "no ROA", "route6/fd42:9999::_48"],
  ["198.18.0.0/15", "outside ranges", ""],
  ["2001:db8::/32", "outside ranges", ""],
];

/** Announces these prefixes in addition to the participant's own. */
export async function announceToNode(
  { host: { folder, run } }: LabParticipant,
  node: string,
  prefixes: readonly string[],
): Promise<void> {
  await run("sed", "-i", "s/export where.*;/export all;/", join(folder, `bird/peers/${node}.conf`));
  const of = (sign: string) =>
    prefixes.filter((prefix) => prefix.includes(sign)).map((prefix) => `route ${prefix} reject;\n`);
  await writeFile(
    join(folder, "bird/peers/bad.conf"),
    `protocol static bad4 { ipv4; ${of(".").join("")} }\nprotocol static bad6 { ipv6; ${of(":").join("")} }\n`,
  );
  expect(await run("birdc", "configure")).toContain("Reconfigur");
}

const routesOfFrr = ({ host }: LabParticipant) =>
  host.run("vtysh", "-c", "show bgp ipv4", "-c", "show bgp ipv6");

/**
 * Withdraws the announcer's valid routes, announces them again, and waits until the witness follows: earlier announcements
 * would have arrived by then, too.
 */
export async function waitForPropagation(announcer: LabParticipant, witness: LabParticipant): Promise<void> {
  const prefixes = [announcer.plan.ipv4.prefix, announcer.plan.ipv6.prefix];
  const expectSeen = (isSeen: boolean) =>
    eventually(
      () => routesOfFrr(witness),
      (shown) => prefixes.every((prefix) => shown.includes(prefix) === isSeen),
    );
  await expectSeen(true);
  for (const protocol of ["static1", "static2"]) await announcer.host.run("birdc", "disable", protocol);
  await expectSeen(false);
  for (const protocol of ["static1", "static2"]) await announcer.host.run("birdc", "enable", protocol);
  await expectSeen(true);
}

/**
 * Expects that nodes and the witness have none of these routes.
 *
 * @param prefixes as BIRD and FRR print them
 */
export async function expectUnseen(
  prefixes: readonly string[],
  nodes: readonly LabHost[],
  witness: LabParticipant,
): Promise<void> {
  // The witness may announce its own prefixes.
  const own = new Set([witness.plan.ipv4.prefix, witness.plan.ipv6.prefix]);
  const shown = [routesOfFrr(witness), ...nodes.map((host) => host.run("birdc", "show", "route"))];
  for (const text of await Promise.all(shown)) {
    const seen = new Set(Array.from(text.matchAll(/[0-9a-f.:]+\/[0-9]+/g), ([prefix]) => prefix));
    expect(prefixes.filter((prefix) => seen.has(prefix) && !own.has(prefix))).toEqual([]);
  }
}
