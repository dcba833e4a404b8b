import { describeCalls } from "../call-description.ts";
import { username } from "./examples.ts";

const challenge = "6b1f0c7d0e4a4b0f9a4f0d6c2b7e8a91";
const credential = { id: "GVzBlbGxv", rawId: "GVzBlbGxv", type: "public-key" } as const;

export const passkeyDescriptions = describeCalls("Account", {
  getPasskeys: {
    summary: "The passkeys of this AS, the oldest first",
    description: "With name, creation and last use of each.",
  },
  startPasskeyAddition: {
    summary: "Get what a browser needs to create a passkey",
    description:
      "For browsers: pass `options` to `navigator.credentials.create`, and its result to `finishPasskeyAddition`.",
    errors: {
      403: "The login was more than 15 minutes ago",
      409: "The AS has as many passkeys as it can have, or the address of the app allows none",
      429: "Too many changes of passkeys",
    },
  },
  finishPasskeyAddition: {
    summary: "Add the passkey that a browser has created; a mail reports it",
    description: "Needs a login that is at most 15 minutes old.",
    request: {
      username,
      challenge,
      name: "Laptop",
      credential: { ...credential, response: { clientDataJSON: "e30", attestationObject: "oA" } },
    },
    errors: {
      403: "The login was more than 15 minutes ago",
      409: "The passkey was added before, or the AS has as many as it can have",
      422: "The name or the passkey is not accepted, or the challenge was used or has expired",
    },
  },
  removePasskey: {
    summary: "Remove a passkey; a mail reports it",
    description: "Needs a login that is at most 15 minutes old.",
    request: { username, id: credential.id },
    errors: {
      403: "The login was more than 15 minutes ago",
      404: "No such passkey",
      409: "The password is turned off, and no other passkey is left",
      429: "Too many changes of passkeys",
    },
  },
  turnPasswordOff: {
    summary: "Turn the password off, so that only passkeys log in; a reset turns it on again",
    description: "Needs a login that is at most 15 minutes old.",
    errors: {
      403: "The login was more than 15 minutes ago",
      409: "No passkey was used to log in, or the password is turned off already",
      429: "Too many changes of passkeys",
    },
  },
  startPasskeyLogin: {
    summary: "Get what a browser needs to log in with a passkey",
    description:
      "For browsers: pass `options` to `navigator.credentials.get`, and its result to `finishPasskeyLogin`.",
    errors: { 409: "The address of the app allows no passkeys", 429: "Too many logins with a passkey" },
  },
  finishPasskeyLogin: {
    summary: "Log in with the signature of a passkey; the response names its AS",
    description: "The response sets the cookie of the login session, as `login` does.",
    request: {
      challenge,
      credential: {
        ...credential,
        response: { clientDataJSON: "e30", authenticatorData: "AA", signature: "AA" },
      },
    },
    errors: {
      401: "The passkey is not accepted",
      403: "The AS is blocked",
      422: "The challenge was used or has expired",
      429: "Too many failed logins",
    },
  },
});
