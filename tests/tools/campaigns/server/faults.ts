/** What happens to the server and its database during a sequence. */
import { setTimeout as pause } from "node:timers/promises";
import type { Random } from "../random.ts";
import type { Installation } from "./installation.ts";

export interface Fault {
  readonly name: string;
  /** Whether the fault ends the server's process. The others end connections to the database. */
  readonly endsServer: boolean;
  readonly run: (installation: Installation, random: Random) => Promise<void>;
}

const kill: Fault = {
  name: "kills of the server",
  endsServer: true,
  run: async ({ endServer }) => void (await endServer("SIGKILL")),
};

/** The second kill meets the server while it reads the database or starts its jobs. */
const killTwice: Fault = {
  name: "kills of a starting server",
  endsServer: true,
  run: async ({ endServer, launchServer }, random) => {
    await endServer("SIGKILL");
    await using starting = launchServer();
    await pause(300 + random.integer(1_200));
    await starting.end("SIGKILL");
  },
};

const stop: Fault = {
  name: "stops of the server",
  endsServer: true,
  run: async ({ endServer }) => {
    const code = await endServer("SIGTERM");
    if (code !== 0) throw new Error(`the server stopped with the exit code ${code}`);
  },
};

const killPostgres: Fault = {
  name: "kills of PostgreSQL",
  endsServer: false,
  run: async ({ postgres }) => postgres?.crash("SIGKILL"),
};

const restartPostgres: Fault = {
  name: "immediate restarts of PostgreSQL",
  endsServer: false,
  run: async ({ postgres }) => postgres?.crash("SIGQUIT"),
};

const failOver: Fault = {
  name: "failovers",
  endsServer: false,
  run: async ({ postgres }) => postgres?.failOver(),
};

const switchOver: Fault = {
  name: "failovers with a read-only former primary",
  endsServer: false,
  run: async ({ postgres }) => postgres?.switchOver(),
};

export const faults = { kill, killTwice, stop, killPostgres, restartPostgres, failOver, switchOver };
export type FaultName = keyof typeof faults;

export const variants = ["sqlite", "postgres"] as const;
export type Variant = (typeof variants)[number];

/** Each fault as often as its share of a sequence. */
const drawn: Readonly<Record<Variant, readonly [Fault, ...Fault[]]>> = {
  sqlite: [kill, kill, kill, kill, killTwice, stop],
  postgres: [kill, kill, kill, killTwice, stop, killPostgres, restartPostgres, failOver, switchOver],
};

export function drawFault(variant: Variant, random: Random): Fault {
  return random.pick(drawn[variant]);
}
