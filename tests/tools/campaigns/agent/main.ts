/**
 * `npm run campaign:agent`: kills the agent at the steps of an apply, on real routers in network namespaces, and checks
 * that the node has one whole generation afterwards. docs/reliability.md says what is checked.
 */
import { type CrashScenarios, openScenarios } from "#tests/lab/crash-scenarios.ts";
import { runCampaign } from "../campaign.ts";
import { runSequence } from "./sequence.ts";

const killsPerNode = 5;

await runCampaign({
  name: "agent",
  script: "campaign:agent",
  variants: [""],
  jobs: 1,
  open: async () => {
    let scenarios: CrashScenarios | null = null;
    const close = async () => {
      await scenarios?.[Symbol.asyncDispose]();
      scenarios = null;
    };
    return {
      run: async ({ seed, logs }) => {
        scenarios ??= await openScenarios();
        const outcome = await runSequence(scenarios, { seed, killsPerNode, logs });
        // The next sequence begins with nodes that are known to be whole.
        if (outcome.failure !== null) await close();
        return outcome;
      },
      [Symbol.asyncDispose]: close,
    };
  },
});
