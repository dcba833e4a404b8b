import { chakra } from "@chakra-ui/react/styled-system";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CallError } from "../../../contract/client.ts";
import type { PeerConfig } from "../../../contract/entities.ts";
import { toldBy } from "../../api/client.ts";
import { peerConfigQuery } from "../../api/peer-config.ts";
import { unfinishedTasksQuery } from "../../api/tasks.ts";
import { Button } from "../../ui/button.tsx";
import { TextLink } from "../../ui/link.tsx";
import { Notice } from "../../ui/notice.tsx";

export interface ConflictNoticeProps {
  readonly username: string;
  readonly node: string;
  /** The server's words. */
  readonly message: string;
  /** Null: the peering is gone meanwhile. */
  readonly onTakeTheirs: (config: PeerConfig | null) => void;
  readonly onKeepMine: (config: PeerConfig | null) => void;
}

/** The peering changed while the form was open: nothing goes on until the person has chosen a version. */
export function ConflictNotice({ username, node, message, onTakeTheirs, onKeepMine }: ConflictNoticeProps) {
  const queryClient = useQueryClient();
  const { data: tasks } = useQuery(unfinishedTasksQuery(username));
  const underWay = tasks?.find((task) => task.node === node);
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
    <Notice tone="warning">
      <chakra.div role="alert" display="grid" gap="2.5">
        <p>{message} Everything you entered is still here.</p>
        {underWay && (
          <p>
            <TextLink
              to="/manager/updatepeer/$type"
              params={{ type: underWay.kind === "delete" ? "delete" : "edit" }}
              search={{ node, step: "awaitingDeployment", task: underWay.taskID }}
            >
              See the deployment under way
            </TextLink>
          </p>
        )}
        <chakra.div display="flex" flexWrap="wrap" gap="2">
          <Button size="sm" disabled={choice.isPending} onClick={() => choice.mutate(onTakeTheirs)}>
            Load the current version
          </Button>
          <Button size="sm" disabled={choice.isPending} onClick={() => choice.mutate(onKeepMine)}>
            Keep mine
          </Button>
        </chakra.div>
        {choice.isError && <p>The current version could not be loaded. {toldBy(choice.error)}</p>}
      </chakra.div>
    </Notice>
  );
}
