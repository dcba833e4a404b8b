import { chakra } from "@chakra-ui/react/styled-system";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { CallError } from "#contract/client.ts";
import type { PeerConfig } from "#contract/lenient.ts";
import { deploymentTypeOf, type FormType } from "#contract/app/screens.ts";
import { errorMessage } from "#web/api/client.ts";
import { Notice } from "#web/ui/feedback/notice.tsx";
import { Button } from "#web/ui/forms/button.tsx";
import { TextLink } from "#web/ui/text/link.tsx";
import { unfinishedTasksQuery } from "../deployment/task-queries.ts";
import { deploymentLink } from "../screen-links.ts";
import { peerConfigQuery } from "../queries.ts";

export interface ConflictNoticeProps {
  readonly type: FormType;
  readonly username: string;
  readonly node: string;
  /** The server's message. */
  readonly message: string;
  /** `config` is null if the peering has been deleted in the meantime. */
  readonly onLoadCurrent: (config: PeerConfig | null) => void;
  readonly onKeepMine: (config: PeerConfig | null) => void;
}

/** Shown when the peering changed while the form was open. Submit is blocked until a version is chosen. */
export function ConflictNotice(props: ConflictNoticeProps) {
  const { type, username, node, message, onLoadCurrent, onKeepMine } = props;
  const queryClient = useQueryClient();
  const choice = useMutation({
    mutationFn: async (choose: (config: PeerConfig | null) => void) => {
      choose(await currentConfig());
    },
  });
  const currentConfig = async (): Promise<PeerConfig | null> => {
    try {
      return await queryClient.fetchQuery({ ...peerConfigQuery(username, node), staleTime: 0 });
    } catch (error) {
      if (error instanceof CallError && error.status === 404) return null;
      throw error;
    }
  };
  return (
    <BusyNotice username={username} node={node} message={message}>
      <chakra.div display="flex" flexWrap="wrap" gap="2">
        <Button size="sm" disabled={choice.isPending} onClick={() => choice.mutate(onLoadCurrent)}>
          {type === "edit" ? "Load the current version" : "Open the existing peering"}
        </Button>
        <Button size="sm" disabled={choice.isPending} onClick={() => choice.mutate(onKeepMine)}>
          Keep mine
        </Button>
      </chakra.div>
      {choice.isError && <p>The current version could not be loaded. {errorMessage(choice.error)}</p>}
    </BusyNotice>
  );
}

export interface BusyNoticeProps extends Pick<ConflictNoticeProps, "username" | "node" | "message"> {
  readonly children?: ReactNode;
}

/** Shown when a new peering cannot be submitted at the moment. There is no other version: Submit stays possible. */
export function BusyNotice({ username, node, message, children }: BusyNoticeProps) {
  return (
    <Notice tone="warning">
      <chakra.div role="alert" display="grid" gap="2.5">
        <p>{message} Everything you entered is still here.</p>
        <UnfinishedLink username={username} node={node} />
        {children}
      </chakra.div>
    </Notice>
  );
}

function UnfinishedLink({ username, node }: Pick<ConflictNoticeProps, "username" | "node">) {
  const { data: tasks } = useQuery(unfinishedTasksQuery(username));
  const unfinished = tasks?.find((task) => task.node === node);
  if (!unfinished) return null;
  return (
    <p>
      <TextLink {...deploymentLink(deploymentTypeOf(unfinished.kind), node, unfinished.taskID)}>
        View the deployment in progress
      </TextLink>
    </p>
  );
}
