import { chakra } from "@chakra-ui/react/styled-system";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Passkey, passkeyCalls } from "#contract/call-tables/accounts/passkey-calls.ts";
import { CallError } from "#contract/client.ts";
import { call } from "#web/api/client.ts";
import { toDeviceTime } from "#web/api/server-ages.ts";
import { useIsServerReachable } from "#web/browser/connectivity.ts";
import { Button } from "#web/ui/forms/button.tsx";
import { Modal } from "#web/ui/layout/modal.tsx";
import { Age } from "#web/ui/text/age.tsx";
import { formatDate } from "#web/ui/text/format-time.ts";
import { VisuallyHidden } from "#web/ui/text/visually-hidden.tsx";
import { ChangeError } from "./change-error.tsx";
import { passkeysQuery } from "./passkeys-query.ts";

export interface PasskeyRowProps {
  readonly username: string;
  readonly passkey: Passkey;
}

export function PasskeyRow({ username, passkey }: PasskeyRowProps) {
  const { id, name, created, last_used: lastUsed, host, here } = passkey;
  const isServerReachable = useIsServerReachable();
  const queryClient = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const removal = useMutation({
    mutationFn: () => call(passkeyCalls.removePasskey, { username, id }).catch(ignoreRemoved),
    onSuccess: async () => {
      setIsOpen(false);
      await queryClient.invalidateQueries({ queryKey: passkeysQuery(username).queryKey });
    },
  });
  const close = () => {
    removal.reset();
    setIsOpen(false);
  };
  return (
    <chakra.li
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      justifyContent="space-between"
      columnGap="4"
      rowGap="2"
      py="3"
      _last={{ pb: "0" }}
      _notFirst={{ borderTopWidth: "1px" }}
    >
      <chakra.div flex="1 1 14rem" minWidth="0">
        <chakra.p htmlTranslate="no" fontWeight="medium" overflowWrap="anywhere">
          {name}
        </chakra.p>
        <chakra.p color="fg.muted" fontSize="sm" overflowWrap="anywhere">
          added on {formatDate(created)},{" "}
          {lastUsed === null ? (
            "not used yet"
          ) : (
            <>
              last used <Age at={toDeviceTime(lastUsed)} />
            </>
          )}
          {!here && (
            <>
              , works only at{" "}
              <chakra.span htmlTranslate="no" fontFamily="mono">
                {host}
              </chakra.span>
            </>
          )}
        </chakra.p>
      </chakra.div>
      <Button size="sm" onClick={() => setIsOpen(true)} disabled={!isServerReachable}>
        Remove…
        <VisuallyHidden> the passkey {name}</VisuallyHidden>
      </Button>
      <Modal
        title="Remove the passkey?"
        role="alertdialog"
        open={isOpen}
        onClose={close}
        footer={
          <>
            <Button onClick={close} disabled={removal.isPending}>
              Cancel
            </Button>
            <Button tone="danger" onClick={() => removal.mutate()} isPending={removal.isPending}>
              Remove
            </Button>
          </>
        }
      >
        <chakra.div display="grid" gap="3">
          <chakra.p overflowWrap="anywhere">
            “{name}” can no longer log in as AS{username}. Login sessions that it started go on until you end
            them. On the device itself, delete it in the settings of passwords and passkeys.
          </chakra.p>
          <ChangeError error={removal.error} />
        </chakra.div>
      </Modal>
    </chakra.li>
  );
}

/** It was removed already, in another window. */
function ignoreRemoved(error: unknown): void {
  if (!(error instanceof CallError) || error.status !== 404) throw error;
}
