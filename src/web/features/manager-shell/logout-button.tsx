import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { endSession, forgetSession } from "../../api/session.ts";
import { Button } from "../../ui/button.tsx";

/** Signs out on this device whatever the server says; it is told as soon as it can be reached. */
export function LogoutButton() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const logout = useMutation({
    mutationFn: () => endSession(queryClient),
    onSettled: async () => {
      await navigate({ to: "/" });
      forgetSession(queryClient);
    },
  });
  return (
    <Button size="sm" onClick={() => logout.mutate()} pending={logout.isPending}>
      Logout
    </Button>
  );
}
