import { chakra } from "@chakra-ui/react/styled-system";
import { useQuery } from "@tanstack/react-query";
import { accountQuery } from "../../api/account-query.ts";
import { errorMessage } from "../../api/client.ts";
import { useIsServerReachable } from "../../browser/connectivity.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { ChangePasswordPanel } from "./change-password-panel.tsx";
import { DeleteAccountPanel } from "./delete-account-panel.tsx";
import { ExportPanel } from "./export-panel.tsx";
import { formatDate } from "./format-time.ts";
import { LoginSessionsPanel } from "./login-sessions-panel.tsx";

export interface AccountPageProps {
  readonly username: string;
}

/** What a participant does with the account itself. */
export function AccountPage({ username }: AccountPageProps) {
  const isServerReachable = useIsServerReachable();
  const { data: account, isError, error, refetch, isFetching } = useQuery(accountQuery(username));
  const lead = account ? `AS${username}, registered on ${formatDate(account.created)}` : `AS${username}`;
  const verified = account?.holder ? `, held by ${account.holder}` : "";
  if (account === null) {
    return (
      <Page title="Account" narrow>
        <Notice>This server has no account settings.</Notice>
      </Page>
    );
  }
  return (
    <Page title="Account" lead={`${lead}${verified}.`} narrow>
      {!isServerReachable && (
        <Notice tone="warning">
          The server is unreachable, so nothing can be changed now. What is shown is the last known state.
        </Notice>
      )}
      {isError && isServerReachable && (
        <Notice tone="error" onRetry={() => void refetch()} isRetrying={isFetching}>
          The account could not be loaded. {errorMessage(error)}
        </Notice>
      )}
      {account?.deletion && (
        <Notice tone="warning">
          <p>This account is being deleted. Its peerings are removed first.</p>
          <chakra.div mt="2">
            <ButtonLink to="/accountDeletion" search={{ id: account.deletion.id }} size="sm">
              Show progress
            </ButtonLink>
          </chakra.div>
        </Notice>
      )}
      <ChangePasswordPanel username={username} />
      <LoginSessionsPanel username={username} />
      <ExportPanel username={username} />
      {!account?.deletion && <DeleteAccountPanel username={username} />}
    </Page>
  );
}
