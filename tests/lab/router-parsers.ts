/** The programs that read a router's files: `bird`, `wg-quick` and `wg`. Rejects with a program's error message. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseDump, type WireguardInterface } from "../../src/agent/drivers/wireguard/parse-dump.ts";
import type { LabHost } from "../../src/lab/hosts/namespaces.ts";
import { createInterface } from "../../src/lab/hosts/wireguard.ts";
import { nodeHosts } from "../support/fixtures/arbitrary-peering.ts";
import { writeNodeConfig } from "./lab-node.ts";
import { privateKey } from "./peering-files.ts";

export interface RouterParsers {
  /** Returns the names of all protocols of a node's BIRD with these files of peerings. */
  readonly readNodeBird: (files: readonly string[]) => Promise<readonly string[]>;
  /** Returns the names of all protocols of a participant's BIRD with these files of peerings. */
  readonly readParticipantBird: (files: readonly string[]) => Promise<readonly string[]>;
  /** Returns what `wg-quick strip` prints. */
  readonly stripWireguard: (config: string) => Promise<string>;
  /** Returns the interface after `wg setconf`. */
  readonly readWireguard: (config: string) => Promise<WireguardInterface>;
}

const tunnel = "wg0";

/** Prepares a host for all parsers. They must not run at the same time. */
export async function openRouterParsers(host: LabHost): Promise<RouterParsers> {
  const at = (name: string) => path.join(host.folder, name);
  await createInterface(host, tunnel, ["[Interface]", `PrivateKey = ${privateKey}`]);
  await writeFile(at("hosts"), nodeHosts.names.map((name) => `${nodeHosts.address} ${name}\n`).join(""));
  await host.run("mount", "--bind", at("hosts"), "/etc/hosts");
  await writeNodeConfig(host, []);
  await mkdir(at("participant"));
  await writeFile(
    at("participant.conf"),
    `router id 192.0.2.1;\nprotocol device {}\ninclude "${at("participant")}/*.conf";\n`,
  );

  async function stripWireguard(config: string): Promise<string> {
    const file = at("dn42_node.conf");
    await writeFile(file, config, { mode: 0o600 });
    return host.run("wg-quick", "strip", file);
  }

  async function readWireguard(config: string): Promise<WireguardInterface> {
    const file = at("stripped.conf");
    await writeFile(file, config, { mode: 0o600 });
    await host.run("wg", "setconf", tunnel, file);
    const found = parseDump(await host.run("wg", "show", "all", "dump")).get(tunnel);
    if (!found) throw new Error(`wg does not list ${tunnel}`);
    return found;
  }

  return {
    readNodeBird: async (files) => {
      await writeBirdFiles(at("peerdeck/a"), files);
      return listProtocols(host, at("bird.conf"));
    },
    readParticipantBird: async (files) => {
      await writeBirdFiles(at("participant"), files);
      return listProtocols(host, at("participant.conf"));
    },
    stripWireguard,
    readWireguard,
  };
}

/**
 * Writes texts into the file that a configuration includes: five hundred files would take longer to write than to
 * parse. BIRD would accept a brace that one text omits and the next one supplies. So a definition follows each text,
 * which BIRD accepts only outside of blocks.
 */
async function writeBirdFiles(folder: string, texts: readonly string[]): Promise<void> {
  const separated = texts.map((text, index) => `${text}\ndefine end_of_text_${index} = ${index};\n`);
  await writeFile(path.join(folder, "peerings.conf"), separated.join(""));
}

/** Parses a configuration with `bird -p`, starts BIRD with it, and returns the names of its protocols. */
async function listProtocols(host: LabHost, config: string): Promise<readonly string[]> {
  await host.run("bird", "-p", "-c", config);
  const socket = path.join(host.folder, "parser.ctl");
  await host.run("bird", "-c", config, "-s", socket, "-P", `${socket}.pid`);
  const table = await host.run("birdc", "-s", socket, "show", "protocols");
  // BIRD removes its socket when it ends.
  await host.run("sh", "-c", `birdc -s ${socket} down && while [ -e ${socket} ]; do sleep 0.01; done`);
  const lines = table.split("\n");
  const header = lines.findIndex((line) => line.startsWith("Name "));
  return lines.slice(header + 1).flatMap((line) => line.split(" ", 1)[0] || []);
}
