import type { Handlers, LoggedInContext } from "../../api/handlers.ts";
import { HttpError } from "#contract/http-error.ts";
import { hashSecret } from "../../api/secret-tokens.ts";
import type { AppContext } from "../../context.ts";
import { isPushEndpoint, isBrowserKey, isBrowserSecret } from "../../push/subscription-checks.ts";
import { deleteSubscription, findSubscription, saveSubscription } from "../../push/subscriptions.ts";

export type PushContext = Pick<AppContext, "db" | "profile" | "pushPublicKey" | "clock">;

type PushCalls = "getPushSettings" | "savePushSubscription" | "deletePushSubscription";

export function pushHandlers({ db, profile, pushPublicKey, clock }: PushContext): Pick<Handlers, PushCalls> {
  return {
    async getPushSettings(_requestBody, request) {
      const subscription = await findSubscription(db, loginSessionHash(request));
      // The profile may have allowed the host when the browser subscribed.
      const isServed = subscription !== null && isPushEndpoint(subscription.endpoint, profile.pushHosts);
      return { publicKey: pushPublicKey, subscription: isServed ? subscription : null };
    },
    async savePushSubscription({ endpoint, p256dh, auth, alerts }, request) {
      if (!isPushEndpoint(endpoint, profile.pushHosts)) {
        throw invalidField("endpoint", "This is not the address of a supported push service.");
      }
      if (!isBrowserKey(p256dh)) {
        throw invalidField("p256dh", "The browser's key is not a point on P-256, 65 bytes in base64url.");
      }
      if (!isBrowserSecret(auth)) {
        throw invalidField("auth", "The browser's secret is not 16 bytes in base64url.");
      }
      const subscription = { endpoint, p256dh, auth, alerts };
      if (!(await saveSubscription(db, loginSessionHash(request), subscription, clock()))) {
        throw loginSessionEnded();
      }
      return {};
    },
    async deletePushSubscription(_requestBody, request) {
      await deleteSubscription(db, loginSessionHash(request));
      return {};
    },
  };
}

/** The hash under which the database stores the caller's login session. */
function loginSessionHash({ loginToken }: LoggedInContext): string {
  const hash = loginToken === null ? null : hashSecret(loginToken);
  if (hash === null) throw loginSessionEnded();
  return hash;
}

function loginSessionEnded(): HttpError {
  return new HttpError(401, {
    message: "Your login session has ended. Nothing was saved; log in and try again.",
  });
}

function invalidField(field: "endpoint" | "p256dh" | "auth", message: string): HttpError {
  return new HttpError(422, { message: `${message} Nothing was saved.`, field });
}
