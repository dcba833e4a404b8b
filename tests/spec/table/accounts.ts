import type { Row } from "./row.ts";

/** From a mail to a session, against the whole server with its mails. */
export const accountRows = [
  {
    id: "account-registered",
    section: 1,
    says: "Participants register by AS number. A verification link goes to the e-mail address tied to that AS number, and the participant sets a password through that link.",
    reading: "The address is the registry's: admin contacts first (docs/decisions/0005).",
  },
  { id: "account-forgot", section: 1, says: "Forgot-password works the same way." },
] as const satisfies readonly Row[];
