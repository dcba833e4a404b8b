import type { Row } from "./row.ts";

export const detailedInfoRows = [
  { id: "overview-tab-details", section: 2, says: "tab 2. Detailed Info: raw text output" },
  { id: "details-wireguard", section: 2, says: "raw text output under heading 'Wireguard'" },
  { id: "details-bgp", section: 2, says: "raw text output under heading 'BGP'" },
  { id: "call-details", section: 7, says: "POST /api/getPeerDetails {username, node}" },
  {
    id: "peer-details-keyed",
    section: 3,
    says: "Peer details (keyed by node): wg_details.output, bgp_details.output",
  },
] as const satisfies readonly Row[];
