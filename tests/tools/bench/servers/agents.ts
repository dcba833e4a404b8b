/** The program of all agents: a process of its own, so that their CPU time is neither a server's nor that of the load. */
import { readFile } from "node:fs/promises";
import { pino } from "pino";
import { parseAgentConfig } from "#agent/config/agent-config.ts";
import { startAgent } from "#agent/start-agent.ts";

/** A change takes 60 ms on a simulated router, as on a real one. */
const timeScale = 0.1;

/** The paths of the agents' configurations, in SERVERS_AGENTS. */
const paths = JSON.parse(process.env["SERVERS_AGENTS"] ?? "") as readonly string[];
for (const path of paths) {
  const config = parseAgentConfig(await readFile(path, "utf8"), path);
  await startAgent(config, pino({ base: { node: config.node } }), timeScale);
}
process.stdout.write(`${JSON.stringify({ msg: "all agents are listening" })}\n`);
