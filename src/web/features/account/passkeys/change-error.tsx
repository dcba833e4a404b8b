import { passkeyErrorMessage } from "#web/api/passkeys.ts";
import { Notice } from "#web/ui/feedback/notice.tsx";
import { LoginAgain, needsRecentLogin } from "./login-again.tsx";

/** Why a change failed; nothing without an error. */
export function ChangeError({ error }: { readonly error: Error | null }) {
  if (error === null) return null;
  return needsRecentLogin(error) ? (
    <LoginAgain />
  ) : (
    <Notice tone="error">{passkeyErrorMessage(error)}</Notice>
  );
}
