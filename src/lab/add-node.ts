/** Lets an agent join as the operator does: with the line of `peerdeck nodes add`. */
import { join } from "node:path";
import type { LabHost } from "./hosts/namespaces.ts";
import { type NodePlan, provider } from "./network.ts";

const programs = join(import.meta.dirname, "../../build/programs");
/** Where the nodes reach the server. */
export const serverPort = 4242;

/** The server's host and the environment variables of its commands. */
export interface LabServer {
  readonly host: Pick<LabHost, "run">;
  readonly environment: Readonly<Record<string, string>>;
}

/** Runs a command of the server, such as `nodes list`, and returns its output. */
export function runServerCommand(
  { host, environment }: LabServer,
  ...args: readonly string[]
): Promise<string> {
  return runProgram(host, environment, "peerdeck.mjs", args);
}

/** Returns the join line of a node. */
export async function createJoinLine(
  server: LabServer,
  { name, place, lat, lon }: NodePlan,
): Promise<string> {
  const url = `http://${provider.publicIp}:${serverPort}`;
  const options = ["--place", place, "--at", `${lat},${lon}`, "--url", url, "--json"];
  const { line } = JSON.parse(await runServerCommand(server, "nodes", "add", name, ...options)) as {
    readonly line: string;
  };
  const [, joinLine = ""] = /'(.+)'/.exec(line) ?? [];
  return joinLine;
}

/** Runs a command of the agent on its host, such as `join` with a line, and returns its output. */
export function runAgentCommand(
  { folder, run }: Pick<LabHost, "folder" | "run">,
  ...args: readonly string[]
): Promise<string> {
  const environment = { PEERDECK_AGENT_CONFIG: join(folder, "agent.toml") };
  return runProgram({ run }, environment, "peerdeck-agent.mjs", args);
}

/** Adds a node whose agent is running, and opens it to new peerings. */
export async function addNode(server: LabServer, plan: NodePlan, host: LabHost): Promise<void> {
  await runAgentCommand(host, "join", await createJoinLine(server, plan));
  await runServerCommand(server, "nodes", "open", plan.name);
}

function runProgram(
  { run }: Pick<LabHost, "run">,
  environment: Readonly<Record<string, string>>,
  program: string,
  args: readonly string[],
): Promise<string> {
  const settings = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  return run("env", ...settings, process.execPath, join(programs, program), ...args);
}
