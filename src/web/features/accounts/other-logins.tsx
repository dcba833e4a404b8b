import { chakra } from "@chakra-ui/react/styled-system";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { finishPendingLogout } from "../../api/login-session.ts";
import { logInWithPasskey, passkeyErrorMessage } from "../../api/passkeys.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { KioubitButton } from "./kioubit/kioubit-button.tsx";

export interface OtherLoginsProps {
  /** Those of `provider.ways_in` that log in, and that this browser can. */
  readonly ways: readonly string[];
  /** Opens the manager as the AS that the server has logged in. Rejects with `LoginNotKeptError`. */
  readonly onLogin: (username: string) => Promise<void>;
}

/** The ways to log in without a password that this server offers. */
export function OtherLogins({ ways, onLogin }: OtherLoginsProps) {
  return (
    <chakra.div display="grid" gap="3">
      {ways.includes("passkey") && <PasskeyLogin onLogin={onLogin} />}
      {ways.includes("kioubit") && <KioubitButton purpose="login" asn="" />}
    </chakra.div>
  );
}

function PasskeyLogin({ onLogin }: Pick<OtherLoginsProps, "onLogin">) {
  const queryClient = useQueryClient();
  const login = useMutation({
    mutationFn: async () => {
      await finishPendingLogout(queryClient);
      return logInWithPasskey();
    },
    onSuccess: onLogin,
  });
  return (
    <>
      <Button wide onClick={() => login.mutate()} isPending={login.isPending}>
        Log in with a passkey
      </Button>
      {login.isError && (
        <Notice tone="error">
          {login.error.name === "LoginNotKeptError" ? login.error.message : passkeyErrorMessage(login.error)}
        </Notice>
      )}
    </>
  );
}
