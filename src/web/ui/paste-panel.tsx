import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import {
  type PeeringSides,
  participantInterface,
  renderBird,
  renderWireguard,
} from "../../domain/participant-config.ts";
import { CodeBlock } from "./code-block.tsx";
import { Panel } from "./panel.tsx";

/** The participant's half of a peering as files to paste, and what to run then. */
export function PastePanel(sides: PeeringSides) {
  const name = participantInterface(sides.node);
  return (
    <Panel title="To paste on your side">
      <chakra.div display="grid" gap="5" gridTemplateColumns="minmax(0, 1fr)">
        <Part
          block={<CodeBlock title={`WireGuard: /etc/wireguard/${name}.conf`} text={renderWireguard(sides)} />}
        >
          Put your private key in, then run <Command>wg-quick up {name}</Command>. The MTU follows from the
          route to our endpoint; if large packets get lost, set <Command>MTU = 1412</Command> for PPPoE, or
          less.
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

const Command = chakra("code", { base: { fontFamily: "mono", color: "fg" } });
