import type { Rows } from "./row.ts";

/** A deployment that is running: its screen, its polls and the calls about it. */
export const deploymentRows = {
  2: {
    "deploy-screen":
      "Deployment screen: shows progress, then success or failure (section 4); ends with success: the polling too; for non-delete types the peer config and node config are then loaded and displayed",
  },
  3: {
    "deploy-status-unknown":
      "Task response: status (Reading: Another word than the four counts as waiting and is shown as it is.)",
    "task-response":
      "Task response: status, taskID, quip (a humorous waiting message). updatePeerConfig: 200 with status, taskID, quip",
  },
  4: {
    "deploy-facts":
      "starts 'waiting' with a loader and 'Deploying config, please wait... this could take a couple of minutes...', the task ID, status, quip; getTaskStatus: status, quip",
    "deploy-poll":
      "The task is polled every 5 seconds. Task poll interval 5000 ms (Reading: The first poll at once.)",
    "deploy-poll-failed":
      "A poll that fails is ignored and polling continues. (Reading: Any failure, 404 included, also of the first poll; one every 5 s, also while an earlier one hangs.)",
    "deploy-ends":
      "'success' ends with success, 'failed' and 'error' end with failure; edit ends as new does",
    "delete-poll-error": "for delete, polling stops only on 'success' or 'failed'",
  },
  7: {
    "delete-answer": "deletePeer: 200 with status, taskID, quip; Yes moves to awaitingDeployment",
  },
  9: {
    "deploy-poll-timeout": "poll request timeout 10000 ms; getTaskStatus: 10 s timeout",
  },
} as const satisfies Rows;
