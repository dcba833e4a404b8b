import { chakra } from "@chakra-ui/react/styled-system";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ActivityEntry } from "#contract/call-tables/activity-calls.ts";
import { activityCalls } from "#contract/call-tables/activity-calls.ts";
import { call, errorMessage } from "../../api/client.ts";
import { logOut } from "../../api/log-out.ts";
import { clearAccountData } from "../../api/login-session.ts";
import { useProvider } from "../../api/provider.ts";
import { useIsServerReachable } from "../../browser/connectivity.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { Modal } from "../../ui/layout/modal.tsx";
import { formatExactTime } from "../../ui/text/format-time.ts";

export interface EndLoginSessionsProps {
  readonly username: string;
  /** The entry that was another person's act; null: the dialog is closed. */
  readonly suspected: ActivityEntry | null;
  readonly onClose: () => void;
}

/** The dialog that ends every login session of an AS and leads to the login page. */
export function EndLoginSessions({ username, suspected, onClose }: EndLoginSessionsProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const isServerReachable = useIsServerReachable();
  const { ways_in: waysIn } = useProvider();
  const end = useMutation({
    mutationFn: async () => {
      await call(activityCalls.endAllLoginSessions, { username });
      // This browser's login session has ended too. It removes its data as after any logout.
      await logOut(queryClient);
    },
    onSuccess: async () => {
      await navigate({ to: "/login", state: { hasEndedLoginSessions: true } });
      clearAccountData(queryClient);
    },
  });
  const close = () => {
    end.reset();
    onClose();
  };
  return (
    <Modal
      title="End all login sessions?"
      role="alertdialog"
      open={suspected !== null}
      onClose={close}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button
            tone="danger"
            onClick={() => end.mutate()}
            isPending={end.isPending}
            disabled={!isServerReachable}
          >
            End all login sessions
          </Button>
        </>
      }
    >
      <chakra.div display="grid" gap="3">
        {suspected && (
          <chakra.p ps="2.5" borderInlineStartWidth="2px" borderColor="issues" overflowWrap="anywhere">
            {suspected.text}
            <chakra.span display="block" fontSize="sm" color="fg.muted">
              {formatExactTime(suspected.at)}
            </chakra.span>
          </chakra.p>
        )}
        <p>
          If this was not you, another person may be logged in as AS{username}. This logs out every browser,
          including this one, and ends all API tokens. Your peerings keep running as they are now.
        </p>
        <p>
          Then set a new password with “Forgot password?” on the login page. A person who knows the old one
          could log in again.
        </p>
        {waysIn.includes("passkey") && (
          <p>Passkeys keep working. If Settings lists one that is not yours, remove it there first.</p>
        )}
        {!isServerReachable && (
          <Notice tone="warning">
            The server cannot be reached, so the login sessions cannot be ended right now. Try again when you
            are back online.
          </Notice>
        )}
        {end.isError && (
          <Notice tone="error">Not all login sessions could be ended. {errorMessage(end.error)}</Notice>
        )}
      </chakra.div>
    </Modal>
  );
}
