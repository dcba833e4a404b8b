import type { Profile } from "../../config/profile.ts";
import type { Mail } from "../../mail/mail.ts";

/** What the mails about nodes say of the provider. */
export type MailingProvider = Pick<Profile, "name" | "publicUrl" | "domain" | "supportAddress">;

interface NodeMail {
  readonly asn: string;
  readonly to: string;
  readonly subject: string;
  /** What the mail is about, between the greeting and why the participant receives it. */
  readonly body: string;
}

/** Writes a mail to a participant about a node that they peer with. */
export function renderNodeMail(
  { name, supportAddress }: MailingProvider,
  { asn, to, subject, body }: NodeMail,
): Mail {
  return {
    to,
    subject,
    text: `Hello,

${body}

You received this because the registry lists this address for AS${asn}.

Questions? Write to ${supportAddress}.

${name}
`,
  };
}
