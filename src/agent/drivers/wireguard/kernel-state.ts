/** The kernel's interfaces at one moment, read with a fixed number of commands. */
import { interfaceName } from "#domain/peering/bgp-sessions.ts";
import { type Run, runOk } from "#system/processes.ts";
import { findWrongSettings } from "../drift/interface-settings.ts";
import { type Link, parseLinks } from "./addresses.ts";
import type { WireguardInterface } from "./parse-dump.ts";
import type { WireguardReader } from "./read-interfaces.ts";
import type { ActualTunnel } from "./tunnel-state.ts";

export interface Kernel {
  /** All interfaces of the machine. */
  readonly links: ReadonlyMap<string, Link>;
  /** The agent's own interfaces. */
  readonly states: ReadonlyMap<string, WireguardInterface>;
  /** All interfaces whose settings are not those of a tunnel. */
  readonly wrongSettings: ReadonlySet<string>;
}

/** UDP ports by interface. */
export type Ports = ReadonlyMap<string, number>;

/** To read a thousand interfaces takes a fraction of this. */
const timeoutMs = 5_000;

export async function readKernel(
  run: Run,
  wireguard: WireguardReader,
  own: ReadonlySet<string>,
): Promise<Kernel> {
  const [printed, states] = await Promise.all([
    // One process, which prints one line for each command.
    runOk(run, "ip", ["-json", "-batch", "-"], { input: "address show\nnetconf show\n", timeoutMs }),
    wireguard.read(own),
  ]);
  const [links = "", settings = ""] = printed.split("\n");
  return { links: parseLinks(links), states, wrongSettings: findWrongSettings(settings) };
}

export function tunnelIn({ links, states, wrongSettings }: Kernel, asn: string): ActualTunnel {
  const name = interfaceName(asn);
  return { link: links.get(name), state: states.get(name), hasWrongSettings: wrongSettings.has(name) };
}

/** @param which an interface that is down may have a port on which it does not listen */
export function portsIn(kernel: Kernel | null, which: "up" | "down" | "all" = "all"): Ports {
  const states = Array.from(kernel?.states ?? []).filter(
    ([name]) => which === "all" || (kernel?.links.get(name)?.up === true) === (which === "up"),
  );
  return new Map(states.map(([name, { listenPort }]) => [name, listenPort]));
}

/** Returns the kernel's state after these interfaces have released their ports. */
export function withoutPorts(kernel: Kernel, names: ReadonlySet<string>): Kernel {
  const states = Array.from(
    kernel.states,
    ([name, state]) => [name, names.has(name) ? { ...state, listenPort: 0 } : state] as const,
  );
  return { ...kernel, states: new Map(states) };
}
