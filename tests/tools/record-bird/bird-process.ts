/** One run of BIRD in the node, with docs/bird's configuration and files that the agent's renderer writes. */
import { once } from "node:events";
import { appendFile, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { renderBirdPeering } from "#agent/drivers/bird/render.ts";
import type { Peering } from "#contract/agent.ts";
import type { LabHost } from "#lab/hosts/namespaces.ts";
import { providerAsn, writeNodeConfig } from "../../lab/lab-node.ts";
import type { BirdBuild } from "./bird-packages.ts";
import { readRawReplies } from "./control.ts";

export interface BirdConfig {
  readonly peerings: readonly Peering[];
  /** Lines that an operator adds to bird.conf. */
  readonly operatorLines?: readonly string[];
}

export interface BirdProcess {
  /** Returns the raw reply to a command. */
  readonly send: (command: string) => Promise<Buffer>;
  /** Sends commands at once, so that BIRD does as little as possible between them. */
  readonly sendAll: (commands: readonly string[]) => Promise<readonly Buffer[]>;
  /** Stops BIRD and waits for its end. */
  readonly stop: () => Promise<void>;
}

/** The routes that AS4242420001 may announce, and one that only another AS may. */
const roas = [
  "10.0.0.0/8 max 24 as 4242420001",
  "172.20.1.0/26 max 29 as 4242420001",
  "172.20.9.0/26 max 29 as 4242420009",
  "fd42:4242:1::/48 max 64 as 4242420001",
  "fd42:4242:9::/48 max 64 as 4242420009",
];

const pollMs = 10;
const startTimeoutMs = 20_000;
const stopTimeoutMs = 10_000;

export async function startBird(host: LabHost, build: BirdBuild, config: BirdConfig): Promise<BirdProcess> {
  const at = (name: string) => path.join(host.folder, name);
  await rm(at("bird.ctl"), { force: true });
  await rm(at("bird.log"), { force: true });
  await writeConfig(host, config);
  const files = ["-c", at("bird.conf"), "-s", at("bird.ctl"), "-P", at("bird.pid")];
  const child = host.start(path.join(build.folder, "bird"), "-f", ...files);
  const ended = once(child, "exit").then(() => "ended" as const);
  const sendAll = (commands: readonly string[]) => readRawReplies(at("bird.ctl"), commands);
  const send = async (command: string) => (await sendAll([command]))[0] ?? Buffer.alloc(0);
  const deadline = performance.now() + startTimeoutMs;
  for (;;) {
    const status = await Promise.race([ended, send("show status").then(String, () => "starting")]);
    if (status.includes("Daemon is up and running")) break;
    if (status === "ended" || performance.now() > deadline) {
      const log = await readFile(at("bird.log"), "utf8").catch(() => "");
      throw new Error(`BIRD ${build.version} did not start. Its log:\n${log}`);
    }
    await pause(pollMs);
  }
  return {
    send,
    sendAll,
    stop: async () => {
      await send("down").catch(() => {});
      const timeout = pause(stopTimeoutMs, "timeout" as const, { ref: false });
      if ((await Promise.race([ended, timeout])) === "ended") return;
      const pid = (await readFile(at("bird.pid"), "utf8")).trim();
      await host.run("kill", "-KILL", pid);
      await ended;
    },
  };
}

async function writeConfig(host: LabHost, { peerings, operatorLines = [] }: BirdConfig): Promise<void> {
  const folder = path.join(host.folder, "peerdeck");
  await rm(folder, { recursive: true, force: true });
  await writeNodeConfig(host, roas);
  // The machine's name would be in the recordings.
  const lines = ['hostname "node";', ...operatorLines, ""];
  await appendFile(path.join(host.folder, "bird.conf"), `\n${lines.join("\n")}`);
  for (const peering of peerings) {
    const text = renderBirdPeering({ peering, endpointAddress: peering.endpointHost }, { providerAsn });
    await writeFile(path.join(folder, "a", `${peering.asn}.conf`), text);
  }
}
