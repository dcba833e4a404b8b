import { chakra } from "@chakra-ui/react/styled-system";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { LoginSession } from "#contract/call-tables/accounts/account-calls.ts";
import { accountCalls } from "#contract/call-tables/accounts/account-calls.ts";
import { CallError } from "#contract/client.ts";
import { call, errorMessage } from "../../api/client.ts";
import { logOut } from "../../api/log-out.ts";
import { clearAccountData } from "../../api/login-session.ts";
import { toDeviceTime } from "../../api/server-ages.ts";
import { SkeletonLines } from "../../ui/feedback/loading.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { Age } from "../../ui/text/age.tsx";
import { VisuallyHidden } from "../../ui/text/visually-hidden.tsx";
import { formatDateTime } from "../../ui/text/format-time.ts";
import { loginSessionsQuery } from "./login-sessions-query.ts";

export function LoginSessionsPanel({ username }: { readonly username: string }) {
  const { data, isError, error, refetch, isFetching } = useQuery(loginSessionsQuery(username));
  if (data === null) return null;
  return (
    <Panel title="Login sessions">
      <chakra.p color="fg.muted" mb="3">
        Browsers and programs that are logged in as AS{username}. End what you do not recognise, then change
        the password.
      </chakra.p>
      {isError && (
        <Notice tone="error" onRetry={() => void refetch()} isRetrying={isFetching}>
          The login sessions could not be loaded. {errorMessage(error)}
        </Notice>
      )}
      {data === undefined && !isError && <SkeletonLines lines={3} />}
      {data && (
        <chakra.ul display="grid" aria-label="Login sessions">
          {data.map((session) => (
            <Row key={session.id} username={username} session={session} />
          ))}
        </chakra.ul>
      )}
    </Panel>
  );
}

interface RowProps {
  readonly username: string;
  readonly session: LoginSession;
}

function Row({ username, session }: RowProps) {
  const { id, browser: name, address_prefix: prefix, created, last_used: lastUsed, current } = session;
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const end = useMutation({
    mutationFn: async () => {
      if (current) await logOut(queryClient);
      else await call(accountCalls.endLoginSession, { username, id }).catch(ignoreEnded);
    },
    onSuccess: async () => {
      if (!current) return queryClient.invalidateQueries({ queryKey: loginSessionsQuery(username).queryKey });
      await navigate({ to: "/" });
      return clearAccountData(queryClient);
    },
  });
  return (
    <chakra.li
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      justifyContent="space-between"
      columnGap="4"
      rowGap="2"
      py="3"
      _notFirst={{ borderTopWidth: "1px" }}
      _last={{ pb: "0" }}
    >
      <chakra.div flex="1 1 14rem" minWidth="0">
        <chakra.p fontWeight="medium">
          {name}
          {current && (
            <chakra.span color="fg.muted" fontWeight="normal">
              {" "}
              · this one
            </chakra.span>
          )}
        </chakra.p>
        <chakra.p color="fg.muted" fontSize="sm">
          from{" "}
          {prefix === null ? (
            "an unknown address"
          ) : (
            <chakra.span htmlTranslate="no" fontFamily="mono">
              {prefix}
            </chakra.span>
          )}
          , since {formatDateTime(created)}, last used <Age at={toDeviceTime(lastUsed)} />
        </chakra.p>
      </chakra.div>
      <Button size="sm" onClick={() => end.mutate()} isPending={end.isPending}>
        {current ? "Log out" : "End"}
        <VisuallyHidden>
          {current ? "" : ` the login session of ${name} from ${prefix ?? "an unknown address"}`}
        </VisuallyHidden>
      </Button>
      {end.isError && (
        <chakra.div flexBasis="full">
          <Notice tone="error">The login session was not ended. {errorMessage(end.error)}</Notice>
        </chakra.div>
      )}
    </chakra.li>
  );
}

/** It has ended already, in another window or by itself. */
function ignoreEnded(error: unknown): void {
  if (!(error instanceof CallError) || error.status !== 404) throw error;
}
