/**
 * `npm run campaign:server`: kills the server, and its PostgreSQL, under load, and checks that nothing that the server
 * confirmed is lost or doubled. docs/reliability.md says what is checked.
 */
import { runCampaign } from "../campaign.ts";
import { type Variant, variants } from "./faults.ts";
import { runSequence } from "./sequence.ts";

const rounds = 10;

await runCampaign({
  script: "campaign:server",
  variants,
  run: ({ seed, variant, logs }) => runSequence({ seed, variant: variant as Variant, rounds, logs }),
});
