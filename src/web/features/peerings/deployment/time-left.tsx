import { chakra } from "@chakra-ui/react/styled-system";
import { useEffect, useState } from "react";
import type { DeploymentType } from "#contract/app/screens.ts";
import { serverNow } from "#web/api/server-clock.ts";

/** Whether the node has not replied, has reported steps, or could not be reached in the last attempt. */
export type Progress = "silent" | "reporting" | "retrying";

export interface TimeLeftProps {
  readonly type: DeploymentType;
  /** When the server gives up on the deployment, in milliseconds since 1970 by its clock. */
  readonly deadline: number;
  readonly progress: Progress;
}

/** What happens if the node does not reply, and the time left until then. Screen readers get the time when they read it. */
export function TimeLeft({ type, deadline, progress }: TimeLeftProps) {
  const leftMs = useTimeLeft(deadline);
  if (leftMs === 0) return <p>Time is up. The last attempt is finishing.</p>;
  const time = (
    <chakra.span role="timer" aria-live="off" fontVariantNumeric="tabular-nums">
      {formatMinutes(leftMs)}
    </chakra.span>
  );
  return (
    <p>
      {conditions[progress]} {time}, {consequences[type]}
    </p>
  );
}

const conditions: Readonly<Record<Progress, string>> = {
  silent: "The node has not replied yet. If it does not reply within",
  reporting: "If the node has not finished within",
  retrying: "If no attempt succeeds within",
};

const consequences: Readonly<Record<DeploymentType, string>> = {
  new: "the deployment fails and nothing changes.",
  edit: "the deployment fails and nothing changes.",
  delete: "the deletion fails and the peering stays active.",
};

/** The time until the deadline in milliseconds, updated when its whole seconds change; 0 after it. */
function useTimeLeft(deadline: number): number {
  const [leftMs, setLeftMs] = useState(() => readTimeLeft(deadline));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const update = () => {
      const next = readTimeLeft(deadline);
      setLeftMs(next);
      // The shown second is rounded up: it changes when the rest of it has passed.
      if (next > 0) timer = setTimeout(update, next % 1_000 || 1_000);
    };
    update();
    return () => clearTimeout(timer);
  }, [deadline]);
  return leftMs;
}

function readTimeLeft(deadline: number): number {
  return Math.max(0, Math.round(deadline - serverNow()));
}

/** "1:40" */
function formatMinutes(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
