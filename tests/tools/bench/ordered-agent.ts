/**
 * An agent that uses the former order of a change after SIGUSR2, and the usual one again after SIGHUP. Its process ID is in
 * `ordered-agent.pid` beside its configuration. The product has no such choice.
 */
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pino } from "pino";
import { parseAgentConfig } from "#agent/config/agent-config.ts";
import { type ApplyOrder, applyOrder } from "#agent/drivers/linux/apply-steps.ts";
import { startAgent } from "#agent/start-agent.ts";
import { readConfigFile } from "#system/config/config-file.ts";

/** The peer before BIRD knows its session, and no step beside another. */
const formerOrder: ApplyOrder = [
  ["packet filter"],
  ["new links"],
  ["changed links"],
  ["peers"],
  ["files"],
  ["load"],
  ["confirm"],
];

const variable = "PEERDECK_AGENT_CONFIG";
const path = process.env[variable] ?? "";
const config = parseAgentConfig(await readConfigFile(path, "agent's configuration", variable), path);
/** Read at the beginning of each change. */
const order = [...applyOrder];
const use = (next: ApplyOrder) => void order.splice(0, order.length, ...next);
process.on("SIGUSR2", () => use(formerOrder));
process.on("SIGHUP", () => use(applyOrder));
await writeFile(join(dirname(path), "ordered-agent.pid"), String(process.pid));
const log = pino({ level: config.log_level, base: { node: config.node } });
await startAgent(config, log, 1, order);
