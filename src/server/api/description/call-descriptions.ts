/** What the API page and the OpenAPI document say of each call. The web app does not load it. */
import type { CallName } from "#contract/calls.ts";
import type { CallDescription } from "./call-description.ts";
import { accountDescriptions } from "./calls/account.ts";
import { loginDescriptions } from "./calls/login.ts";
import { nodeDescriptions } from "./calls/nodes.ts";
import { passkeyDescriptions } from "./calls/passkeys.ts";
import { peeringDescriptions } from "./calls/peerings.ts";
import { pushDescriptions } from "./calls/push.ts";
import { routerOutputDescriptions } from "./calls/router-output.ts";
import { statusDescriptions } from "./calls/status.ts";

export const callDescriptions: Readonly<Record<CallName, CallDescription>> = {
  ...nodeDescriptions,
  ...peeringDescriptions,
  ...statusDescriptions,
  ...routerOutputDescriptions,
  ...loginDescriptions,
  ...accountDescriptions,
  ...passkeyDescriptions,
  ...pushDescriptions,
};
