import type { Profile } from "../../config/profile.ts";
import type { Db } from "../../db/open.ts";
import type { Handlers, SignedInExchange } from "../../http/handlers.ts";
import { Refusal } from "../../http/refusal.ts";
import { hashSecret } from "../accounts/tokens.ts";
import { isBrowserKey, isBrowserSecret } from "./browser-keys.ts";
import { isPushEndpoint } from "./push-endpoint.ts";
import { deleteSubscription, findSubscription, saveSubscription } from "./subscriptions.ts";

export interface PushDeps {
  readonly db: Db;
  readonly profile: Pick<Profile, "pushHosts">;
  /** The server's VAPID key. */
  readonly pushPublicKey: string;
  readonly clock: () => number;
}

type PushCalls = "getPushSettings" | "savePushSubscription" | "deletePushSubscription";

export function pushHandlers({ db, profile, pushPublicKey, clock }: PushDeps): Pick<Handlers, PushCalls> {
  return {
    async getPushSettings(_body, exchange) {
      return {
        publicKey: pushPublicKey,
        subscription: await findSubscription(db, sessionOf(exchange)),
      };
    },
    async savePushSubscription({ endpoint, p256dh, auth, alerts }, exchange) {
      if (!isPushEndpoint(endpoint, profile.pushHosts)) {
        throw refused("endpoint", "This is not the address of a push service that we send to.");
      }
      if (!isBrowserKey(p256dh)) {
        throw refused("p256dh", "The browser's key is not a point on P-256, 65 bytes in base64url.");
      }
      if (!isBrowserSecret(auth)) {
        throw refused("auth", "The browser's secret is not 16 bytes in base64url.");
      }
      const subscription = { endpoint, p256dh, auth, alerts };
      if (!(await saveSubscription(db, sessionOf(exchange), subscription, clock()))) throw ended();
      return {};
    },
    async deletePushSubscription(_body, exchange) {
      await deleteSubscription(db, sessionOf(exchange));
      return {};
    },
  };
}

/** What the database knows the caller's session by. */
function sessionOf({ sessionToken }: SignedInExchange): string {
  const hash = sessionToken === null ? null : hashSecret(sessionToken);
  if (hash === null) throw ended();
  return hash;
}

function ended(): Refusal {
  return new Refusal(401, { message: "Your session has ended. Nothing was saved; sign in and try again." });
}

function refused(field: "endpoint" | "p256dh" | "auth", message: string): Refusal {
  return new Refusal(422, { message: `${message} Nothing was saved.`, field });
}
