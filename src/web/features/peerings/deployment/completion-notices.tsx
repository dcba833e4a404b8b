import { chakra } from "@chakra-ui/react/styled-system";
import { X } from "lucide-react";
import { useNodeHost } from "#web/api/provider.ts";
import { Button } from "#web/ui/forms/button.tsx";
import { TextLink } from "#web/ui/text/link.tsx";
import { deploymentLink } from "../screen-links.ts";
import type { FinishedTask } from "./watcher.tsx";

export interface CompletionNoticesProps {
  readonly finished: readonly FinishedTask[];
  readonly onClose: (taskID: string) => void;
}

/** Deployments that finished while another screen was open. A notice stays until it is followed or closed. */
export function CompletionNotices({ finished, onClose }: CompletionNoticesProps) {
  return (
    <chakra.section
      aria-label="Finished deployments"
      aria-live="polite"
      justifySelf="end"
      width="full"
      maxWidth="26rem"
    >
      {finished.map((task) => (
        <CompletionNotice
          key={task.watched.taskID}
          finished={task}
          onClose={() => onClose(task.watched.taskID)}
        />
      ))}
    </chakra.section>
  );
}

interface CompletionNoticeProps {
  readonly finished: FinishedTask;
  readonly onClose: () => void;
}

function CompletionNotice({ finished, onClose }: CompletionNoticeProps) {
  const nodeHost = useNodeHost();
  const { type, node, taskID } = finished.watched;
  const { message, linkText } = completionMessage(finished, nodeHost(node));
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
      borderInlineStartColor={finished.outcome === "success" ? "good" : "down"}
      borderRadius="md"
      boxShadow="raised"
      overflowWrap="anywhere"
    >
      <chakra.div display="grid" gap="1">
        <p>{message}</p>
        <p>
          <TextLink {...deploymentLink(type, node, taskID)} onClick={onClose}>
            {linkText}
          </TextLink>
        </p>
      </chakra.div>
      <Button tone="quiet" size="sm" px="2" aria-label="Close" onClick={onClose}>
        <X size={16} aria-hidden />
      </Button>
    </chakra.div>
  );
}

interface CompletionMessage {
  /** What happened, and on which node. */
  readonly message: string;
  /** The text of the link to the deployment's screen. */
  readonly linkText: string;
}

/** @param host the node's name with the provider's domain. */
function completionMessage({ watched: { type }, outcome }: FinishedTask, host: string): CompletionMessage {
  if (type === "delete") {
    return outcome === "success"
      ? { message: `Your peering on ${host} is deleted.`, linkText: "See what was done" }
      : {
          message: `Your peering on ${host} could not be deleted and is still running.`,
          linkText: "See why",
        };
  }
  return outcome === "success"
    ? { message: `Your peering is deployed to ${host}.`, linkText: "See the config for your side" }
    : {
        message: `The deployment to ${host} failed. Nothing was changed.`,
        linkText: "See why and try again",
      };
}
