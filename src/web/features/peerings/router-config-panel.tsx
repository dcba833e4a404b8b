import { chakra } from "@chakra-ui/react/styled-system";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type PeeringSides, renderBird, renderWireguard } from "#domain/peering/participant-config.ts";
import { participantInterface } from "#domain/peering/participant-names.ts";
import { errorMessage } from "../../api/client.ts";
import { Button } from "../../ui/forms/button.tsx";
import { presharedKeyQuery } from "./queries.ts";
import { Panel } from "../../ui/layout/panel.tsx";
import { CodeBlock } from "../../ui/text/code-block.tsx";

/** The configuration files for the participant's router, and the commands that apply them. */
export function RouterConfigPanel({ username, ...config }: PeeringSides & { readonly username: string }) {
  const client = useQueryClient();
  const secretQuery = presharedKeyQuery(username, config.node);
  const secret = useQuery(secretQuery);
  const sides = { ...config, presharedKey: secret.data };
  const hasSecret = sides.peer.preshared_key === "set";
  const isSecretShown = sides.presharedKey !== undefined;
  const toggleSecret = () =>
    isSecretShown ? client.resetQueries({ queryKey: secretQuery.queryKey }) : secret.refetch();
  const name = participantInterface(sides.peer.local_asn, sides.node);
  return (
    <Panel title="Configuration for your router">
      <chakra.div display="grid" gap="5" gridTemplateColumns="minmax(0, 1fr)">
        <chakra.p overflowWrap="anywhere">
          The name <Command>{name}</Command> is a suggestion. You can choose another. If your router already
          has this tunnel under another name, keep that name in both files.
        </chakra.p>
        <Part
          block={<CodeBlock title={`WireGuard: /etc/wireguard/${name}.conf`} text={renderWireguard(sides)} />}
        >
          {hasSecret && (
            <chakra.span display="block" mb="2">
              {/* Not disabled while the key is loading, which would lose the focus. */}
              <Button size="sm" onClick={() => void toggleSecret()}>
                {isSecretShown ? "Hide the pre-shared key" : "Show the pre-shared key"}
              </Button>
              <span role="alert">
                {secret.isError && ` It could not be loaded. ${errorMessage(secret.error)}`}
              </span>
            </chakra.span>
          )}
          Add your private key{hasSecret && !isSecretShown && " and the pre-shared key"}, then run{" "}
          <Command>wg-quick up {name}</Command>.
          {sides.peer.mtu === "" && (
            <>
              {" "}
              The MTU is derived from the route to our endpoint. If large packets are lost, set{" "}
              <Command>MTU = 1412</Command> (PPPoE) or lower.
            </>
          )}
        </Part>
        <Part block={<CodeBlock title="BIRD 2" text={renderBird(sides)} />}>
          Add it to your configuration, then run <Command>birdc configure</Command>.
        </Part>
      </chakra.div>
    </Panel>
  );
}

function Part({ block, children }: { readonly block: ReactNode; readonly children: ReactNode }) {
  return (
    <chakra.div display="grid" gap="2" gridTemplateColumns="minmax(0, 1fr)">
      {block}
      <chakra.p fontSize="sm" color="fg.muted" overflowWrap="anywhere">
        {children}
      </chakra.p>
    </chakra.div>
  );
}

function Command({ children }: { readonly children: ReactNode }) {
  return (
    <chakra.code htmlTranslate="no" fontFamily="mono" color="fg">
      {children}
    </chakra.code>
  );
}
