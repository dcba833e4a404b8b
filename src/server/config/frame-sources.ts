import type { Profile } from "./profile.ts";

export interface EmbeddingProfile {
  readonly facts: Pick<Profile["facts"], "status_page" | "dashboards">;
}

/**
 * Where the pages that the app embeds come from, as sources of a Content-Security-Policy: the status page and the
 * dashboards of the profile, each origin once. A path is a page of our own host.
 */
export function frameSources({ facts }: EmbeddingProfile): string[] {
  const pages = [facts.status_page, ...Object.values(facts.dashboards)].filter((page) => page !== "");
  return [...new Set(pages.map((page) => (page.startsWith("/") ? "'self'" : new URL(page).origin)))];
}
