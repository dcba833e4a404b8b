import { describeCalls } from "../call-description.ts";
import { username } from "./examples.ts";

export const pushDescriptions = describeCalls("Push", {
  getPushSettings: {
    summary: "The server's push key, and the push subscription of this login session",
    description: "`publicKey` is the `applicationServerKey` of `PushManager.subscribe`.",
  },
  savePushSubscription: {
    summary: "Send push messages to this browser until the login session ends",
    description: "Replaces the previous subscription of the login session.",
    errors: { 422: "Not an allowed push service, or not a key" },
    request: {
      username,
      endpoint: "https://push.example.net/send/3f9a",
      p256dh: "BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM",
      auth: "tBHItJI5svbpez7KI4CCXg",
      alerts: true,
    },
  },
  deletePushSubscription: {
    summary: "Stop push messages for this login session",
    description: "Succeeds without a subscription, too.",
  },
});
