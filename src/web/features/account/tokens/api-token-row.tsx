import { chakra } from "@chakra-ui/react/styled-system";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useState } from "react";
import { type ApiToken, tokenCalls } from "#contract/call-tables/accounts/token-calls.ts";
import { CallError } from "#contract/client.ts";
import { apiTokenScopeLabels } from "#domain/accounts/api-tokens.ts";
import { call, errorMessage } from "#web/api/client.ts";
import { useNodeHost } from "#web/api/provider.ts";
import { toDeviceTime } from "#web/api/server-ages.ts";
import { Notice } from "#web/ui/feedback/notice.tsx";
import { Button } from "#web/ui/forms/button.tsx";
import { Modal } from "#web/ui/layout/modal.tsx";
import { Age } from "#web/ui/text/age.tsx";
import { formatDate } from "#web/ui/text/format-time.ts";
import { VisuallyHidden } from "#web/ui/text/visually-hidden.tsx";
import { apiTokensQuery } from "./api-tokens-query.ts";

export interface ApiTokenRowProps {
  readonly username: string;
  readonly token: ApiToken;
  /** Receives the focus when the row is gone. */
  readonly returnFocusTo: RefObject<HTMLElement | null>;
}

export function ApiTokenRow(props: ApiTokenRowProps) {
  const { token } = props;
  const { name, scope, node, expires, last_used: lastUsed, address_prefix: prefix } = token;
  const [isAsking, setIsAsking] = useState(false);
  const hostOf = useNodeHost();
  return (
    <chakra.li
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      justifyContent="space-between"
      columnGap="4"
      rowGap="2"
      py="3"
      _notFirst={{ borderTopWidth: "1px" }}
      _last={{ pb: "0" }}
    >
      <chakra.div flex="1 1 14rem" minWidth="0">
        <chakra.p htmlTranslate="no" fontWeight="medium" overflowWrap="anywhere">
          {name}
        </chakra.p>
        <chakra.p color="fg.muted" fontSize="sm">
          {apiTokenScopeLabels[scope]}, {node === null ? "all nodes" : <Mono>{hostOf(node)}</Mono>}, expires
          on {formatDate(expires)}
          {!token.ends_with_password && ", stays when the password changes"}
        </chakra.p>
        <chakra.p color="fg.muted" fontSize="sm">
          {lastUsed === null ? (
            "Never used"
          ) : (
            <>
              Last used <Age at={toDeviceTime(lastUsed)} />
              {prefix !== null && (
                <>
                  {" "}
                  from <Mono>{prefix}</Mono>
                </>
              )}
            </>
          )}
        </chakra.p>
      </chakra.div>
      <Button size="sm" onClick={() => setIsAsking(true)}>
        Revoke<VisuallyHidden> the API token {name}</VisuallyHidden>
      </Button>
      <RevokeDialog {...props} open={isAsking} onClose={() => setIsAsking(false)} />
    </chakra.li>
  );
}

function Mono({ children }: { readonly children: string }) {
  return (
    <chakra.span htmlTranslate="no" fontFamily="mono">
      {children}
    </chakra.span>
  );
}

interface RevokeDialogProps extends ApiTokenRowProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

function RevokeDialog({ username, token: { id, name }, returnFocusTo, open, onClose }: RevokeDialogProps) {
  const queryClient = useQueryClient();
  const revocation = useMutation({
    mutationFn: () => call(tokenCalls.revokeApiToken, { username, id }).catch(ignoreEnded),
    onSuccess: () => {
      onClose();
      return queryClient.invalidateQueries({ queryKey: apiTokensQuery(username).queryKey });
    },
  });
  const close = () => {
    revocation.reset();
    onClose();
  };
  return (
    <Modal
      title="Revoke the API token?"
      role="alertdialog"
      open={open}
      onClose={close}
      returnFocusTo={revocation.isSuccess ? returnFocusTo : undefined}
      footer={
        <>
          <Button onClick={close} disabled={revocation.isPending}>
            Cancel
          </Button>
          <Button tone="danger" onClick={() => revocation.mutate()} isPending={revocation.isPending}>
            Revoke
          </Button>
        </>
      }
    >
      <chakra.div display="grid" gap="3">
        <chakra.p overflowWrap="anywhere">
          Scripts that use “{name}” are refused from now on. What they have changed stays.
        </chakra.p>
        {revocation.isError && (
          <Notice tone="error">The API token was not revoked. {errorMessage(revocation.error)}</Notice>
        )}
      </chakra.div>
    </Modal>
  );
}

/** It has ended already, in another window or by itself. */
function ignoreEnded(error: unknown): void {
  if (!(error instanceof CallError) || error.status !== 404) throw error;
}
