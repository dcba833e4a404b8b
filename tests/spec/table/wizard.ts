import type { Rows } from "./row.ts";

/** The wizard: its routes, its steps and their questions. */
export const wizardRows = {
  2: {
    "wizard-type": "Type new, edit or delete; any other value redirects to /not-found.",
    "wizard-no-node":
      "Edit and delete take the node from query parameter node: without one (Reading: Without a node, and on a node without a peering, there is nothing to edit: /not-found.)",
    "wizard-steps-new":
      "Steps: selectNode (new only), selectBGPDetails, enterDetails, confirmDetails, awaitingDeployment; Cancel: hidden while deploying",
    "wizard-new-start":
      "New starts at selectNode. Text: only one peering per provider node is possible at the moment. Next requires a chosen node; Buttons: Cancel, Next",
    "wizard-edit-start":
      "Edit takes the node from query parameter node; edit starts at selectBGPDetails with the node preset; Back hidden on that first step",
    "node-buttons":
      "selectNode: a button per node from the node list, shown as the node name plus the domain suffix. Node list entry: name. Peered nodes: list of node names.",
    "node-peered":
      "Nodes already peered are disabled: already-peered nodes cannot be chosen (one peering per node)",
    "family-choices":
      "selectBGPDetails: address family (IPv4, IPv6, Both). If Both: 'Do you want to use BGP Extended Nexthop?' Yes/No. If IPv6 or Both: whether to specify a custom provider-side tunnel IPv6 ('If you select No, we will create one for you.'), Yes reveals an input 'Enter the IPv6 address (link-local preferred):', optional, of valid IPv6 form",
    "details-fields":
      "enterDetails fields: public IP/hostname, port, public key always; IPv4 tunnel address when family is IPv4 or Both without extended nexthop; IPv6 tunnel address when IPv6 or Both",
    "confirm-entries":
      "confirmDetails: lists all entries with a Submit button; missing optional values show '[not provided]'; Buttons: Cancel, Back, Submit; Cancel (returns to /manager)",
    "delete-question":
      "Delete takes the node from query parameter node; delete has a confirmation step: 'Are you sure you want to delete the peering?' Yes / No; No returns to /manager",
  },
  5: {
    "family-required":
      "Family step: Next is disabled when no family is chosen, or when Both is chosen without an extended nexthop answer (one reading: unless the custom-IPv6 choice is Yes) (Reading: A new peering starts with Both, extended nexthop Yes and custom IPv6 No. Next is disabled for a form without a choice, such as an earlier draft, and while Both has no answer, whatever the custom-IPv6 choice is.)",
  },
  8: {
    "delete-check": "failed deletion check: redirect to /not-found",
  },
} as const satisfies Rows;
