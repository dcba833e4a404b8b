import { chakra } from "@chakra-ui/react/styled-system";
import { useQueries } from "@tanstack/react-query";
import { explainFinding, type Finding, participantFix } from "#domain/findings/findings.ts";
import { allowedIpsLines } from "./allowed-ips.ts";
import { CodeBlock } from "#web/ui/text/code-block.tsx";
import { nodeConfigQuery, peerConfigQuery } from "../queries.ts";

export interface NoteListProps {
  readonly username: string;
  readonly node: string;
  readonly notes: readonly Finding[];
}

/** Notes beside a state, styled as one more row below a `KeyValueList`. They have no colour of a state. */
export function NoteList({ username, node, notes }: NoteListProps) {
  if (notes.length === 0) return null;
  return (
    <chakra.div mt="2" pt="2" borderTopWidth="1px">
      <chakra.h4 color="fg.muted">Notes</chakra.h4>
      <chakra.ul mt="1" display="grid" gap="2" gridTemplateColumns="minmax(0, 1fr)">
        {notes.map((note) => {
          const text = explainFinding(note);
          return (
            <chakra.li
              key={text}
              ps="2.5"
              borderInlineStartWidth="2px"
              borderColor="border.emphasized"
              overflowWrap="anywhere"
            >
              {text} <chakra.span color="fg.muted">{participantFix(note)}</chakra.span>
              {note.code === "way-blocked" && <AllowedIpsLines username={username} node={node} />}
            </chakra.li>
          );
        })}
      </chakra.ul>
    </chakra.div>
  );
}

/** The line to change on the participant's router, for each system. Its values come with the configuration. */
function AllowedIpsLines({ username, node }: Omit<NoteListProps, "notes">) {
  const [peer, provider] = useQueries({
    queries: [peerConfigQuery(username, node), nodeConfigQuery(username, node)],
  });
  if (!peer.data || !provider.data) return null;
  const lines = allowedIpsLines({
    node,
    providerAsn: peer.data.local_asn,
    nodeKey: provider.data.public_key,
  });
  return (
    <chakra.details mt="1.5">
      <chakra.summary cursor="pointer" width="fit-content" py="0.5" fontWeight="medium">
        The line for your system
      </chakra.summary>
      <chakra.div display="grid" gap="2.5" gridTemplateColumns="minmax(0, 1fr)" mt="2">
        {lines.map(({ system, place, text }) => (
          <CodeBlock key={system} title={`${system}: ${place}`} text={text} />
        ))}
      </chakra.div>
    </chakra.details>
  );
}
