import type { Row } from "./row.ts";

/** From Submit or Yes to the end of a deployment. */
export const deploymentRows = [
  {
    id: "deploy-waiting",
    section: 4,
    says: "starts 'waiting' with a loader and 'Deploying config, please wait... this could take a couple of minutes...'",
  },
  { id: "deploy-task-id", section: 4, says: "the task ID" },
  { id: "deploy-status", section: 4, says: "status" },
  { id: "deploy-quip", section: 4, says: "quip" },
  {
    id: "deploy-poll",
    section: 4,
    says: "The task is polled every 5 seconds.",
    reading: "And once after the first second, by which time many are done.",
  },
  { id: "deploy-poll-interval", section: 9, says: "Task poll interval 5000 ms" },
  { id: "deploy-poll-timeout", section: 9, says: "poll request timeout 10000 ms" },
  { id: "deploy-poll-failed", section: 4, says: "A poll that fails is ignored and polling continues." },
  {
    id: "deploy-screen",
    section: 2,
    says: "Deployment screen: shows progress, then success or failure (section 4).",
  },
  { id: "deploy-success", section: 4, says: "'success' ends with success" },
  {
    id: "deploy-success-config",
    section: 4,
    says: "for non-delete types the peer config and node config are then loaded and displayed",
  },
  { id: "deploy-failed", section: 4, says: "'failed' ends with failure" },
  { id: "deploy-error", section: 4, says: "'error' ends with failure" },
  { id: "deploy-edit", section: 4, says: "edit ends as new does" },
  { id: "deploy-poll-ends", section: 4, says: "ends with success: the polling too" },
  {
    id: "delete-poll-error",
    section: 4,
    says: "for delete, polling stops only on 'success' or 'failed'",
  },
  {
    id: "submit-refused",
    section: 4,
    says: "A submit call returning non-200 shows failure at once, with task ID 'unknown' ('Unknown' in one view).",
    reading:
      "unknown. A value that is refused (422) is said at its field, and a change meanwhile (409) asks whose counts.",
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
    reading: "A button that leads back to the filled form, while it is at hand.",
  },
  { id: "failure-cause-host", section: 8, says: "a hostname that does not resolve to an IP address" },
  {
    id: "failure-contact",
    section: 8,
    says: "then 'Please contact {provider} support for further assistance.'",
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
  {
    id: "task-response",
    section: 3,
    says: "Task response: status, taskID, quip (a humorous waiting message).",
  },
  { id: "update-answer", section: 7, says: "updatePeerConfig: 200 with status, taskID, quip" },
  { id: "delete-answer", section: 7, says: "deletePeer: 200 with status, taskID, quip" },
  { id: "task-answer", section: 7, says: "getTaskStatus: status, quip" },
  { id: "task-timeout", section: 7, says: "getTaskStatus: 10 s timeout" },
] as const satisfies readonly Row[];
