import type { Rows } from "./row.ts";

/** How a deployment, or the attempt to start one, ends on the screen. */
export const deploymentResultRows = {
  4: {
    "submit-refused":
      "A submit call returning non-200 or failing shows failure at once, with task ID 'unknown' ('Unknown' in one view). (Reading: unknown. A rejected value (422) is shown at its field; after a concurrent change (409 with a message) the participant chooses a version.)",
    "submit-refused-value":
      "A submit call returning non-200: a refused value (Reading: It leads back to the field with the server's reason, and keeps what was entered.)",
    "delete-refused": "A delete call returning non-200 or failing shows failure at once, task ID 'unknown'",
    "success-facts":
      "Success view after update: 'Success!', 'Here is the config for your side:' with IP/port, tunnel IPv4, tunnel IPv6, public key, ASN, advice that it stays available later under Edit Config",
    "delete-success":
      "Delete success: 'You have successfully deleted the peering on this node.'; Close returns to /.",
    "delete-failure":
      "Delete failure: 'Failed to delete the peering. Please try again or contact support.'; Close returns to /.",
  },
  8: {
    "failure-review":
      "review and redeploy (Reading: A button that leads back to the filled form, as long as the form exists.)",
    "failure-contact":
      "then 'Please contact {provider} support for further assistance.' (Reading: With a link to Contact, whose message then contains the task ID.)",
    "failure-view":
      "Failure view after update, and deployment failure (edit): 'Failed', the task ID; possible causes: the node might be offline or having issues (check the status page); an issue with the configuration being deployed (review and redeploy); a hostname that does not resolve to an IP address; contact advice, and a Back to home button",
  },
} as const satisfies Rows;
