import { chakra } from "@chakra-ui/react/styled-system";
import type { Task } from "../../../contract/entities.ts";
import { useProvider } from "../../api/provider.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { TextLink } from "../../ui/link.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import { TaskFacts } from "./task-facts.tsx";

export interface DeploymentFailureProps {
  /** "unknown" where the server gave none. */
  readonly taskID: string;
  readonly task: Task | undefined;
  /** Why, in the server's words or ours. */
  readonly reason: string;
  /** Leads back to the filled form; absent where it is no longer at hand. */
  readonly onReview: (() => void) | undefined;
}

export function DeploymentFailure({ taskID, task, reason, onReview }: DeploymentFailureProps) {
  const { name } = useProvider();
  return (
    <Page narrow title="Failed">
      {reason !== "" && (
        <Notice tone="error">
          {reason}
          {onReview && " Everything you entered is kept."}
        </Notice>
      )}
      <Panel>
        <chakra.div display="grid" gap="4">
          <TaskFacts taskID={taskID} task={task} />
          <PossibleCauses />
          <p>Please contact {name} support for further assistance.</p>
        </chakra.div>
      </Panel>
      <chakra.div display="flex" flexWrap="wrap" gap="2">
        <ButtonLink to="/">Back to home</ButtonLink>
        {onReview && (
          <Button tone="primary" onClick={onReview}>
            Review and redeploy
          </Button>
        )}
      </chakra.div>
    </Page>
  );
}

function PossibleCauses() {
  return (
    <div>
      <chakra.h3 fontWeight="medium">Possible causes</chakra.h3>
      <chakra.ul mt="1" ps="5" listStyleType="disc" display="grid" gap="1">
        <li>
          The node might be offline or having issues (check the <TextLink to="/status">status page</TextLink>
          ).
        </li>
        <li>There is an issue with the configuration being deployed (review and redeploy).</li>
        <li>The hostname does not resolve to an IP address.</li>
      </chakra.ul>
    </div>
  );
}
