import { useCallback, useState } from "react";
import type { PeerStatus } from "#contract/lenient.ts";
import { pathOf } from "#domain/peering/peering-path.ts";
import { hasFix } from "../../fix/fix-toggle.tsx";

export interface OpenRows {
  /** The nodes whose rows are open. */
  readonly openRows: ReadonlySet<string>;
  readonly toggleRow: (node: string) => void;
}

const none: ReadonlySet<string> = new Set();

/**
 * The rows that show what to do. Several can be open: a row that closed by itself would move the one that the reader has
 * pressed. One with nothing more to say closes, and does not open by itself when it has something to say again.
 */
export function useOpenRows(peerings: readonly PeerStatus[]): OpenRows {
  const [chosen, setChosen] = useState(none);
  const open = peerings.filter((status) => chosen.has(status.node) && hasFix(pathOf(status).finding));
  if (open.length < chosen.size) setChosen(new Set(open.map(({ node }) => node)));
  const toggleRow = useCallback((node: string) => {
    setChosen((last) => {
      const next = new Set(last);
      if (!next.delete(node)) next.add(node);
      return next;
    });
  }, []);
  return { openRows: chosen, toggleRow };
}
