import { chakra } from "@chakra-ui/react/styled-system";
import { useReloadGuard } from "#web/browser/pwa.ts";
import { Notice } from "#web/ui/feedback/notice.tsx";
import { Button } from "#web/ui/forms/button.tsx";
import { FocusOnMount } from "#web/ui/layout/focus-on-mount.tsx";
import { CodeBlock } from "#web/ui/text/code-block.tsx";

export interface CreatedTokenProps {
  readonly username: string;
  readonly name: string;
  readonly token: string;
  readonly onClose: () => void;
}

/** The secret of a new token, which the server does not show again. It is in this component's memory only. */
export function CreatedToken({ username, name, token, onClose }: CreatedTokenProps) {
  useReloadGuard("form", true);
  return (
    <chakra.div display="grid" gap="3" minWidth="0">
      <FocusOnMount>
        <Notice tone="success">
          The API token “{name}” was created. Copy it now: it is not shown again.
        </Notice>
      </FocusOnMount>
      <CodeBlock title={`API token ${name}`} text={token} />
      <CodeBlock title="Example: the status of your peerings" text={renderExample(username)} />
      <chakra.div>
        <Button onClick={onClose}>I have copied the token</Button>
      </chakra.div>
    </chakra.div>
  );
}

/**
 * Passes the token from a variable to curl's input, so that neither the shell's history nor the list of processes has it. It is one
 * command, so that a shell does not read the second line of a paste as the token.
 */
function renderExample(username: string): string {
  return `printf 'Paste the token, then press Enter: ' && read -rs PEERDECK_TOKEN &&
curl ${window.location.origin}/api/getPeerStatus \\
  -H @- <<< "Authorization: Bearer $PEERDECK_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{"username":"${username}"}'`;
}
