/** The descriptions of the calls about passkeys. */
export const passkeyDescriptions = {
  getPasskeys: {
    summary: "The passkeys of this AS, the oldest first",
  },
  startPasskeyAddition: {
    summary: "Get what a browser needs to create a passkey",
    errors: {
      403: "The login was more than 15 minutes ago",
      409: "The AS has as many passkeys as it can have, or the address of the app allows none",
      429: "Too many changes of passkeys",
    },
  },
  finishPasskeyAddition: {
    summary: "Add the passkey that a browser has created; a mail reports it",
    errors: {
      403: "The login was more than 15 minutes ago",
      409: "The passkey was added before, or the AS has as many as it can have",
      422: "The name or the passkey is not accepted, or the challenge was used or has expired",
    },
  },
  removePasskey: {
    summary: "Remove a passkey; a mail reports it",
    errors: {
      403: "The login was more than 15 minutes ago",
      404: "No such passkey",
      409: "The password is turned off, and no other passkey is left",
      429: "Too many changes of passkeys",
    },
  },
  turnPasswordOff: {
    summary: "Turn the password off, so that only passkeys log in; a reset turns it on again",
    errors: {
      403: "The login was more than 15 minutes ago",
      409: "No passkey was used to log in, or the password is turned off already",
      429: "Too many changes of passkeys",
    },
  },
  startPasskeyLogin: {
    summary: "Get what a browser needs to log in with a passkey",
    errors: { 409: "The address of the app allows no passkeys", 429: "Too many logins with a passkey" },
  },
  finishPasskeyLogin: {
    summary: "Log in with the signature of a passkey; the response names its AS",
    errors: {
      401: "The passkey is not accepted",
      403: "The AS is blocked",
      422: "The challenge was used or has expired",
      429: "Too many failed logins",
    },
  },
};
