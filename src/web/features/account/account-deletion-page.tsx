import { chakra } from "@chakra-ui/react/styled-system";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { AccountDeletion } from "#contract/call-tables/accounts/account-calls.ts";
import { accountCalls } from "#contract/call-tables/accounts/account-calls.ts";
import { call, errorMessage, read } from "../../api/client.ts";
import { logOut } from "../../api/log-out.ts";
import { accountQuery } from "../../api/account-query.ts";
import { useLoggedInAs } from "../../api/login-session.ts";
import { useNodeHost } from "../../api/provider.ts";
import { toDeviceTime } from "../../api/server-ages.ts";
import { SkeletonLines } from "../../ui/feedback/loading.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Button, ButtonLink } from "../../ui/forms/button.tsx";
import { FocusOnMount } from "../../ui/layout/focus-on-mount.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Age } from "../../ui/text/age.tsx";
import { useNow } from "../../ui/text/clock.ts";
import { TextLink } from "../../ui/text/link.tsx";

const pollMs = 2_000;

function accountDeletionQuery(id: string) {
  return queryOptions({
    queryKey: ["account-deletion", id],
    queryFn: (context) => read(context, accountCalls.getAccountDeletion, { id }),
    refetchInterval: ({ state }) => (isEnded(state.data) ? false : pollMs),
  });
}

function isEnded(deletion: AccountDeletion | undefined): boolean {
  return deletion !== undefined && deletion.state !== "running";
}

/** Follows a deletion to its end, also when its login session has ended with the account. */
export function AccountDeletionPage({ id }: { readonly id: string }) {
  const { data, isError, error, refetch, isFetching } = useQuery(accountDeletionQuery(id));
  return (
    <Page title="Deletion of the account">
      {isError && (
        <Notice tone={data ? "warning" : "error"} onRetry={() => void refetch()} isRetrying={isFetching}>
          The state of the deletion could not be loaded. {errorMessage(error)}
        </Notice>
      )}
      {data === undefined && !isError && <SkeletonLines lines={3} />}
      {data?.state === "running" && <Progress deletion={data} />}
      {data?.state === "deleted" && <Deleted />}
      {data?.state === "cancelled" && (
        <>
          <FocusOnMount>
            <Notice tone="success">
              The account is kept. Peerings that were already removed stay removed; you can create them again.
            </Notice>
          </FocusOnMount>
          <ButtonLink to="/manager" tone="primary" wide>
            Dashboard
          </ButtonLink>
        </>
      )}
    </Page>
  );
}

function Progress({ deletion: { id, started, peerings } }: { readonly deletion: AccountDeletion }) {
  const toHost = useNodeHost();
  const username = useLoggedInAs();
  const queryClient = useQueryClient();
  const cancellation = useMutation({
    mutationFn: (asn: string) => call(accountCalls.cancelAccountDeletion, { username: asn }),
    onSuccess: async (_, asn) => {
      await queryClient.invalidateQueries({ queryKey: accountDeletionQuery(id).queryKey });
      await queryClient.invalidateQueries({ queryKey: accountQuery(asn).queryKey });
    },
  });
  return (
    <>
      <chakra.p role="status">
        {peerings.length === 0
          ? "All peerings are removed. The account is being deleted."
          : `${peerings.length === 1 ? "One peering is" : `${peerings.length} peerings are`} still to be removed.`}
      </chakra.p>
      <chakra.ul display="grid" gap="3" aria-label="Peerings to remove">
        {peerings.map((peering) => (
          <li key={peering.node}>
            <chakra.p htmlTranslate="no" fontFamily="mono" fontSize="sm">
              {toHost(peering.node)}
            </chakra.p>
            <chakra.p color="fg.muted" fontSize="sm">
              <RemovalState peering={peering} />
            </chakra.p>
          </li>
        ))}
      </chakra.ul>
      <chakra.p color="fg.muted" fontSize="sm">
        Started <Age at={toDeviceTime(started)} />. You can close this page: the server goes on by itself.
        While a node cannot be reached, the account and the peering on it stay.
      </chakra.p>
      {cancellation.isError && (
        <Notice tone="error">The deletion goes on. {errorMessage(cancellation.error)}</Notice>
      )}
      {username !== null && (
        <Button
          onClick={() => cancellation.mutate(username)}
          isPending={cancellation.isPending || cancellation.isSuccess}
        >
          Keep the account
        </Button>
      )}
      {username !== null && (
        <chakra.p fontSize="sm">
          <TextLink to="/manager/settings">Back to Settings</TextLink>
        </chakra.p>
      )}
    </>
  );
}

interface RemovalStateProps {
  readonly peering: AccountDeletion["peerings"][number];
}

function RemovalState({ peering: { taskID, reason, next_attempt: nextAttempt } }: RemovalStateProps) {
  if (reason === "") return taskID === null ? "Waiting." : "Being removed.";
  if (taskID !== null || nextAttempt === null) return reason;
  return (
    <>
      {reason} The server tries again within <TimeUntil at={nextAttempt} />.
    </>
  );
}

/** A time by the server's clock, as "3 min" from now, without a line break in it. */
function TimeUntil({ at }: { readonly at: number }) {
  const now = useNow();
  const minutes = Math.max(1, Math.ceil((toDeviceTime(at) - now) / 60_000));
  return minutes < 60 ? `${minutes}\u00a0min` : `${Math.ceil(minutes / 60)}\u00a0h`;
}

/** The device forgets the AS as it does at a logout. */
function Deleted() {
  const queryClient = useQueryClient();
  const isLoggedIn = useLoggedInAs() !== null;
  const hasStarted = useRef(false);
  useEffect(() => {
    if (!isLoggedIn || hasStarted.current) return;
    hasStarted.current = true;
    void logOut(queryClient).catch(() => undefined);
  }, [isLoggedIn, queryClient]);
  return (
    <>
      <FocusOnMount>
        <Notice tone="success">
          The account and its peerings are deleted. The log of what happened is kept for a limited time.
        </Notice>
      </FocusOnMount>
      <ButtonLink to="/" tone="primary" wide>
        Home
      </ButtonLink>
    </>
  );
}
