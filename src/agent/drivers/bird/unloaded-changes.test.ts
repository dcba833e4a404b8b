import { expect, test } from "vitest";
import { replyOf } from "../../fixtures/fake-bird.ts";
import { silentLog } from "../../fixtures/silent-log.ts";
import { createUnloadedChanges } from "./unloaded-changes.ts";

test("the file that BIRD was started with is asked for once, though the printed times vary", async () => {
  const startedAt = Date.parse("2026-11-24T02:15:11.498Z");
  const commands: string[] = [];
  const changes = createUnloadedChanges({
    bird: async (command) => {
      commands.push(command);
      const started = printTime(startedAt + (commands.length % 3));
      return command === "show status"
        ? replyOf(
            "1000-BIRD 2.0.12",
            "1011-Router ID is 172.20.0.1",
            " Hostname is syd01",
            ` Current server time is ${printTime(Date.now())}`,
            ` Last reboot on ${started}`,
            ` Last reconfiguration on ${started}`,
            "0013 Daemon is up and running",
          )
        : replyOf("0002-Reading configuration from /nowhere/bird.conf", "0020 Configuration OK");
    },
    ownFolders: [],
    mayLoad: false,
    log: silentLog,
  });
  for (const _ of Array(4)) expect(await changes.find()).toBeNull();
  expect(commands.filter((command) => command === "configure check")).toHaveLength(1);
});

const printTime = (at: number) => new Date(at).toISOString().replace("T", " ").replace("Z", "");
