import type { RefusedRouteFact } from "../../../contract/agent.ts";
import type { BirdReply } from "./control-socket.ts";
import { markPattern } from "./refusals.ts";

/** The first line of a route: its prefix, and at the end its origin, which is missing where a set ends the path. */
const heading = /^([0-9a-f.:]+\/[0-9]+)? +\S+ \[.*\[(?:AS([0-9]+))?[ie?]?\]$/;
const pathLine = /^\tBGP\.as_path: ?(.*)$/;
/** BIRD cuts a long path in the middle of a number. */
const cutEnd = /\s*[0-9]*\.\.\.$/;

/**
 * Routes from `show route all filtered protocol <name>`. A reply that was cut may have lost the mark of its last
 * route, which is left out then.
 */
export function parseRefused(reply: BirdReply, providerAsn: string): readonly RefusedRouteFact[] {
  const routes: RefusedRouteFact[] = [];
  const mark = markPattern(providerAsn);
  let prefix = "";
  let open: RefusedRouteFact | undefined;
  for (const { text } of reply.lines) {
    const found = heading.exec(text);
    if (found) {
      // Another route of the same prefix stands below the first without it.
      prefix = found[1] ?? prefix;
      open = {
        prefix,
        family: prefix.includes(":") ? "IPv6" : "IPv4",
        reason: null,
        origin: found[2] ?? null,
        asPath: "",
      };
      routes.push(open);
    } else if (open && text.startsWith("\t")) {
      const path = pathLine.exec(text)?.[1];
      if (path !== undefined) open.asPath = path.trim().replace(cutEnd, " …");
      // Many communities go on in lines of their own.
      for (const [, reason] of text.matchAll(mark)) open.reason = Number(reason);
    }
  }
  return reply.cut ? routes.slice(0, -1) : routes;
}
