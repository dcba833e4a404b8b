import { chakra } from "@chakra-ui/react/styled-system";
import { useIsFetching, useMutation, useQueryClient } from "@tanstack/react-query";
import { kioubitCalls, type KioubitPurpose } from "#contract/call-tables/accounts/kioubit-calls.ts";
import { call, errorMessage } from "#web/api/client.ts";
import { finishPendingLogout } from "#web/api/login-session.ts";
import { Notice } from "#web/ui/feedback/notice.tsx";
import { Button } from "#web/ui/forms/button.tsx";

export interface KioubitButtonProps {
  readonly purpose: KioubitPurpose;
  /** The AS that the visitor has entered; empty: any AS that the service confirms. */
  readonly asn: string;
}

/** Leads to Kioubit's authentication service, from which the browser comes back to the server. */
export function KioubitButton({ purpose, asn }: KioubitButtonProps) {
  const queryClient = useQueryClient();
  // Two requests that are the browser's first would each get a challenge cookie, and replace the other's.
  const isRequestingProof = useIsFetching({ queryKey: ["proof-request"] }) > 0;
  const start = useMutation({
    mutationFn: async () => {
      // A logout that is pending would end the login session of this login.
      if (purpose === "login") await finishPendingLogout(queryClient);
      return call(kioubitCalls.startKioubit, { purpose, asn });
    },
    onSuccess: ({ url }) => window.location.assign(url),
  });
  return (
    <chakra.div display="grid" gap="4">
      {start.isError && <Notice tone="error">{errorMessage(start.error)}</Notice>}
      <Button wide onClick={() => start.mutate()} disabled={isRequestingProof} isPending={start.isPending}>
        {purpose === "login" ? "Log in with Kioubit's service" : "Prove with Kioubit's service"}
      </Button>
    </chakra.div>
  );
}
