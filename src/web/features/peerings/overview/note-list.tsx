import { chakra } from "@chakra-ui/react/styled-system";
import type { PeerStatus } from "#contract/lenient.ts";
import type { Finding } from "#domain/findings/findings.ts";
import { type IssueCard, notesOf } from "#domain/findings/status-findings.ts";
import { pathOf } from "#domain/peering/peering-path.ts";
import { FindingText } from "../fix/finding-text.tsx";

/** The notes of a card that the screen shows nowhere else: not that of the sentence at the top, and not that of a new key. */
export function otherNotes(status: PeerStatus, card: IssueCard): readonly Finding[] {
  const first = pathOf(status).finding?.code;
  return notesOf(status, card).filter(({ code }) => code !== first && code !== "node-rekey");
}

export interface NoteListProps {
  readonly username: string;
  readonly node: string;
  readonly notes: readonly Finding[];
}

/** Notes beside a state, styled as one more row below a `KeyValueList`. They have no colour of a state. */
export function NoteList({ notes, ...peering }: NoteListProps) {
  if (notes.length === 0) return null;
  return (
    <chakra.div mt="2" pt="2" borderTopWidth="1px">
      <chakra.h4 color="fg.muted">Notes</chakra.h4>
      <chakra.ul mt="1" display="grid" gap="2" gridTemplateColumns="minmax(0, 1fr)">
        {notes.map((note) => (
          <chakra.li
            key={note.code}
            ps="2.5"
            borderInlineStartWidth="2px"
            borderColor="border.emphasized"
            overflowWrap="anywhere"
          >
            <FindingText finding={note} {...peering} />
          </chakra.li>
        ))}
      </chakra.ul>
    </chakra.div>
  );
}
