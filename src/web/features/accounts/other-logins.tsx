import { chakra } from "@chakra-ui/react/styled-system";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { describeKioubitFailure } from "#domain/proofs/kioubit-failures.ts";
import { finishPendingLogout } from "../../api/login-session.ts";
import { logInWithPasskey, passkeyErrorMessage } from "../../api/passkeys.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { KioubitButton } from "./kioubit/kioubit-button.tsx";

export interface OtherLoginProps {
  readonly way: "passkey" | "kioubit";
  /** Opens the manager as the AS that the server has logged in. Rejects with `LoginNotKeptError`. */
  readonly onLogin: (username: string) => Promise<void>;
}

/** A way to log in without a password. */
export function OtherLogin({ way, onLogin }: OtherLoginProps) {
  return way === "passkey" ? <PasskeyLogin onLogin={onLogin} /> : <KioubitButton purpose="login" asn="" />;
}

/**
 * Why a return from Kioubit's authentication service was refused. It is here because the page names each file that is loaded on
 * demand, which every visit pays for.
 */
export function KioubitFailureNotice() {
  const code = useLocation({ select: ({ search }) => search.kioubit });
  const message = describeKioubitFailure(code);
  return message === null ? null : <Notice tone="error">{message}</Notice>;
}

function PasskeyLogin({ onLogin }: Pick<OtherLoginProps, "onLogin">) {
  const queryClient = useQueryClient();
  const login = useMutation({
    mutationFn: async () => {
      await finishPendingLogout(queryClient);
      return logInWithPasskey();
    },
    onSuccess: onLogin,
  });
  return (
    <chakra.div display="grid" gap="4">
      {login.isError && (
        <Notice tone="error">
          {login.error.name === "LoginNotKeptError" ? login.error.message : passkeyErrorMessage(login.error)}
        </Notice>
      )}
      <Button wide onClick={() => login.mutate()} isPending={login.isPending}>
        Log in with a passkey
      </Button>
    </chakra.div>
  );
}
