import type { Prefix } from "../../domain/prefix.ts";
import type { PublicUrls } from "../../domain/public-urls.ts";
import type { Provider } from "../../contract/entities.ts";

/** Everything that is specific to a provider, parsed and validated. */
export interface Profile extends PublicUrls {
  readonly name: string;
  /** Nodes are shown as `{node}.{domain}`. */
  readonly domain: string;
  /** The provider's AS number, plain decimal. */
  readonly asn: string;
  /** What an empty database takes over (`take-over-nodes.ts`); later they are ignored. */
  readonly nodes: readonly NodeProfile[];
  /** The provider's own prefixes, which must not contain endpoints or participants' tunnel addresses. */
  readonly prefixes: readonly Prefix[];
  /** Whether endpoints may be in documentation ranges, as in a demo or a lab. */
  readonly allowDocumentation: boolean;
  /** Whether participants may send only from prefixes that the node received from them, or that are registered to them. */
  readonly strictSource: boolean;
  /** Whether browsers may use https only for all subdomains of the public URL's host as well. */
  readonly hstsIncludeSubdomains: boolean;
  readonly registry: {
    /**
     * `path`: a clone that the operator keeps current, the folder that contains `data/`. `url`: what git fetches the
     * server's own clone from.
     */
    readonly from: { readonly path: string } | { readonly url: string };
    /** With an older copy the server mails no links. */
    readonly maxAgeDays: number;
    /** Maintainers that keep the registry itself, besides DN42-MNT, in upper case. They are on objects of many holders. */
    readonly maintainers: readonly string[];
  };
  /** What everyone may read, besides the state of the nodes: the numbers of their peerings, and round trips of links. */
  readonly publish: { readonly peerings: boolean; readonly linkLatency: boolean };
  /** How long the audit log keeps events, and how long the addresses that they came from. */
  readonly audit: { readonly keepDays: number; readonly keepAddressDays: number };
  /** Null: mail is stored in the outbox and never sent, as in the demo. */
  readonly mail: MailProfile | null;
  /** Kioubit's authentication service, which confirms AS numbers; null if it is not used. */
  readonly kioubit: KioubitProfile | null;
  /** The recipient of contact messages. */
  readonly supportAddress: string;
  /** Push services in addition to those of common browsers: `host` or `host:port`, lower-case. */
  readonly pushHosts: readonly string[];
  /** Reverse proxies whose X-Forwarded-For header is trusted. */
  readonly trustedProxies: readonly Prefix[];
  /** Public facts that only the app uses. Empty strings if absent. */
  readonly facts: Pick<Provider, "resolver" | "looking_glass" | "status_page" | "map" | "dashboards">;
}

export interface NodeProfile {
  readonly name: string;
  readonly place: string;
  readonly lat: number;
  readonly lon: number;
  /** The public address or hostname that participants enter. */
  readonly publicIp: string;
  /** All public addresses and hostnames of the node in canonical form, including `publicIp`. */
  readonly endpoints: readonly string[];
  readonly tunnelIpv4: string | null;
  readonly linkLocal: string;
  /** The most peerings that it accepts; 0 if it is closed to new ones, null without a limit. */
  readonly maxPeerings: number | null;
  /** Null if the agent runs in the same process, as in the demo. */
  readonly agent: { readonly url: string; readonly fingerprint: string } | null;
}

export interface MailProfile {
  /** `smtp://` or `smtps://`, with user and password if needed. */
  readonly url: string;
  /**
   * `required`: a mail is sent only over TLS, with `smtps://` or STARTTLS, to a server with a valid certificate.
   * `opportunistic`: with STARTTLS if the server offers it, whatever its certificate. `none`: without TLS.
   */
  readonly tls: "required" | "opportunistic" | "none";
  /** The authorities that the mail server's certificate is verified with, in PEM; null: those that Node.js knows. */
  readonly ca: string | null;
  readonly from: string;
  /** Domains that the mail server cannot reach, in lower case, without a leading dot. */
  readonly unreachableDomains: readonly string[];
}

export interface KioubitProfile {
  /** Where browsers are sent. */
  readonly url: string;
  /** With which the service's responses are verified: PEM, a key on P-521. */
  readonly publicKey: string;
}

/**
 * Returns the origins of the pages that the app embeds, for the content security policy: the status page and the
 * dashboards of the profile. A path is a page of this server.
 */
export function listFrameSources({
  facts,
}: {
  readonly facts: Pick<Profile["facts"], "status_page" | "dashboards">;
}): string[] {
  const pages = [facts.status_page, ...Object.values(facts.dashboards)].filter((page) => page !== "");
  return [...new Set(pages.map((page) => (page.startsWith("/") ? "'self'" : new URL(page).origin)))];
}
