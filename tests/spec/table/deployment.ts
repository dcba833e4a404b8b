import type { Rows } from "./row.ts";

/** A deployment that is running: its screen, its polls and the calls about it. */
export const deploymentRows = {
  "deploy-facts": {
    section: 4,
    says: "starts 'waiting' with a loader and 'Deploying config, please wait... this could take a couple of minutes...', the task ID, status, quip; getTaskStatus: status, quip",
  },
  "deploy-poll": {
    section: 4,
    says: "The task is polled every 5 seconds. Task poll interval 5000 ms",
    reading: "The first poll at once.",
  },
  "deploy-poll-timeout": {
    section: 9,
    says: "poll request timeout 10000 ms; getTaskStatus: 10 s timeout",
  },
  "deploy-poll-failed": {
    section: 4,
    says: "A poll that fails is ignored and polling continues.",
    reading:
      "Any failure, 404 included, also of the first poll; one every 5 s, also while an earlier one hangs.",
  },
  "deploy-status-unknown": {
    section: 3,
    says: "Task response: status",
    reading: "Another word than the four counts as waiting and is shown as it is.",
  },
  "deploy-screen": {
    section: 2,
    says: "Deployment screen: shows progress, then success or failure (section 4); ends with success: the polling too; for non-delete types the peer config and node config are then loaded and displayed",
  },
  "deploy-ends": {
    section: 4,
    says: "'success' ends with success, 'failed' and 'error' end with failure; edit ends as new does",
  },
  "delete-poll-error": {
    section: 4,
    says: "for delete, polling stops only on 'success' or 'failed'",
  },
  "task-response": {
    section: 3,
    says: "Task response: status, taskID, quip (a humorous waiting message). updatePeerConfig: 200 with status, taskID, quip",
  },
  "delete-answer": {
    section: 7,
    says: "deletePeer: 200 with status, taskID, quip; Yes moves to awaitingDeployment",
  },
} as const satisfies Rows;
