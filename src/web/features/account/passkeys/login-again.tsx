import { chakra } from "@chakra-ui/react/styled-system";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { CallError } from "#contract/client.ts";
import { errorMessage } from "#web/api/client.ts";
import { logOut } from "#web/api/log-out.ts";
import { clearAccountData } from "#web/api/login-session.ts";
import { Notice } from "#web/ui/feedback/notice.tsx";
import { Button } from "#web/ui/forms/button.tsx";
import { FocusOnMount } from "#web/ui/layout/focus-on-mount.tsx";

/** Whether the server refuses a change because the login is too old for it. */
export function needsRecentLogin(error: Error | null): boolean {
  return error instanceof CallError && error.body.needs === "recent-login";
}

/** Leads to the login screen and back to Settings. */
export function LoginAgain() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const logout = useMutation({
    mutationFn: () => logOut(queryClient),
    onSuccess: async () => {
      await navigate({ to: "/login", search: { from: "/manager/settings" } });
      clearAccountData(queryClient);
    },
  });
  return (
    <FocusOnMount>
      <Notice tone="warning">
        <p>Log in again to change this: the last login was more than 15 minutes ago. Nothing was changed.</p>
        <chakra.div mt="2">
          <Button size="sm" onClick={() => logout.mutate()} isPending={logout.isPending}>
            Log in again
          </Button>
        </chakra.div>
        {logout.isError && <chakra.p mt="2">{errorMessage(logout.error)}</chakra.p>}
      </Notice>
    </FocusOnMount>
  );
}
