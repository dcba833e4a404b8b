/**
 * What can be seen of a node from outside its namespaces: BIRD and WireGuard by their sockets, the agent by its files.
 */
import { type FSWatcher, watch } from "node:fs";
import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createBirdControl } from "../../src/agent/drivers/bird/control-socket.ts";
import { parseProtocols } from "../../src/agent/drivers/bird/parse-protocols.ts";
import type { HostPlace } from "../../src/lab/namespaces.ts";

/** How often BIRD is asked, which is how exact its moments are. What is asked takes time from what is measured. */
export const lookMs = 5;
/** WireGuard and the log tell the moment themselves. */
const readMs = 25;
const limitMs = 30_000;

export interface WatchedNode extends Disposable {
  /** BIRD's words on a session; null while it knows none of that name. */
  readonly session: (name: string) => Promise<string | null>;
  /** When the interface's first handshake was, milliseconds since 1970. */
  readonly handshake: (name: string) => Promise<number>;
  /** Resolves when the session's state is the wanted one; null: when BIRD knows it no more. */
  readonly untilSession: (name: string, wanted: string | null) => Promise<void>;
  /** What the agent changed in its files since `forget`. */
  readonly changes: () => readonly FileChange[];
  readonly forget: () => void;
  /** The agent's newest decision about an AS. */
  readonly decision: (asn: string) => Promise<Decision>;
}

export interface FileChange {
  readonly at: number;
  /** From the host's folder. */
  readonly path: string;
}

export interface Decision {
  /** When it was decided, milliseconds since 1970. */
  readonly at: number;
  /** How long the apply took. */
  readonly ms: number;
  readonly outcome: string;
}

/** Milliseconds since 1970, finer than `Date.now`. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}

const folders = ["bird/peerdeck", "bird/peerdeck/a", "bird/peerdeck/b", "state"];

export function watchNode({ pid, folder }: HostPlace): WatchedNode {
  const inside = `/proc/${pid}/root`;
  const bird = createBirdControl(`${inside}/run/bird/bird.ctl`);
  let changes: FileChange[] = [];
  const watchers = folders.map((name): FSWatcher =>
    watch(join(folder, name), (_event, file) => changes.push({ at: now(), path: `${name}/${file}` })),
  );
  const session = async (name: string) =>
    parseProtocols(await bird(`show protocols ${name}`))[0]?.state ?? null;
  return {
    session,
    untilSession: async (name, wanted) => {
      await until(lookMs, async () => ((await session(name)) === wanted ? true : null));
    },
    handshake: (name) => until(readMs, () => firstHandshake(`${inside}/run/wireguard/${name}.sock`)),
    changes: () => changes,
    forget: () => {
      changes = [];
    },
    decision: (asn) => until(readMs, () => newestDecision(join(folder, "agent.log"), asn)),
    [Symbol.dispose]: () => {
      for (const watcher of watchers) watcher.close();
    },
  };
}

async function until<T>(pauseMs: number, look: () => Promise<T | null>): Promise<T> {
  const deadline = now() + limitMs;
  for (;;) {
    const seen = await look();
    if (seen !== null) return seen;
    if (now() > deadline) throw new Error("what was waited for did not come within half a minute");
    await pause(pauseMs);
  }
}

/** By WireGuard's userspace API; null before there is one, or an interface. */
async function firstHandshake(socketPath: string): Promise<number | null> {
  const text = await askUserspace(socketPath).catch(() => "");
  const [seconds, nanoseconds] = ["sec", "nsec"].map((unit) =>
    Number(new RegExp(`^last_handshake_time_${unit}=([0-9]+)$`, "m").exec(text)?.[1] ?? 0),
  );
  return seconds ? seconds * 1000 + (nanoseconds ?? 0) / 1e6 : null;
}

/** The configuration and state of an interface, in the words of WireGuard's userspace API. */
export function askUserspace(socketPath: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath);
    let text = "";
    socket.setEncoding("utf8");
    socket.on("error", reject);
    socket.on("data", (chunk: string) => {
      text += chunk;
      if (!text.endsWith("\n\n")) return;
      socket.destroy();
      resolve(text);
    });
    socket.write("get=1\n\n");
  });
}

async function newestDecision(log: string, asn: string): Promise<Decision | null> {
  const lines = (await readFile(log, "utf8")).split("\n").filter((line) => line.startsWith("{"));
  const decided = lines
    .map((line) => JSON.parse(line) as Decision & { msg: string; asn: string; time: number })
    .findLast(({ msg, asn: whose }) => msg === "a change was decided" && whose === asn);
  return decided ? { at: decided.time, ms: decided.ms, outcome: decided.outcome } : null;
}
