import { chakra } from "@chakra-ui/react/styled-system";
import { useQueries } from "@tanstack/react-query";
import { readWebStorage, writeWebStorage } from "#browser-storage/web-storage.ts";
import { useState } from "react";
import { explainFinding, type Finding, isExplained, participantFix } from "#domain/findings/findings.ts";
import { type FixChoice, fixLines, hasFixLines, isFixedByChange } from "#domain/peering/fix/fix-lines.ts";
import { errorMessage } from "#web/api/client.ts";
import { Skeleton } from "#web/ui/feedback/loading.tsx";
import { CodeBlock } from "#web/ui/text/code-block.tsx";
import { TextLink } from "#web/ui/text/link.tsx";
import { nodeConfigQuery, peerConfigQuery } from "../queries.ts";
import { overviewLink, wizardLink } from "../screen-links.ts";
import type { Fix } from "./fix-toggle.tsx";

export interface FixDetailsProps {
  readonly fix: Fix;
  readonly username: string;
  readonly node: string;
  /** Whether the screen has the configuration for the participant's router. */
  readonly hasConfig?: boolean;
  /** With a border of its own, outside of a card. */
  readonly isFramed?: boolean;
}

/** What is wrong, what to do, and the lines of the participant's configuration that it is about; nothing while it is closed. */
export function FixDetails({ fix, hasConfig = false, isFramed = false, ...peering }: FixDetailsProps) {
  const { finding, isOpen, panelId } = fix;
  if (!isOpen) return null;
  const explanation = explainFinding(finding);
  const isNew = !fix.isExplained && isExplained(finding);
  const text = [...(isNew ? [explanation] : []), participantFix(finding)].filter((each) => each !== "");
  const hasLines = hasFixLines(finding);
  return (
    <chakra.div
      id={panelId}
      display="grid"
      gap="2.5"
      gridTemplateColumns="minmax(0, 1fr)"
      fontSize="sm"
      color="fg"
      {...(isFramed
        ? { px: "4", py: "3", bg: "bg.panel", borderWidth: "1px", borderRadius: "lg", boxShadow: "panel" }
        : { mt: "1.5" })}
    >
      <chakra.p maxWidth="prose" overflowWrap="anywhere">
        {text.join(" ")}
      </chakra.p>
      {hasLines && <FixLines finding={finding} {...peering} />}
      <FixLinks
        node={peering.node}
        canChange={isFixedByChange(finding)}
        isLeaving={finding.code === "node-draining"}
        hasConfigLink={hasLines && !hasConfig}
      />
    </chakra.div>
  );
}

interface FixLinksProps {
  readonly node: string;
  readonly canChange: boolean;
  /** Whether the provider will take the node out of service. */
  readonly isLeaving: boolean;
  readonly hasConfigLink: boolean;
}

function FixLinks({ node, canChange, isLeaving, hasConfigLink }: FixLinksProps) {
  if (!canChange && !isLeaving && !hasConfigLink) return null;
  return (
    <chakra.p display="flex" flexWrap="wrap" columnGap="4" rowGap="1">
      {isLeaving && <TextLink {...wizardLink("new")}>Create new peering</TextLink>}
      {canChange && <TextLink {...wizardLink("edit", node)}>Change your details</TextLink>}
      {hasConfigLink && (
        <TextLink {...overviewLink(node, "edit")}>All of the configuration for your router</TextLink>
      )}
    </chakra.p>
  );
}

export interface FixLinesProps {
  readonly username: string;
  readonly node: string;
  readonly finding: Finding;
}

export function FixLines({ username, node, finding }: FixLinesProps) {
  const [peer, provider] = useQueries({
    queries: [peerConfigQuery(username, node), nodeConfigQuery(username, node)],
  });
  if (peer.data && provider.data) {
    const choices = fixLines(finding, { node, peer: peer.data, provider: provider.data });
    return choices.map((choice) => <LinesForSystem key={choice[0]?.system} choice={choice} />);
  }
  const error = peer.error ?? provider.error;
  if (error) return <p>The lines for your router could not be loaded. {errorMessage(error)}</p>;
  return <Skeleton height="6rem" />;
}

/** Persisted name. */
const systemKey = "router-system";

/** The lines for the system that the participant has chosen before, on this device. */
function LinesForSystem({ choice }: { readonly choice: FixChoice }) {
  const [system, setSystem] = useState(() => readWebStorage("localStorage", systemKey));
  const lines = choice.find((each) => each.system === system) ?? choice[0];
  if (!lines) return null;
  const choose = (next: string) => {
    setSystem(next);
    writeWebStorage("localStorage", systemKey, next);
  };
  return (
    <chakra.div display="grid" gap="1.5" gridTemplateColumns="minmax(0, 1fr)">
      {choice.length > 1 && (
        <chakra.label display="flex" alignItems="center" gap="2" color="fg.muted">
          Your system
          <Select value={lines.system} onChange={({ currentTarget }) => choose(currentTarget.value)}>
            {choice.map((each) => (
              <option key={each.system}>{each.system}</option>
            ))}
          </Select>
        </chakra.label>
      )}
      <CodeBlock title={`${lines.system}: ${lines.place}`} text={lines.text} />
    </chakra.div>
  );
}

const Select = chakra("select", {
  base: {
    minHeight: { base: "9", md: "7" },
    px: "2",
    color: "fg",
    bg: "bg.panel",
    borderWidth: "1px",
    borderColor: "border.emphasized",
    borderRadius: "md",
    // Smaller, and a phone zooms in.
    fontSize: { base: "lg", md: "sm" },
  },
});
