import { findDomain, isInternalName } from "../../domain/host-name.ts";
import { isSecure, listPublicUrls, type PublicUrls } from "../../domain/public-urls.ts";

export interface ProviderAddresses extends PublicUrls {
  readonly supportAddress: string;
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
 * then it is the first public URL that is on it.
 */
export function choosePushContact({
  supportAddress,
  unreachableDomains,
  ...publicUrls
}: ProviderAddresses): PushContact {
  const isPublic = (host: string) => !isInternalName(host) && findDomain(host, unreachableDomains) === null;
  const subject = `mailto:${supportAddress}`;
  if (isPublic(supportAddress.slice(supportAddress.lastIndexOf("@") + 1).toLowerCase())) {
    return { subject, problem: null };
  }
  const urls = listPublicUrls(publicUrls);
  const contact = urls.find((url) => isSecure(url) && isPublic(new URL(url).hostname));
  if (contact !== undefined) return { subject: contact, problem: null };
  return {
    subject,
    problem:
      `support_address ${supportAddress} and public_url ${urls.join(", ")} are not on the public internet, so some push ` +
      "services, such as Apple's, refuse our messages: use an address of the internet for one of them, with https",
  };
}
