import type { Profile } from "../../config/profile.ts";
import type { Mail } from "../../mail/mail.ts";
import type { TokenPurpose } from "./accounts.ts";

export interface LinkMail {
  readonly to: string;
  readonly asn: string;
  readonly purpose: TokenPurpose;
  readonly token: string;
  /** The public URL where the link was requested. */
  readonly publicUrl: string;
}

const texts: Readonly<Record<TokenPurpose, { readonly subject: string; readonly request: string }>> = {
  registration: { subject: "Set your password", request: "register AS{asn} with {name}" },
  reset: { subject: "Reset your password", request: "reset the password of AS{asn} at {name}" },
};

/** Writes the mail with the link that sets a password. The token occurs only in the link. */
export function renderLinkMail(
  profile: Pick<Profile, "name" | "supportAddress">,
  { to, asn, purpose, token, publicUrl }: LinkMail,
): Mail {
  const { subject, request } = texts[purpose];
  const requested = request.replace("{asn}", () => asn).replace("{name}", () => profile.name);
  return {
    to,
    subject: `${subject} for AS${asn} at ${profile.name}`,
    text: `Hello,

Someone, hopefully you, asked to ${requested}.
Open this link to set your password:

${publicUrl}/setPassword?token=${token}&purpose=${purpose}

The link works once, within one hour. A newer link replaces an older one.

If you did not ask for it, ignore this mail: nothing has changed, and no one
can log in without the link. You received this because the registry lists this
address for AS${asn}.

Questions? Write to ${profile.supportAddress}.

${profile.name}
`,
  };
}
