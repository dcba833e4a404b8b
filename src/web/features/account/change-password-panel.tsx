import { chakra } from "@chakra-ui/react/styled-system";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { accountCalls } from "#contract/call-tables/accounts/account-calls.ts";
import { call } from "../../api/client.ts";
import { useReloadGuard } from "../../browser/pwa.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { PasswordField } from "../../ui/forms/password-field.tsx";
import { FocusOnMount } from "../../ui/layout/focus-on-mount.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { fieldError, formError } from "./field-error.ts";
import { loginSessionsQuery } from "./login-sessions-query.ts";
import { apiTokensQuery } from "./tokens/api-tokens-query.ts";

const empty = { current: "", next: "", confirmation: "" };

export function ChangePasswordPanel({ username }: { readonly username: string }) {
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState(empty);
  const [isShown, setIsShown] = useState(false);
  const [isBlocked, setIsBlocked] = useState(false);
  const request = useMutation({
    mutationFn: () =>
      call(accountCalls.changePassword, { username, current_password: typed.current, password: typed.next }),
    onSuccess: () => {
      setTyped(empty);
      void queryClient.invalidateQueries({ queryKey: loginSessionsQuery(username).queryKey });
      void queryClient.invalidateQueries({ queryKey: apiTokensQuery(username).queryKey });
    },
  });
  useReloadGuard(
    "form",
    Object.values(typed).some((value) => value !== ""),
  );
  const isMismatch = typed.confirmation !== "" && typed.next !== typed.confirmation;
  const change = (name: keyof typeof empty) => (value: string) => {
    setTyped((before) => ({ ...before, [name]: value }));
    setIsBlocked(false);
    if (!request.isIdle && !request.isPending) request.reset();
  };
  const otherError = formError(request.error, ["current_password", "password"]);
  return (
    <Panel title="Change password">
      <chakra.form
        noValidate
        aria-label="Change password"
        display="grid"
        gap="4"
        onSubmit={(event) => {
          event.preventDefault();
          setIsBlocked(isMismatch);
          if (isMismatch || request.isPending) return;
          setIsShown(false);
          request.mutate();
        }}
      >
        {request.isSuccess && (
          <FocusOnMount>
            <Notice tone="success">The password is changed. All other login sessions have ended.</Notice>
          </FocusOnMount>
        )}
        <PasswordField
          label="Current password"
          name="current_password"
          isShown={isShown}
          onToggle={() => setIsShown(!isShown)}
          value={typed.current}
          onChange={change("current")}
          error={fieldError(request.error, "current_password")}
          autoComplete="current-password"
          required
        />
        <PasswordField
          label="New password"
          name="password"
          isShown={isShown}
          value={typed.next}
          onChange={change("next")}
          error={fieldError(request.error, "password")}
          hint="We recommend at least 15 characters, or a whole sentence."
          autoComplete="new-password"
          required
        />
        <PasswordField
          label="Confirm new password"
          name="confirmation"
          isShown={isShown}
          value={typed.confirmation}
          onChange={change("confirmation")}
          error={isMismatch ? "Passwords do not match" : ""}
          autoComplete="new-password"
          required
        />
        {isBlocked && <Notice tone="error">The new passwords do not match.</Notice>}
        {otherError !== "" && <Notice tone="error">The password was not changed. {otherError}</Notice>}
        <chakra.div>
          <Button
            type="submit"
            disabled={typed.current === "" || typed.next === "" || typed.confirmation === ""}
            isPending={request.isPending}
          >
            Change password
          </Button>
        </chakra.div>
      </chakra.form>
    </Panel>
  );
}
