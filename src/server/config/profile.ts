import type { Prefix } from "../../domain/prefix.ts";
import type { Provider } from "../../contract/entities.ts";

/** Everything that belongs to a provider and not to the software, parsed and checked. */
export interface Profile {
  readonly name: string;
  /** Nodes are shown as `{node}.{domain}`. */
  readonly domain: string;
  /** The provider's AS number, plain decimal. */
  readonly asn: string;
  /** Where people reach the app, without a trailing slash; links in mails start with it. */
  readonly publicUrl: string;
  readonly nodes: readonly NodeProfile[];
  /** Prefixes of the provider's own, where no endpoint and no participant's tunnel address may lie. */
  readonly prefixes: readonly Prefix[];
  /** Whether endpoints may lie in documentation ranges, as in a demo or a lab. */
  readonly allowDocumentation: boolean;
  readonly registry: {
    /** A clone of the registry: the folder that holds `data/`. */
    readonly path: string;
    /** Older copies take no new registrations. */
    readonly maxAgeDays: number;
  };
  /** Null: mail is kept in the outbox and never sent, as in the demo. */
  readonly mail: MailProfile | null;
  /** Where contact messages go. */
  readonly supportAddress: string;
  /** Push services besides those of the known browsers: `host` or `host:port`, lower-case. */
  readonly pushHosts: readonly string[];
  /** Addresses of reverse proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  /** Public facts that only the app shows. Absent ones are empty strings. */
  readonly facts: Pick<Provider, "resolver" | "looking_glass" | "status_page" | "map" | "dashboards">;
}

export interface NodeProfile {
  readonly name: string;
  readonly place: string;
  readonly lat: number;
  readonly lon: number;
  /** Public address or host name, as participants enter it. */
  readonly publicIp: string;
  /** All public addresses and names of the node, canonical, `publicIp` among them. */
  readonly endpoints: readonly string[];
  readonly tunnelIpv4: string | null;
  readonly linkLocal: string;
  /** Null where the agent runs in the same process, as in the demo. */
  readonly agent: { readonly url: string; readonly fingerprint: string } | null;
}

export interface MailProfile {
  /** `smtp://` or `smtps://` with user and password where needed. */
  readonly url: string;
  readonly from: string;
}
