import type { Profile } from "../../config/profile.ts";
import type { Mail } from "../mail/mail.ts";
import type { TokenPurpose } from "./tokens.ts";

export interface LinkMail {
  readonly to: string;
  readonly asn: string;
  readonly purpose: TokenPurpose;
  readonly token: string;
}

const wanted: Readonly<Record<TokenPurpose, { readonly subject: string; readonly what: string }>> = {
  registration: { subject: "Set your password", what: "register AS{asn} with {name}" },
  reset: { subject: "Reset your password", what: "reset the password of AS{asn} at {name}" },
};

/** The mail with the link that sets a password. The token is in the link and nowhere else. */
export function linkMail(
  profile: Pick<Profile, "name" | "publicUrl" | "supportAddress">,
  { to, asn, purpose, token }: LinkMail,
): Mail {
  const { subject, what } = wanted[purpose];
  const asked = what.replace("{asn}", () => asn).replace("{name}", () => profile.name);
  return {
    to,
    subject: `${subject} for AS${asn} at ${profile.name}`,
    text: `Hello,

somebody, hopefully you, asked to ${asked}.
Open this link to set your password:

${profile.publicUrl}/setPassword?token=${token}

The link works once, within one hour. A newer link replaces an older one.

If you did not ask for it, you can ignore this mail: nothing has changed, and
nobody gets in without the link. You get it because the network's registry
names this address for AS${asn}.

Questions? Write to ${profile.supportAddress}.

${profile.name}
`,
  };
}
