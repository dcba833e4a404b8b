import { chakra } from "@chakra-ui/react/styled-system";
import { useQuery } from "@tanstack/react-query";
import { errorMessage } from "#web/api/client.ts";
import { useProvider } from "#web/api/provider.ts";
import { SkeletonLines } from "#web/ui/feedback/loading.tsx";
import { Notice } from "#web/ui/feedback/notice.tsx";
import { Panel } from "#web/ui/layout/panel.tsx";
import { AddPasskey } from "./add-passkey.tsx";
import { PasskeyRow } from "./passkey-row.tsx";
import { passkeysQuery } from "./passkeys-query.ts";
import { TurnPasswordOff } from "./turn-password-off.tsx";

export interface PasskeysPanelProps {
  readonly username: string;
  readonly isPasswordOff: boolean;
}

/** The passkeys of the account. Empty where there are none, and the address of the app allows none. */
export function PasskeysPanel({ username, isPasswordOff }: PasskeysPanelProps) {
  const { ways_in: waysIn } = useProvider();
  const { data, isError, error, refetch, isFetching } = useQuery(passkeysQuery(username));
  const canAdd = waysIn.includes("passkey");
  if (data === null || (!canAdd && !data?.length)) return null;
  return (
    <Panel title="Passkeys">
      <chakra.div display="grid" gap="4">
        <chakra.p color="fg.muted">
          A passkey logs in with the PIN, fingerprint or face of a device, or with a security key, in place of
          the password. It works only at the address where it was added.
        </chakra.p>
        {isError && (
          <Notice tone="error" onRetry={() => void refetch()} isRetrying={isFetching}>
            The passkeys could not be loaded. {errorMessage(error)}
          </Notice>
        )}
        {data === undefined && !isError && <SkeletonLines lines={2} />}
        {data && data.length > 0 && (
          <chakra.ul display="grid" aria-label="Passkeys">
            {data.map((passkey) => (
              <PasskeyRow key={passkey.id} username={username} passkey={passkey} />
            ))}
          </chakra.ul>
        )}
        {canAdd && <AddPasskey username={username} />}
        {data && data.length > 0 && !isPasswordOff && (
          <TurnPasswordOff
            username={username}
            hasLoggedIn={data.some(({ last_used: lastUsed }) => lastUsed !== null)}
          />
        )}
      </chakra.div>
    </Panel>
  );
}
