import { TextLink } from "#web/ui/text/link.tsx";
import { refusedRoutesLink } from "../screen-links.ts";

/** What every finding about routes leads to: which routes are refused, and why. */
export function RefusedRoutesLink({ node }: { readonly node: string }) {
  return <TextLink {...refusedRoutesLink(node)}>Show refused routes</TextLink>;
}
