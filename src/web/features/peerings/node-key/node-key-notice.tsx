import { chakra } from "@chakra-ui/react/styled-system";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useId, useState } from "react";
import { CallError } from "#contract/client.ts";
import type { PeerStatus } from "#contract/lenient.ts";
import type { AuditKind } from "#domain/audit-events.ts";
import { explainFinding, type Finding, participantFix, shortSentence } from "#domain/findings/findings.ts";
import { findingsOf } from "#domain/findings/status-findings.ts";
import { activityQuery } from "#web/api/activity-query.ts";
import { useIsServerReachable } from "#web/browser/connectivity.ts";
import { Notice } from "#web/ui/feedback/notice.tsx";
import { Button } from "#web/ui/forms/button.tsx";
import { Panel } from "#web/ui/layout/panel.tsx";
import { TextLink } from "#web/ui/text/link.tsx";
import { FixLines } from "../fix/fix-details.tsx";
import { deploymentLink, overviewLink } from "../screen-links.ts";
import { SwitchDialog, unreachableReason } from "./switch-dialog.tsx";
import { useSwitchNodeKey } from "./use-switch-node-key.ts";

export interface NodeKeyNoticeProps {
  readonly username: string;
  readonly status: PeerStatus;
}

/** What a participant does about a new public key of the node, until the tunnel has it. */
export function NodeKeyNotice({ username, status }: NodeKeyNoticeProps) {
  const finding = findingsOf(status).find(({ code }) => code === "node-rekey");
  if (!finding) return null;
  return <AnnouncedKey username={username} status={status} finding={finding} />;
}

function AnnouncedKey({ username, status, finding }: NodeKeyNoticeProps & { readonly finding: Finding }) {
  const { node } = status;
  const navigate = useNavigate();
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  const switching = useSwitchNodeKey(username, node, ({ taskID }) => {
    void navigate(deploymentLink("edit", node, taskID));
  });
  const reason = useReasonAgainst(status);
  const reasonId = useId();
  // Another server, or the peering is gone.
  if (switching.error instanceof CallError && switching.error.status === 404) return null;
  return (
    <Panel title={shortSentence(finding)}>
      <chakra.div display="grid" gap="3" gridTemplateColumns="minmax(0, 1fr)">
        <LastReturn username={username} node={node} />
        <chakra.p maxWidth="prose" overflowWrap="anywhere">
          {explainFinding(finding)} {participantFix(finding)}
        </chakra.p>
        <FixLines username={username} node={node} finding={finding} />
        <p>
          <TextLink {...overviewLink(node, "edit")}>All of the configuration for your router</TextLink>
        </p>
        <chakra.div display="flex" flexWrap="wrap" alignItems="center" columnGap="3" rowGap="2">
          {/* Focusable without a use, so that keyboards and screen readers reach the reason. */}
          <Button
            tone="primary"
            {...(reason === null
              ? { onClick: () => setIsDialogOpen(true) }
              : { "aria-disabled": true, "aria-describedby": reasonId })}
          >
            Switch to the new key
          </Button>
          {reason !== null && (
            <chakra.p id={reasonId} flex="1 1 14rem" fontSize="sm" color="fg.muted">
              {reason}
            </chakra.p>
          )}
        </chakra.div>
      </chakra.div>
      <SwitchDialog switching={switching} open={isDialogOpen} onClose={() => setIsDialogOpen(false)} />
    </Panel>
  );
}

/** Why the tunnel cannot be switched now, or null. */
function useReasonAgainst({ deployment }: PeerStatus): string | null {
  const isServerReachable = useIsServerReachable();
  if (deployment !== null) return "A deployment is running. Switch the tunnel when it has finished.";
  return isServerReachable ? null : unreachableReason;
}

const keyEvents: ReadonlySet<string> = new Set<AuditKind>([
  "node-rekey-announced",
  "node-key-switched",
  "node-key-returned",
]);

/** Says that the tunnel went back to the present key, if that was the last that happened to it. */
function LastReturn({ username, node }: { readonly username: string; readonly node: string }) {
  const { data: activity } = useQuery({ ...activityQuery(username), refetchOnMount: "always" });
  const last = activity?.entries.find((entry) => entry.node === node && keyEvents.has(entry.kind));
  if (last?.kind !== "node-key-returned") return null;
  return (
    <Notice tone="warning">
      {last.text} Check the key on your router, then switch again.{" "}
      <TextLink to="/manager/activity">Show activity</TextLink>
    </Notice>
  );
}
