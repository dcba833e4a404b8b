import { formatTime } from "#domain/text/time.ts";
import type { Profile } from "#server/config/profile.ts";
import type { Mail } from "#server/mail/mail.ts";
import type { AccountNoticeKind, NoticeRow } from "./notice-store.ts";

interface NoticeText {
  readonly subject: string;
  readonly what: string;
  /** What the reader does about it who did not do it. */
  readonly otherwise: (page: (path: string) => string) => string;
}

const reset = (
  page: (path: string) => string,
) => `If it was not you, reset the password now. That ends all login sessions:

${page("/forgotPassword")}`;

/** A reset keeps passkeys, also those of an intruder. */
const removal = (page: (path: string) => string) => `Then log in, and remove passkeys that you do not know:

${page("/manager/settings")}`;

const texts: Readonly<Record<AccountNoticeKind, NoticeText>> = {
  passwordChanged: {
    subject: "Password changed",
    what: "The password of AS{asn} at {name} was changed. All other login sessions have\nended.",
    otherwise: reset,
  },
  passwordReset: {
    subject: "Password reset",
    what: "The password of AS{asn} at {name} was reset with a mailed link. All login\nsessions have ended; passkeys still work.",
    otherwise: (page) => `If it was not you, someone else reads the mail of this address or of another
address that the registry lists for AS{asn}. Secure the mailbox, then reset the
password again:

${page("/forgotPassword")}

${removal(page)}`,
  },
  passwordResetByProof: {
    subject: "Password reset",
    what: "The password of AS{asn} at {name} was reset after a proof that the AS is yours,\nwithout a mailed link. All login sessions have ended; passkeys still work. The\nactivity of the account names the proof.",
    otherwise: (page) => `If it was not you, someone else has a key of a maintainer of AS{asn}. Remove that
key from the registry. When the change is merged, reset the password again:

${page("/forgotPassword")}

${removal(page)}`,
  },
  newClient: {
    subject: "New login",
    what: "A browser that had not logged in before has logged in as AS{asn} at {name}.",
    otherwise: reset,
  },
  passkeyAdded: {
    subject: "Passkey added",
    what: "A passkey was added to the account of AS{asn} at {name}. It logs in without\nthe password.",
    otherwise: (page) => `${reset(page)}

${removal(page)}`,
  },
  passkeyRemoved: {
    subject: "Passkey removed",
    what: "A passkey was removed from the account of AS{asn} at {name}.",
    otherwise: reset,
  },
  passwordTurnedOff: {
    subject: "Password turned off",
    what: "The password of AS{asn} at {name} was turned off: only passkeys log in. A reset\nturns it on again.",
    otherwise: reset,
  },
  apiTokenCreated: {
    subject: "New API token",
    what: "An API token for AS{asn} at {name} was created. With it, a program can act for\nthe AS until it expires or is revoked.",
    otherwise: (page) => `If it was not you, revoke it in Settings, and reset the password:

${page("/manager/settings")}
${page("/forgotPassword")}`,
  },
  deletionStarted: {
    subject: "Account deletion started",
    what:
      "The deletion of the account of AS{asn} at {name} was started. Its peerings are\n" +
      "removed from their nodes first. When all are removed, the account is deleted.",
    otherwise: (page) => `If it was not you, log in, choose "Keep the account", and change the password. If
the account is gone already, register again and write to us:

${page("/manager/settings")}`,
  },
};

export interface AccountNotice extends Pick<NoticeRow, "asn" | "at" | "address_prefix" | "browser"> {
  readonly kind: AccountNoticeKind;
  readonly publicUrl: string;
}

/** Writes the mail of a notice about the account itself. It contains no secret. */
export function renderNoticeMail(
  profile: Pick<Profile, "name" | "supportAddress">,
  { asn, kind, at, address_prefix: addressPrefix, browser, publicUrl }: AccountNotice,
  to: string,
): Mail {
  const { subject, what, otherwise } = texts[kind];
  const fill = (text: string) => text.replaceAll("{asn}", () => asn).replaceAll("{name}", () => profile.name);
  return {
    to,
    subject: `${subject} for AS${asn} at ${profile.name}`,
    text: `Hello,

${fill(what)}

  When:    ${formatTime(at)}
  From:    ${addressPrefix ?? "an unknown address"}
  Browser: ${browser ?? "an unknown browser"}

If it was you, there is nothing to do.

${fill(otherwise((path) => publicUrl + path))}

You received this because the registry lists this address for AS${asn}.

Questions? Write to ${profile.supportAddress}.

${profile.name}
`,
  };
}
