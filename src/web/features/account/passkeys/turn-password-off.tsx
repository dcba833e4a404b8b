import { chakra } from "@chakra-ui/react/styled-system";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { passkeyCalls } from "#contract/call-tables/accounts/passkey-calls.ts";
import { accountQuery } from "#web/api/account-query.ts";
import { call } from "#web/api/client.ts";
import { useIsServerReachable } from "#web/browser/connectivity.ts";
import { Button } from "#web/ui/forms/button.tsx";
import { Modal } from "#web/ui/layout/modal.tsx";
import { ChangeError } from "./change-error.tsx";

export interface TurnPasswordOffProps {
  readonly username: string;
  /** Whether a passkey was used to log in, so that it is known to work. */
  readonly hasLoggedIn: boolean;
}

export function TurnPasswordOff({ username, hasLoggedIn }: TurnPasswordOffProps) {
  const isServerReachable = useIsServerReachable();
  const queryClient = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const request = useMutation({
    mutationFn: () => call(passkeyCalls.turnPasswordOff, { username }),
    onSuccess: async () => {
      setIsOpen(false);
      await queryClient.invalidateQueries({ queryKey: accountQuery(username).queryKey });
    },
  });
  const close = () => {
    request.reset();
    setIsOpen(false);
  };
  return (
    <chakra.div display="grid" gap="3" justifyItems="start" pt="4" borderTopWidth="1px">
      <chakra.p color="fg.muted">
        {hasLoggedIn
          ? "You can turn the password off, so that only passkeys log in."
          : "Log in with a passkey once. Then you can turn the password off, so that only passkeys log in."}
      </chakra.p>
      <Button onClick={() => setIsOpen(true)} disabled={!hasLoggedIn || !isServerReachable}>
        Turn the password off…
      </Button>
      <Modal
        title="Turn the password off?"
        role="alertdialog"
        open={isOpen}
        onClose={close}
        footer={
          <>
            <Button onClick={close} disabled={request.isPending}>
              Cancel
            </Button>
            <Button tone="danger" onClick={() => request.mutate()} isPending={request.isPending}>
              Turn the password off
            </Button>
          </>
        }
      >
        <chakra.div display="grid" gap="3">
          <p>
            Only passkeys log in then. If you lose them, “Forgot password?” sets a new password, which turns
            it on again. Programs that log in with the password no longer can.
          </p>
          <ChangeError error={request.error} />
        </chakra.div>
      </Modal>
    </chakra.div>
  );
}
