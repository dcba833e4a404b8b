/** A provider's node in the lab: BIRD on the base configuration that the repository offers, and the driver. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import type { PeeringObservation, RoutedPeering } from "../../src/agent/drivers/router.ts";
import type { LabHost } from "../../src/lab/namespaces.ts";
import type { RouterCall } from "./router-process.ts";

export interface LabNode extends AsyncDisposable {
  readonly host: LabHost;
  readonly birdDir: string;
  readonly birdConfig: string;
  readonly set: (desired: readonly RoutedPeering[]) => Promise<readonly string[]>;
  readonly ask: <T>(call: string, ...args: readonly string[]) => Promise<T>;
  readonly observe: () => Promise<readonly PeeringObservation[]>;
  /** Ends the driver's process at once. */
  readonly kill: () => Promise<void>;
}

export const providerAsn = "4242422227";
const root = path.join(import.meta.dirname, "../..");

/** Writes BIRD's base configuration, with ROAs like `172.20.1.0/26 max 29 as 4242420001`. */
export async function writeNodeConfig(host: LabHost, roas: readonly string[]): Promise<void> {
  const at = (name: string) => path.join(host.folder, name);
  for (const folder of ["roa", "peerdeck/a", "peerdeck/b"]) await mkdir(at(folder), { recursive: true });
  const base = await readFile(path.join(root, "docs/bird/bird.conf"), "utf8");
  const policy = await readFile(path.join(root, "docs/bird/peerdeck-policy.conf"), "utf8");
  await writeFile(at("peerdeck-policy.conf"), policy);
  await writeFile(
    at("bird.conf"),
    base
      .replaceAll("/etc/bird/", `${host.folder}/`)
      .replace("log syslog all;", `log "${at("bird.log")}" all;`),
  );
  for (const [file, sign] of [
    ["roa4.conf", "."],
    ["roa6.conf", ":"],
  ] as const) {
    const lines = roas.filter((roa) => roa.includes(sign)).map((roa) => `route ${roa};\n`);
    await writeFile(path.join(at("roa"), file), lines.join(""));
  }
  await host.run("ln", "-sfn", "a", at("peerdeck/current"));
  await host.run("ln", "-sfn", "a", at("peerdeck/confirmed"));
}

export async function startNodeBird(host: LabHost, roas: readonly string[]): Promise<void> {
  const at = (name: string) => path.join(host.folder, name);
  await writeNodeConfig(host, roas);
  // The node's own addresses, which the base configuration sends from.
  await host.run("ip", "address", "add", "172.20.16.1/32", "dev", "lo");
  await host.run("ip", "address", "add", "fd42:d42::1/128", "dev", "lo");
  await host.run("bird", "-c", at("bird.conf"), "-s", at("bird.ctl"), "-P", at("bird.pid"));
}

export async function openLabNode(host: LabHost): Promise<LabNode> {
  const at = (name: string) => path.join(host.folder, name);
  const options = {
    node: host.name,
    providerAsn,
    stateDir: at("state"),
    birdDir: at("peerdeck"),
    birdSocket: at("bird.ctl"),
    tunnels: {},
  };
  const child = host.start(
    process.execPath,
    path.join(import.meta.dirname, "router-process.ts"),
    JSON.stringify(options),
  );
  const call = callerOf(child);
  const ask = <T>(name: string, ...args: readonly string[]) => call({ call: name, args }) as Promise<T>;
  return {
    host,
    birdDir: options.birdDir,
    birdConfig: at("bird.conf"),
    set: (desired) => call({ call: "set", args: [], desired }) as Promise<readonly string[]>,
    ask,
    observe: () => ask("observe"),
    kill: async () => {
      const ended = once(child, "exit");
      // The driver is the child of what entered the namespaces.
      const inside = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, "utf8");
      process.kill(Number(inside.trim()), "SIGKILL");
      await ended;
    },
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.stdin?.end();
      await ended;
    },
  };
}

interface Answer {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: { readonly name: string; readonly message: string };
}

function callerOf(child: ChildProcess) {
  const waiting = new Map<number, (answer: Answer) => void>();
  let last = 0;
  if (!child.stdout) throw new Error("the driver has no output");
  createInterface({ input: child.stdout }).on("line", (line) => {
    const answer = JSON.parse(line) as Answer;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  child.once("exit", () => {
    for (const settle of waiting.values())
      settle({ id: 0, error: { name: "Error", message: "the driver's process ended" } });
  });
  return (request: Omit<RouterCall, "id">): Promise<unknown> => {
    last += 1;
    const id = last;
    return new Promise((resolve, reject) => {
      waiting.set(id, ({ value, error }) => {
        if (error) reject(Object.assign(new Error(error.message), { name: error.name }));
        else resolve(value);
      });
      child.stdin?.write(`${JSON.stringify({ ...request, id })}\n`);
    });
  };
}
