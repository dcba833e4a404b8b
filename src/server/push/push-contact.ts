import { findDomain, isInternalName } from "../../domain/host-name.ts";

export interface ProviderAddresses {
  readonly supportAddress: string;
  readonly publicUrl: string;
  /** Domains that the provider's mail server cannot reach. */
  readonly unreachableDomains: readonly string[];
}

export interface PushContact {
  /** `mailto:` or an https URL (RFC 8292, section 2.1). */
  readonly subject: string;
  /** What the operator must know; null if push services accept the subject. */
  readonly problem: string | null;
}

/**
 * Chooses the contact that push services see. Some refuse a mail address in a domain that is not on the public internet;
 * then it is `public_url`, if that is on it.
 */
export function choosePushContact({
  supportAddress,
  publicUrl,
  unreachableDomains,
}: ProviderAddresses): PushContact {
  const isPublic = (host: string) => !isInternalName(host) && findDomain(host, unreachableDomains) === null;
  const subject = `mailto:${supportAddress}`;
  if (isPublic(supportAddress.slice(supportAddress.lastIndexOf("@") + 1).toLowerCase())) {
    return { subject, problem: null };
  }
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === "https:" && isPublic(hostname)) return { subject: publicUrl, problem: null };
  return {
    subject,
    problem:
      `support_address ${supportAddress} and public_url ${publicUrl} are not on the public internet, so some push ` +
      "services, such as Apple's, refuse our messages: use an address of the internet for one of them, with https",
  };
}
