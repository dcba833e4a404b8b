/**
 * `npm run campaign:agent`: kills the agent at the steps of an apply, on real routers in network namespaces, and checks
 * that the node has one whole generation afterwards. docs/reliability.md says what is checked.
 */
import { openScenarios } from "#tests/lab/crash-scenarios.ts";
import { runCampaign } from "../campaign.ts";
import { runSequence } from "./sequence.ts";

const killsPerNode = 5;

let scenarios = await openScenarios();
await runCampaign({
  script: "campaign:agent",
  run: async ({ seed, logs }) => {
    const outcome = await runSequence(scenarios, { seed, killsPerNode, logs });
    // The next sequence begins with nodes that are known to be whole.
    if (outcome.failure !== null) {
      await scenarios[Symbol.asyncDispose]();
      scenarios = await openScenarios();
    }
    return outcome;
  },
});
await scenarios[Symbol.asyncDispose]();
