import { chakra } from "@chakra-ui/react/styled-system";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { accountCalls } from "#contract/call-tables/accounts/account-calls.ts";
import { call, errorMessage } from "../../api/client.ts";
import { peeredNodesQuery } from "../../api/peering-queries.ts";
import { useNodeHost } from "../../api/provider.ts";
import { useIsServerReachable } from "../../browser/connectivity.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { PasswordField } from "../../ui/forms/password-field.tsx";
import { Modal } from "../../ui/layout/modal.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { fieldError, formError } from "./field-error.ts";
import { LoginAgain, needsRecentLogin } from "./passkeys/login-again.tsx";

export interface DeleteAccountPanelProps {
  readonly username: string;
  /** A recent login confirms the deletion then, instead of the password. */
  readonly isPasswordOff: boolean;
}

export function DeleteAccountPanel({ username, isPasswordOff }: DeleteAccountPanelProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Panel title="Delete the account">
      <chakra.div display="grid" gap="3" justifyItems="start">
        <chakra.p color="fg.muted">
          Removes all peerings of AS{username} from their nodes, then everything that is stored about it. The
          AS can register again at any time.
        </chakra.p>
        <Button tone="danger" onClick={() => setIsOpen(true)}>
          Delete the account…
        </Button>
      </chakra.div>
      <DeleteAccountDialog
        username={username}
        isPasswordOff={isPasswordOff}
        open={isOpen}
        onClose={() => setIsOpen(false)}
      />
    </Panel>
  );
}

interface DeleteAccountDialogProps extends DeleteAccountPanelProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

const formId = "delete-account";

function DeleteAccountDialog({ username, isPasswordOff, open, onClose }: DeleteAccountDialogProps) {
  const navigate = useNavigate();
  const isServerReachable = useIsServerReachable();
  const nodes = useQuery({ ...peeredNodesQuery(username), enabled: open });
  const [password, setPassword] = useState("");
  const [isShown, setIsShown] = useState(false);
  const deletion = useMutation({
    mutationFn: () => call(accountCalls.deleteAccount, { username, password }),
    onSuccess: ({ id }) => navigate({ to: "/accountDeletion", search: { id } }),
  });
  const close = () => {
    deletion.reset();
    setPassword("");
    onClose();
  };
  const otherError = formError(deletion.error, ["password"]);
  const isReady = (isPasswordOff || password !== "") && nodes.isSuccess;
  return (
    <Modal
      title="Delete the account?"
      role="alertdialog"
      open={open}
      onClose={close}
      footer={
        <>
          <Button onClick={close} disabled={deletion.isPending}>
            Cancel
          </Button>
          <Button
            tone="danger"
            type="submit"
            form={formId}
            disabled={!isReady}
            isPending={deletion.isPending}
          >
            Delete the account
          </Button>
        </>
      }
    >
      <chakra.form
        id={formId}
        noValidate
        aria-label="Delete the account"
        display="grid"
        gap="3"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !deletion.isPending) deletion.mutate();
        }}
      >
        <Peerings nodes={nodes.data} />
        {nodes.isError && (
          <Notice onRetry={() => void nodes.refetch()} isRetrying={nodes.isFetching}>
            Your peerings could not be listed. {errorMessage(nodes.error)}
          </Notice>
        )}
        <chakra.p color="fg.muted">
          The configuration of your router does not change. While a node does not respond, the account waits
          for it, and you can still keep the account.
        </chakra.p>
        {!isPasswordOff && (
          <PasswordField
            label="Password"
            name="password"
            isShown={isShown}
            onToggle={() => setIsShown(!isShown)}
            value={password}
            onChange={(value) => {
              setPassword(value);
              if (deletion.isError) deletion.reset();
            }}
            error={fieldError(deletion.error, "password")}
            autoComplete="current-password"
            required
          />
        )}
        {needsRecentLogin(deletion.error) ? (
          <LoginAgain />
        ) : (
          otherError !== "" && <Notice tone="error">The account was not deleted. {otherError}</Notice>
        )}
        {!isServerReachable && (
          <Notice tone="warning">
            The server cannot be reached, so the account cannot be deleted right now. Try again when you are
            back online.
          </Notice>
        )}
      </chakra.form>
    </Modal>
  );
}

function Peerings({ nodes }: { readonly nodes: readonly string[] | undefined }) {
  const toHost = useNodeHost();
  if (nodes === undefined) return <p>Your peerings are being listed…</p>;
  if (nodes.length === 0) return <p>There are no peerings to remove.</p>;
  return (
    <div>
      <p>{nodes.length === 1 ? "This peering is removed:" : `These ${nodes.length} peerings are removed:`}</p>
      <chakra.ul htmlTranslate="no" mt="1.5" ps="5" listStyleType="disc" fontFamily="mono" fontSize="sm">
        {nodes.map((node) => (
          <li key={node}>{toHost(node)}</li>
        ))}
      </chakra.ul>
    </div>
  );
}
