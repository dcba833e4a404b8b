import { chakra } from "@chakra-ui/react/styled-system";
import { X } from "lucide-react";
import { useProvider } from "../../api/provider.ts";
import { Button } from "../../ui/button.tsx";
import { TextLink } from "../../ui/link.tsx";
import { tellEnding } from "./told-ending.ts";
import type { EndedTask } from "./watcher.tsx";

export interface EndedNoticesProps {
  readonly ended: readonly EndedTask[];
  readonly onClose: (taskID: string) => void;
}

/** Tells of deployments that ended while another screen is open. They stay until they are read or closed. */
export function EndedNotices({ ended, onClose }: EndedNoticesProps) {
  return (
    <chakra.section
      aria-label="Ended deployments"
      aria-live="polite"
      justifySelf="end"
      width="full"
      maxWidth="26rem"
    >
      {ended.map((each) => (
        <EndedNotice key={each.watched.taskID} ended={each} onClose={() => onClose(each.watched.taskID)} />
      ))}
    </chakra.section>
  );
}

function EndedNotice({ ended, onClose }: { readonly ended: EndedTask; readonly onClose: () => void }) {
  const { domain } = useProvider();
  const { type, node, taskID } = ended.watched;
  const { what, next } = tellEnding(ended, `${node}.${domain}`);
  return (
    <chakra.div
      display="grid"
      gridTemplateColumns="minmax(0, 1fr) auto"
      gap="2"
      px="4"
      py="3"
      bg="bg.panel"
      borderWidth="1px"
      borderInlineStartWidth="3px"
      borderInlineStartColor={ended.ending === "success" ? "good" : "down"}
      borderRadius="md"
      boxShadow="raised"
      overflowWrap="anywhere"
    >
      <chakra.div display="grid" gap="1">
        <p>{what}</p>
        <p>
          <TextLink
            to="/manager/updatepeer/$type"
            params={{ type }}
            search={{ node, step: "awaitingDeployment", task: taskID }}
            onClick={onClose}
          >
            {next}
          </TextLink>
        </p>
      </chakra.div>
      <Button tone="quiet" size="sm" px="2" aria-label="Close" onClick={onClose}>
        <X size={16} aria-hidden />
      </Button>
    </chakra.div>
  );
}
