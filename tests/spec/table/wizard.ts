import type { Row } from "./row.ts";

/** The wizard: its routes, its steps and their questions. */
export const wizardRows = [
  {
    id: "wizard-type",
    section: 2,
    says: "Type new, edit or delete; any other value redirects to /not-found.",
  },
  { id: "wizard-type-error", section: 8, says: "Invalid wizard type: redirect to /not-found." },
  { id: "wizard-edit-node", section: 2, says: "Edit takes the node from query parameter node." },
  { id: "wizard-delete-node", section: 2, says: "Delete takes the node from query parameter node." },
  {
    id: "wizard-no-node",
    section: 2,
    says: "Edit and delete take the node from query parameter node: without one",
    reading: "Without a node, and on a node without a peering, there is nothing to edit: /not-found.",
  },
  {
    id: "wizard-steps-new",
    section: 2,
    says: "Steps: selectNode (new only), selectBGPDetails, enterDetails, confirmDetails, awaitingDeployment",
  },
  { id: "wizard-new-start", section: 2, says: "New starts at selectNode" },
  {
    id: "wizard-edit-start",
    section: 2,
    says: "edit starts at selectBGPDetails with the node preset",
  },
  { id: "wizard-edit-back", section: 2, says: "edit: Back hidden on that first step" },
  { id: "wizard-delete-step", section: 2, says: "delete has a confirmation step" },
  {
    id: "node-buttons",
    section: 2,
    says: "selectNode: a button per node from the node list, shown as the node name plus the domain suffix",
  },
  { id: "node-peered", section: 2, says: "Nodes already peered are disabled." },
  {
    id: "node-text",
    section: 2,
    says: "Text: only one peering per provider node is possible at the moment.",
  },
  { id: "node-required", section: 5, says: "Node step: Next requires a chosen node" },
  {
    id: "node-one-peering",
    section: 5,
    says: "already-peered nodes cannot be chosen (one peering per node)",
  },
  { id: "node-one-peering-limit", section: 9, says: "One peering per node." },
  { id: "node-list-entry", section: 3, says: "Node list entry: name. Peered nodes: list of node names." },
  { id: "family-choices", section: 2, says: "selectBGPDetails: address family (IPv4, IPv6, Both)" },
  {
    id: "family-extnh",
    section: 2,
    says: "If Both: 'Do you want to use BGP Extended Nexthop?' Yes/No.",
  },
  {
    id: "family-custom",
    section: 2,
    says: "If IPv6 or Both: whether to specify a custom provider-side tunnel IPv6 ('If you select No, we will create one for you.')",
  },
  {
    id: "family-custom-yes",
    section: 2,
    says: "Yes reveals an input 'Enter the IPv6 address (link-local preferred):'",
  },
  {
    id: "family-required",
    section: 5,
    says: "Family step: Next is disabled when no family is chosen",
    reading:
      "A new peering starts with Both, extended nexthop Yes and custom IPv6 No. Next is disabled for a form without a choice, such as an earlier draft.",
  },
  {
    id: "family-required-extnh",
    section: 5,
    says: "Next is disabled when Both is chosen without an extended nexthop answer (one reading: unless the custom-IPv6 choice is Yes)",
    reading: "Next stays disabled while Both has no answer, whatever the custom-IPv6 choice is.",
  },
  {
    id: "family-custom-invalid",
    section: 5,
    says: "local_ipv6: valid IPv6 form; optional",
    reading: "Next stays disabled while the custom address is invalid.",
  },
  {
    id: "details-always",
    section: 2,
    says: "enterDetails fields: public IP/hostname, port, public key always",
  },
  { id: "details-ipv4", section: 2, says: "IPv4 tunnel address when family is IPv4" },
  { id: "details-both-no", section: 2, says: "IPv4 tunnel address when Both without extended nexthop" },
  { id: "details-both-yes", section: 2, says: "IPv6 tunnel address when Both" },
  { id: "details-ipv6", section: 2, says: "IPv6 tunnel address when IPv6" },
  { id: "confirm-entries", section: 2, says: "confirmDetails: lists all entries with a Submit button" },
  { id: "confirm-missing", section: 2, says: "missing optional values show '[not provided]'" },
  { id: "wizard-cancel", section: 2, says: "Cancel (returns to /manager)" },
  { id: "wizard-cancel-hidden", section: 2, says: "Cancel: hidden while deploying" },
  { id: "wizard-buttons", section: 2, says: "Buttons: Cancel, Back, Next, Submit." },
  {
    id: "delete-question",
    section: 2,
    says: "Delete step: 'Are you sure you want to delete the peering?' Yes / No",
  },
  { id: "delete-no", section: 2, says: "No returns to /manager" },
  { id: "delete-check", section: 8, says: "failed deletion check: redirect to /not-found" },
  {
    id: "fetch-failed-nodes",
    section: 8,
    says: "Fetch failures for lists: only logged, no user message: the nodes of the wizard.",
    reading: "A message in the step offers to retry.",
  },
] as const satisfies readonly Row[];
