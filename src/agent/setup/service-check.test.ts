import { expect, test } from "vitest";
import { ProcessError } from "../../system/processes.ts";
import { processResult } from "../fixtures/process-result.ts";
import { checkService, restartUnit } from "./service-check.ts";

/** What `systemctl show` prints of the agent in a container that does not let systemd mount. */
const noNamespace = `LoadState=loaded
ActiveState=activating
SubState=auto-restart
UnitFileState=enabled
ActiveEnterTimestamp=
Result=exit-code
ExecMainStatus=226
`;

test("a service without a mount namespace: the sentence names nesting and the drop-in of the guide", async () => {
  const { isRunning, description } = (await checkService(async () => processResult(noNamespace))) ?? {};
  expect(isRunning).toBe(false);
  expect(description).toContain(
    "(status 226/NAMESPACE). In a container, allow nesting, or add the drop-in of ",
  );
  // The last start may have failed so, before the one that runs.
  const running = noNamespace.replace("activating", "active").replace("auto-restart", "running");
  expect(await checkService(async () => processResult(running))).toMatchObject({
    isRunning: true,
    description: expect.stringContaining(" is running since "),
  });
});

const killed = new ProcessError("systemctl timed out after 120 s and was killed");
const refused = processResult(
  "",
  1,
  'Job for bird.service failed because the control process exited with error code.\nSee "systemctl status bird.service".\n',
);

test("every failure of systemctl is a sentence", async () => {
  expect(await checkService(async () => processResult("", 1, "Failed to connect to bus: No data\n"))).toEqual(
    {
      isRunning: false,
      description:
        "systemd does not say whether peerdeck-agent.service is running: Failed to connect to bus: No data",
    },
  );
  expect(await checkService(() => Promise.reject(killed))).toMatchObject({
    isRunning: false,
    description: expect.stringContaining("systemctl timed out after 120 s and was killed."),
  });
  expect(await restartUnit(async () => refused, "bird.service")).toBe(
    "bird.service could not be started: Job for bird.service failed because the control process exited with error code. " +
      "The reason is in: journalctl -u bird.service",
  );
  expect(await restartUnit(() => Promise.reject(killed), "bird.service")).toContain(
    "could not be started: systemctl timed out after 120 s and was killed. The reason",
  );
  expect(await restartUnit(async () => processResult(""), "bird.service")).toBe("Started bird.service.");
  await expect(checkService(() => Promise.reject(new TypeError("a fault")))).rejects.toThrow("a fault");
});
