/**
 * Observes a node from outside its namespaces: BIRD and WireGuard by their sockets, the agent by its log.
 */
import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createBirdControl } from "#agent/drivers/bird/control-socket.ts";
import { parseSessions } from "#agent/drivers/bird/parse-session.ts";
import type { HostInfo } from "#lab/hosts/namespaces.ts";

/** BIRD's poll interval, which is the precision of its times. Polling slows down what is measured. */
const pollMs = 5;
/** WireGuard and the log contain exact times. */
const readMs = 25;
const limitMs = 30_000;

export interface WatchedNode {
  /** The time of the interface's first handshake, in milliseconds since 1970. */
  readonly handshake: (name: string) => Promise<number>;
  /** Resolves when the session has this state, or with null, when BIRD no longer has the session. */
  readonly untilSession: (name: string, state: string | null) => Promise<void>;
  /** The agent's newest decision about an AS. */
  readonly decision: (asn: string) => Promise<Decision>;
}

export interface Decision {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The duration of the apply. */
  readonly ms: number;
  readonly outcome: string;
}

/** Milliseconds since 1970, more precise than `Date.now`. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}

export function watchNode({ pid, folder }: HostInfo): WatchedNode {
  const inside = `/proc/${pid}/root`;
  const bird = createBirdControl(`${inside}/run/bird/bird.ctl`);
  /** Null if BIRD has no session with this name. */
  const session = async (name: string) =>
    parseSessions(await bird(`show protocols all ${name}`))[0]?.state ?? null;
  return {
    untilSession: async (name, state) => {
      await until(pollMs, async () => ((await session(name)) === state ? true : null));
    },
    handshake: (name) => until(readMs, () => firstHandshake(`${inside}/run/wireguard/${name}.sock`)),
    decision: (asn) => until(readMs, () => newestDecision(join(folder, "agent.log"), asn)),
  };
}

async function until<T>(pauseMs: number, read: () => Promise<T | null>): Promise<T> {
  const deadline = now() + limitMs;
  for (;;) {
    const seen = await read();
    if (seen !== null) return seen;
    if (now() > deadline) throw new Error("the awaited state was not reached within half a minute");
    await pause(pauseMs);
  }
}

/** Reads the time by WireGuard's userspace API. Returns null before the first handshake or without an interface. */
async function firstHandshake(socketPath: string): Promise<number | null> {
  const text = await readUserspaceState(socketPath).catch(() => "");
  const [seconds, nanoseconds] = ["sec", "nsec"].map((unit) =>
    Number(new RegExp(`^last_handshake_time_${unit}=([0-9]+)$`, "m").exec(text)?.[1] ?? 0),
  );
  return seconds ? seconds * 1000 + (nanoseconds ?? 0) / 1e6 : null;
}

/** Returns the configuration and state of an interface in the format of WireGuard's userspace API. */
function readUserspaceState(socketPath: string): Promise<string> {
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
    .findLast(({ msg, asn: entryAsn }) => msg === "change decided" && entryAsn === asn);
  return decided ? { at: decided.time, ms: decided.ms, outcome: decided.outcome } : null;
}
