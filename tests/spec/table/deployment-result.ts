import type { Row } from "./row.ts";

/** How a deployment, or the attempt to start one, ends on the screen. */
export const deploymentResultRows = [
  {
    id: "submit-refused",
    section: 4,
    says: "A submit call returning non-200 shows failure at once, with task ID 'unknown' ('Unknown' in one view).",
    reading:
      "unknown. A rejected value (422) is shown at its field; after a concurrent change (409) the participant chooses a version.",
  },
  {
    id: "submit-no-answer",
    section: 4,
    says: "A submit call failing shows failure at once, with task ID 'unknown'",
  },
  {
    id: "submit-refused-value",
    section: 4,
    says: "A submit call returning non-200: a refused value",
    reading: "It leads back to the field with the server's reason, and keeps what was entered.",
  },
  {
    id: "delete-refused",
    section: 4,
    says: "A delete call returning non-200 shows failure at once, task ID 'unknown'",
  },
  {
    id: "delete-no-answer",
    section: 4,
    says: "A delete call failing shows failure at once, task ID 'unknown'",
  },
  {
    id: "success-heading",
    section: 4,
    says: "Success view after update: 'Success!', 'Here is the config for your side:'",
  },
  {
    id: "success-facts",
    section: 4,
    says: "with IP/port, tunnel IPv4, tunnel IPv6, public key, ASN",
  },
  { id: "success-advice", section: 4, says: "advice that it stays available later under Edit Config" },
  { id: "failure-heading", section: 4, says: "Failure view after update: 'Failed', the task ID" },
  {
    id: "failure-cause-node",
    section: 8,
    says: "possible causes: the node might be offline or having issues (check the status page)",
  },
  {
    id: "failure-cause-config",
    section: 8,
    says: "an issue with the configuration being deployed (review and redeploy)",
  },
  {
    id: "failure-status-link",
    section: 8,
    says: "check the status page",
    reading: "A link to /status.",
  },
  {
    id: "failure-review",
    section: 8,
    says: "review and redeploy",
    reading: "A button that leads back to the filled form, as long as the form exists.",
  },
  { id: "failure-cause-host", section: 8, says: "a hostname that does not resolve to an IP address" },
  {
    id: "failure-contact",
    section: 8,
    says: "then 'Please contact {provider} support for further assistance.'",
    reading: "With a link to Contact, whose message then contains the task ID.",
  },
  { id: "failure-home", section: 8, says: "and a Back to home button" },
  {
    id: "failure-view-home",
    section: 4,
    says: "Failure view after update: possible causes, contact advice, and a Back to home button",
  },
  { id: "failure-edit", section: 8, says: "Deployment failure (edit): the same" },
  { id: "failure-unknown", section: 8, says: "heading 'Failed', task ID or 'unknown'" },
  {
    id: "delete-success",
    section: 4,
    says: "Delete success: 'You have successfully deleted the peering on this node.'",
  },
  {
    id: "delete-failure",
    section: 4,
    says: "Delete failure: 'Failed to delete the peering. Please try again or contact support.'",
  },
  { id: "delete-close", section: 4, says: "Close after delete returns to /." },
  { id: "delete-close-failed", section: 4, says: "Close after delete returns to /: after a failure too" },
] as const satisfies readonly Row[];
