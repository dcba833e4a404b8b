import { accountCalls } from "./call-tables/accounts/account-calls.ts";
import { kioubitCalls } from "./call-tables/accounts/kioubit-calls.ts";
import { passkeyCalls } from "./call-tables/accounts/passkey-calls.ts";
import { proofCalls } from "./call-tables/accounts/proof-calls.ts";
import { tokenCalls } from "./call-tables/accounts/token-calls.ts";
import { activityCalls } from "./call-tables/activity-calls.ts";
import { configCalls } from "./call-tables/config-calls.ts";
import { nodeKeyCalls } from "./call-tables/node-key-calls.ts";
import { nodeCalls } from "./call-tables/node-calls.ts";
import { roundTripCalls } from "./call-tables/round-trip-calls.ts";
import { sampleCalls } from "./call-tables/sample-calls.ts";
import { calls as appCalls } from "./call-tables/app-calls.ts";

/** Every call between the web app and the server. */
export const calls = {
  ...appCalls,
  ...activityCalls,
  ...accountCalls,
  ...proofCalls,
  ...kioubitCalls,
  ...passkeyCalls,
  ...tokenCalls,
  ...configCalls,
  ...nodeKeyCalls,
  ...roundTripCalls,
  ...sampleCalls,
  ...nodeCalls,
};

export type Calls = typeof calls;
export type CallName = keyof Calls;
