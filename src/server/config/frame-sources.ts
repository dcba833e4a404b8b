import type { Profile } from "./profile.ts";

export interface EmbeddingProfile extends Pick<Profile, "nodes"> {
  readonly facts: Pick<Profile["facts"], "status_page" | "dashboards">;
}

/**
 * Where the pages that the app embeds come from, as sources of a Content-Security-Policy: the status page and the
 * dashboards of the profile, each origin once. A path is a page of our own host.
 */
export function frameSources({ facts, nodes }: EmbeddingProfile): string[] {
  const pages = [facts.status_page, ...Object.values(facts.dashboards)]
    .filter((page) => page !== "")
    .flatMap((page) => nodes.map(({ name }) => page.replaceAll("{node}", name).replaceAll("{asn}", "0")));
  return [...new Set(pages.map((page) => (page.startsWith("/") ? "'self'" : new URL(page).origin)))];
}
