import type { Rows } from "../row.ts";

/** From a mail to a login session, against the whole server with its mails. The browser navigates by the mailed link. */
export const accountRows = {
  1: {
    "account-registered":
      "Participants register by AS number. A verification link goes to the e-mail address tied to that AS number, and the participant sets a password through that link. Forgot-password works the same way. (Reading: The address is the registry's: admin contacts first (docs/decisions/0005).)",
  },
} as const satisfies Rows;
