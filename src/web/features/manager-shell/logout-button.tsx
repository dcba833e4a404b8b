import { chakra } from "@chakra-ui/react/styled-system";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { calls } from "../../../contract/calls.ts";
import { call } from "../../api/client.ts";
import { forgetSession } from "../../api/session.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";

export function LogoutButton() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const logout = useMutation({
    mutationFn: () => call(calls.logout, undefined),
    onSuccess: async () => {
      await navigate({ to: "/" });
      forgetSession(queryClient);
    },
  });
  return (
    <>
      <Button size="sm" onClick={() => logout.mutate()} pending={logout.isPending}>
        Logout
      </Button>
      {logout.isError && (
        <chakra.div flexBasis="full">
          <Notice tone="error">
            You are still signed in: the server did not end the session. Try again.
          </Notice>
        </chakra.div>
      )}
    </>
  );
}
