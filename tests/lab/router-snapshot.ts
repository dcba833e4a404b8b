import type { LabHost } from "../../src/lab/hosts/namespaces.ts";
import { isSameMoment, type ProtocolState, readProtocols } from "./router-state.ts";

export interface RouterSnapshot {
  /** Lines that each name their part. */
  readonly lines: ReadonlySet<string>;
  readonly protocols: ReadonlyMap<string, ProtocolState>;
}

/** The routes over the provider's own links may take another way at any time. */
const script = `
  cd /etc/bird && find . -type f -exec sha256sum {} + ; find . -type l -printf '%p %l\n'
  ip -o link; ip -o address
  ip route show table all | grep -v ' dev lab-'; ip -6 route show table all | grep -v ' dev lab-'; ip rule; ip -6 rule
  for name in $(wg show interfaces); do wg showconf $name | sed "s/^/$name /"; done`;

/** Takes a snapshot of everything on a router that a peering could leave behind or disturb. */
export async function takeSnapshot(router: LabHost): Promise<RouterSnapshot> {
  const [text, shown] = await Promise.all([
    router.run("sh", "-c", script),
    router.run("birdc", "show", "protocols"),
  ]);
  return { lines: new Set(text.split("\n")), protocols: readProtocols(shown) };
}

/** Returns what has appeared, has disappeared or was restarted between two snapshots. */
export function findTraces(before: RouterSnapshot, after: RouterSnapshot): readonly string[] {
  const names = new Set([...before.protocols.keys(), ...after.protocols.keys()]);
  const moved = Array.from(names).filter((name) => {
    const [old, now] = [before.protocols.get(name), after.protocols.get(name)];
    return !old || !now || old.state !== now.state || !isSameMoment(old.since, now.since);
  });
  return [
    ...Array.from(after.lines, (line) => (before.lines.has(line) ? [] : [`+ ${line}`])).flat(),
    ...Array.from(before.lines, (line) => (after.lines.has(line) ? [] : [`- ${line}`])).flat(),
    ...moved.map((name) => `BIRD: ${name}`),
  ];
}
