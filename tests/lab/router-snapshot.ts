import type { LabHost } from "../../src/lab/hosts/namespaces.ts";

export interface RouterSnapshot {
  /** Every file of BIRD with its hash, and every link with its target. */
  readonly files: string;
  readonly interfaces: string;
  readonly routes: string;
  readonly tunnels: string;
  /** BIRD's protocols, with the time of their last state change. */
  readonly sessions: string;
}

/** Takes a snapshot of everything on a router that a peering could leave behind or disturb. */
export async function takeSnapshot(router: LabHost): Promise<RouterSnapshot> {
  const shell = (script: string) => router.run("sh", "-c", script);
  const [files, interfaces, routes, tunnels, sessions] = await Promise.all([
    shell(
      "cd /etc/bird && find . -type f -exec sha256sum {} + | sort; find . -type l -printf '%p %l\n' | sort",
    ),
    shell("ip -o link; ip -o address"),
    shell("ip route show table all; ip -6 route show table all; ip rule; ip -6 rule"),
    shell("for name in $(wg show interfaces | tr ' ' '\n' | sort); do wg showconf $name; done"),
    shell("birdc show protocols"),
  ]);
  return { files, interfaces, routes, tunnels, sessions };
}
