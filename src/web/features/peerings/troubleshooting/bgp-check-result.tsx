import { chakra } from "@chakra-ui/react/styled-system";
import type { BgpCheck } from "#contract/lenient.ts";
import { StatusBubble } from "#web/ui/feedback/status-bubble.tsx";
import { Button } from "#web/ui/forms/button.tsx";
import { KeyValueList } from "#web/ui/text/key-value-list.tsx";
import { VisuallyHidden } from "#web/ui/text/visually-hidden.tsx";
import { HealthBubble } from "../health-bubble.tsx";

export interface BgpCheckResultProps {
  readonly check: BgpCheck;
  /** Shows the refused routes with the reasons. */
  readonly onShowRefused: () => void;
}

const rows = [
  { label: "Received", key: "received_routes" },
  { label: "Refused", key: "filtered_routes" },
  { label: "Rejected updates", key: "rejected_routes" },
] as const;

const unknown = "Unknown";

const Cell = chakra("td", {
  base: { py: "1.5", px: "3", textAlign: "end", fontFamily: "mono", fontSize: "sm" },
});
const Heading = chakra("th", { base: { py: "1.5", px: "3", fontWeight: "medium", textAlign: "end" } });

export function BgpCheckResult({ check, onShowRefused }: BgpCheckResultProps) {
  const { ipv4, ipv6 } = check.filtered_routes;
  const isRefused = [ipv4, ipv6].some((count) => count !== null && count > 0);
  return (
    <chakra.div display="grid" gap="4" gridTemplateColumns="minmax(0, 1fr)">
      <KeyValueList
        items={[
          { label: "Address families", value: <CheckResult text={check.address_families} /> },
          { label: "Extended Nexthop", value: <CheckResult text={check.bgp_extnh} /> },
        ]}
      />
      <chakra.table width="full" borderWidth="1px" borderRadius="md">
        <caption>
          <chakra.span display="block" textAlign="start" pb="1.5" fontWeight="medium">
            Routes
          </chakra.span>
        </caption>
        <thead>
          <tr>
            <Heading scope="col">
              <VisuallyHidden>Count</VisuallyHidden>
            </Heading>
            <Heading scope="col">IPv4</Heading>
            <Heading scope="col">IPv6</Heading>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, key }) => (
            <chakra.tr key={key} borderTopWidth="1px">
              <Heading scope="row" textAlign="start" color="fg.muted" fontWeight="normal">
                {label}
              </Heading>
              <Cell>{check[key].ipv4 ?? unknown}</Cell>
              <Cell>{check[key].ipv6 ?? unknown}</Cell>
            </chakra.tr>
          ))}
        </tbody>
      </chakra.table>
      <chakra.p fontSize="sm" color="fg.muted">
        Received: routes in the node's table now. Refused: those of them that our import filters reject.
        Rejected updates: malformed ones since the session came up, repeated ones counted again.
      </chakra.p>
      {isRefused && (
        <Button onClick={onShowRefused} justifySelf="start">
          Show refused routes
        </Button>
      )}
    </chakra.div>
  );
}

/** 'OK', another word, or a sentence with the problem and its fix. Empty if the server did not say. */
function CheckResult({ text }: { readonly text: string }) {
  if (text === "") return <span>{unknown}</span>;
  if (text === "OK") return <HealthBubble status="OK" />;
  if (!isSentence(text)) return <StatusBubble state="issues" word={text} />;
  return (
    <chakra.div display="grid" gap="1" justifyItems="start">
      <HealthBubble status="Issues" />
      <span>{text}</span>
    </chakra.div>
  );
}

/** Whether a text is longer than a status word or ends as a sentence does. */
function isSentence(text: string): boolean {
  return text.length > 30 || /[.!?]$/.test(text);
}
