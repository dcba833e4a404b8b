import { chakra } from "@chakra-ui/react/styled-system";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { accountQuery } from "../../api/account-query.ts";
import { errorMessage } from "../../api/client.ts";
import { useIsServerReachable } from "../../browser/connectivity.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { RefusedMail } from "../../ui/feedback/refused-mail.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { ChangePasswordPanel } from "./change-password-panel.tsx";
import { DeleteAccountPanel } from "./delete-account-panel.tsx";
import { ExportPanel } from "./export-panel.tsx";
import { ApiTokensPanel } from "./tokens/api-tokens-panel.tsx";
import { formatDate } from "../../ui/text/format-time.ts";
import { LoginSessionsPanel } from "./login-sessions-panel.tsx";
import { PasskeysPanel } from "./passkeys/passkeys-panel.tsx";
import { PasswordOffPanel } from "./passkeys/password-off-panel.tsx";

export interface SettingsPageProps {
  readonly username: string;
  /** The settings of this device, which do not need an account on the server. */
  readonly children: ReactNode;
}

/** The settings of this device and of the account. Servers without accounts of ours have the former only. */
export function SettingsPage({ username, children }: SettingsPageProps) {
  const isServerReachable = useIsServerReachable();
  const { data: account, isError, error, refetch, isFetching } = useQuery(accountQuery(username));
  const lead = account ? `AS${username}, registered on ${formatDate(account.created)}` : `AS${username}`;
  const verified = account ? `, held by ${account.holder}` : "";
  if (account === null) {
    return (
      <Page title="Settings" lead={`AS${username}.`} narrow>
        {children}
      </Page>
    );
  }
  return (
    <Page
      title="Settings"
      lead={
        <chakra.span
          display="block"
          minHeight={{ base: "3em", md: "1.5em" }}
        >{`${lead}${verified}.`}</chakra.span>
      }
      narrow
    >
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
      <RefusedMail refused={account?.refused} />
      {children}
      {account?.password_off === true ? <PasswordOffPanel /> : <ChangePasswordPanel username={username} />}
      <PasskeysPanel username={username} isPasswordOff={account?.password_off === true} />
      <LoginSessionsPanel username={username} />
      <ApiTokensPanel username={username} />
      <ExportPanel username={username} />
      {!account?.deletion && (
        <DeleteAccountPanel username={username} isPasswordOff={account?.password_off === true} />
      )}
    </Page>
  );
}
