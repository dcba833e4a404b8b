import type { Page } from "playwright";
import { expect } from "vitest";
import type { Task } from "../../src/contract/entities.ts";
import { addPeering } from "../../src/mocks/samples.ts";
import { submit } from "../e2e/wizard.ts";
import type { Backend } from "./answering-server.ts";
import { type RowTest, type RowVisit, testRows } from "./rows.ts";
import { arrivedAt, button, facts, heading, link, seen, text } from "./seeing.ts";
import { deploymentRows } from "./table/deployment.ts";
import { openConfirm } from "./wizard-steps.ts";

const deploying = "Deploying config, please wait... this could take a couple of minutes...";
const waiting: Task = {
  status: "waiting",
  taskID: "t-1",
  quip: "Teaching the packets the way …",
  node: "syd01",
  kind: "deploy",
  steps: [],
  reason: "",
};

type Type = "new" | "edit" | "delete";

/** Opens the screen of a task that stands so. */
async function openTask({ page, backend }: RowVisit, status: Task["status"], type: Type = "new") {
  if (backend.state.peerings.length === 0) addPeering(backend.state);
  backend.reply("getTaskStatus", { ...waiting, status });
  await page.goto(`/manager/updatepeer/${type}?node=syd01&step=awaitingDeployment&task=t-1`);
}

const polls = (backend: Backend) => backend.received("getTaskStatus").length;

/** What the page's own clock said, in milliseconds. */
interface Timed {
  /** When each poll began. */
  readonly polls: number[];
  /** When those began that were given up, and how long each took until then. */
  readonly givenUp: Array<readonly [start: number, took: number]>;
  /** How many have no answer yet. */
  underWay: number;
}

/** Opens a waiting task with the page's clock stopped: from here on time passes only in `letPass`. */
async function openStopped(visit: RowVisit, type: Type = "new"): Promise<void> {
  const { page } = visit;
  await page.addInitScript(() => {
    const timed: Timed = { polls: [], givenUp: [], underWay: 0 };
    const ask = globalThis.fetch;
    // The browser's own limit runs on a clock that cannot be stopped.
    AbortSignal.timeout = (milliseconds) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(new DOMException("The time is up.", "TimeoutError")), milliseconds);
      return controller.signal;
    };
    globalThis.fetch = async (input, init) => {
      const start = Date.now();
      if (!(input instanceof URL) || input.pathname !== "/api/getTaskStatus/") return ask(input, init);
      timed.polls.push(start);
      init?.signal?.addEventListener("abort", () => timed.givenUp.push([start, Date.now() - start]));
      timed.underWay += 1;
      try {
        const answer = await ask(input, init);
        await answer.clone().arrayBuffer();
        return answer;
      } finally {
        timed.underWay -= 1;
      }
    };
    Object.assign(globalThis, { timed });
  });
  await page.clock.install();
  await openTask(visit, "waiting", type);
  await seen(text(page, deploying), text(page, "waiting"));
  // One that the screen asked, and the first of those that watch it: their part of the app is loaded by then.
  await expect.poll(() => polls(visit.backend)).toBeGreaterThan(1);
  await answered(page);
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 200);
}

const timed = (page: Page) => page.evaluate(() => (globalThis as unknown as { readonly timed: Timed }).timed);

async function answered(page: Page): Promise<void> {
  while ((await timed(page)).underWay > 0);
}

/** Lets time pass in steps. Answers take none of it, however slow the machine is; where they hang, it goes on. */
async function letPass(page: Page, milliseconds: number, answers: "come" | "hang" = "come"): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 100) {
    await page.clock.runFor(100);
    if (answers === "come") await answered(page);
  }
}

/** From 5 s on, and less than a step more; what was asked while the clock still ran does not count. */
async function pollsEveryFiveSeconds(page: Page): Promise<void> {
  await letPass(page, 22_000);
  const times = (await timed(page)).polls.slice(2);
  const distances = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(distances.length).toBeGreaterThanOrEqual(3);
  expect(distances.filter((distance) => distance < 5000 || distance > 5500)).toEqual([]);
}

const endsAs =
  (status: Task["status"], type: Type, title: string): RowTest =>
  async (visit) => {
    await openTask(visit, status, type);
    await seen(heading(visit.page, title));
  };

async function showsUnknownFailure(page: Page): Promise<void> {
  await seen(heading(page, "Failed"));
  expect(await facts(page.getByRole("main"))).toEqual({ "Task ID": "unknown" });
}

async function submitUnder({ page }: RowVisit, happens: () => void): Promise<void> {
  await openConfirm(page);
  happens();
  await submit(page);
}

async function showsDeletionFailure(page: Page): Promise<void> {
  await showsUnknownFailure(page);
  await seen(text(page, "Failed to delete the peering. Please try again or contact support."));
}

async function deleteUnder({ page, backend }: RowVisit, happens: () => void): Promise<void> {
  addPeering(backend.state);
  await page.goto("/manager/updatepeer/delete?node=syd01");
  happens();
  await button(page, "Yes").click();
}

const causes = [
  "The node might be offline or having issues (check the status page).",
  "There is an issue with the configuration being deployed (review and redeploy).",
  "The hostname does not resolve to an IP address.",
] as const;

const namesCause =
  (cause: string): RowTest =>
  async (visit) => {
    await openTask(visit, "failed");
    await seen(heading(visit.page, "Possible causes"));
    await seen(visit.page.getByRole("listitem").filter({ hasText: cause }));
  };

const showsFailure =
  (type: Type): RowTest =>
  async (visit) => {
    const { page } = visit;
    await openTask(visit, "failed", type);
    await seen(heading(page, "Failed"), heading(page, "Possible causes"), link(page, "Back to home"));
    expect((await facts(page.getByRole("main")))["Task ID"]).toBe("t-1");
    expect(await page.getByRole("main").getByRole("listitem").allTextContents()).toEqual(causes);
    await seen(text(page, "Please contact Example Transit support for further assistance."));
  };

const givesUpAfter10Seconds: RowTest = async (visit) => {
  const { page, backend } = visit;
  await openStopped(visit);
  backend.restore("getTaskStatus");
  backend.state.hanging.push("getTaskStatus");
  const stopped = await page.evaluate(() => Date.now());
  await letPass(page, 16_000, "hang");
  // What began while the clock still ran is not in step with it.
  const givenUp = (await timed(page)).givenUp.filter(([start]) => start > stopped);
  expect(givenUp.map(([, took]) => took)).toEqual([10_000]);
};

const showsAnswerOfUpdate: RowTest = async ({ page, backend }) => {
  await openConfirm(page);
  backend.reply("updatePeerConfig", { ...waiting, taskID: "t-2", quip: "First quip" });
  backend.state.hanging.push("getTaskStatus");
  await submit(page);
  await seen(text(page, "First quip"));
  expect(await facts(page.getByRole("main"))).toEqual({ "Task ID": "t-2", Status: "waiting" });
};

testRows(
  deploymentRows,
  {
    "deploy-waiting": async (visit) => {
      await openTask(visit, "waiting");
      const loader = visit.page.getByRole("status").filter({ hasText: deploying });
      await seen(loader);
      expect(await loader.textContent()).toBe(deploying);
      expect(await loader.evaluate((element) => element.getAnimations({ subtree: true }).length)).toBe(1);
    },
    "deploy-task-id": async (visit) => {
      await openTask(visit, "waiting");
      await expect.poll(async () => (await facts(visit.page.getByRole("main")))["Task ID"]).toBe("t-1");
    },
    "deploy-status": async (visit) => {
      await openTask(visit, "waiting");
      await expect.poll(async () => (await facts(visit.page.getByRole("main")))["Status"]).toBe("waiting");
    },
    "deploy-quip": async (visit) => {
      await openTask(visit, "waiting");
      await seen(text(visit.page, waiting.quip));
    },
    "deploy-poll": async (visit) => {
      await openStopped(visit);
      await pollsEveryFiveSeconds(visit.page);
    },
    "deploy-poll-interval": async (visit) => {
      await openStopped(visit, "delete");
      await pollsEveryFiveSeconds(visit.page);
    },
    "deploy-poll-timeout": givesUpAfter10Seconds,
    "deploy-poll-failed": async (visit) => {
      const { page, backend } = visit;
      await openStopped(visit);
      backend.refuse("getTaskStatus", 500, { message: "The server made a mistake." });
      await letPass(page, 12_000);
      expect(polls(backend)).toBeGreaterThanOrEqual(3);
      await seen(text(page, deploying));
      backend.reply("getTaskStatus", { ...waiting, status: "failed" });
      await letPass(page, 6000);
      await seen(heading(page, "Failed"));
    },
    "deploy-screen": async (visit) => {
      const { page, backend } = visit;
      const steps = ["Handed the peering to syd01.", "BIRD accepted the new configuration."];
      await openStopped(visit);
      backend.reply("getTaskStatus", { ...waiting, steps });
      await letPass(page, 6000);
      await seen(text(page, deploying));
      expect(await page.getByRole("main").getByRole("listitem").allTextContents()).toEqual(steps);
      backend.reply("getTaskStatus", { ...waiting, steps, status: "success" });
      await letPass(page, 6000);
      await seen(heading(page, "Success!"));
      expect(await text(page, deploying).count()).toBe(0);
    },
    "deploy-success": endsAs("success", "new", "Success!"),
    "deploy-success-config": async (visit) => {
      await openTask(visit, "success");
      const config = visit.page.getByRole("region", { name: "Here is the config for your side:" });
      await seen(config);
      expect(visit.backend.received("getPeerConfig")).toHaveLength(1);
      expect(visit.backend.received("getNodeConfig")).toHaveLength(1);
    },
    "deploy-failed": endsAs("failed", "new", "Failed"),
    "deploy-error": endsAs("error", "new", "Failed"),
    "deploy-edit": async (visit) => {
      await endsAs("success", "edit", "Success!")(visit);
      await endsAs("failed", "edit", "Failed")(visit);
      await endsAs("error", "edit", "Failed")(visit);
    },
    "deploy-poll-ends": async (visit) => {
      const { page, backend } = visit;
      await openStopped(visit);
      backend.reply("getTaskStatus", { ...waiting, status: "success" });
      await letPass(page, 6000);
      await seen(heading(page, "Success!"));
      const ended = polls(backend);
      await letPass(page, 11_000);
      expect(polls(backend)).toBe(ended);
    },
    "delete-poll-error": async (visit) => {
      const { page, backend } = visit;
      await openStopped(visit, "delete");
      backend.reply("getTaskStatus", { ...waiting, kind: "delete", status: "error" });
      await letPass(page, 6000);
      await seen(text(page, "error"), text(page, deploying));
      const before = polls(backend);
      await letPass(page, 6000);
      expect(polls(backend)).toBeGreaterThan(before);
      backend.reply("getTaskStatus", { ...waiting, kind: "delete", status: "failed" });
      await letPass(page, 6000);
      await seen(heading(page, "Failed"));
      const ended = polls(backend);
      await letPass(page, 11_000);
      expect(polls(backend)).toBe(ended);
    },
    "submit-refused": async (visit) => {
      await submitUnder(visit, () => visit.backend.state.failing.push("updatePeerConfig"));
      await showsUnknownFailure(visit.page);
    },
    "submit-no-answer": async (visit) => {
      await submitUnder(visit, () => visit.backend.cutOff("updatePeerConfig"));
      await showsUnknownFailure(visit.page);
    },
    "submit-refused-value": async (visit) => {
      await submitUnder(visit, () =>
        visit.backend.refuse("updatePeerConfig", 422, {
          message: "That is a node of ours.",
          field: "remote_ip",
        }),
      );
      await seen(heading(visit.page, "Your details"), text(visit.page, "That is a node of ours."));
      expect(await visit.page.getByLabel("Public IP or hostname").inputValue()).toBe("router.example.org");
    },
    "delete-refused": async (visit) => {
      await deleteUnder(visit, () => visit.backend.state.failing.push("deletePeer"));
      await showsDeletionFailure(visit.page);
    },
    "delete-no-answer": async (visit) => {
      await deleteUnder(visit, () => visit.backend.cutOff("deletePeer"));
      await showsDeletionFailure(visit.page);
    },
    "success-heading": async (visit) => {
      await openTask(visit, "success");
      await seen(heading(visit.page, "Success!"), text(visit.page, "Here is the config for your side:"));
    },
    "success-facts": async (visit) => {
      visit.backend.reply("getNodeConfig", {
        public_ip: "192.0.2.11",
        local_ipv4: "172.20.129.17",
        local_ipv6: "fe80::2227:1",
        public_key: "tRiZIKgR5l0nK9e6Mv0Jt0r1Y3s8WqkQ2n4i6o8u0mI=",
      });
      await openTask(visit, "success");
      const config = visit.page.getByRole("region", { name: "Here is the config for your side:" });
      expect(await facts(config)).toEqual({
        "IP/port": "192.0.2.11:20001",
        "Tunnel IPv4": "172.20.129.17",
        "Tunnel IPv6": "fe80::2227:1",
        "Public key": "tRiZIKgR5l0nK9e6Mv0Jt0r1Y3s8WqkQ2n4i6o8u0mI=",
        ASN: "4242422227",
      });
    },
    "success-advice": async (visit) => {
      await openTask(visit, "success");
      await seen(text(visit.page, "This config stays available later under Edit Config."));
    },
    "failure-heading": async (visit) => {
      await openTask(visit, "failed");
      await seen(heading(visit.page, "Failed"));
      expect((await facts(visit.page.getByRole("main")))["Task ID"]).toBe("t-1");
    },
    "failure-cause-node": namesCause(causes[0]),
    "failure-cause-config": namesCause(causes[1]),
    "failure-cause-host": namesCause(causes[2]),
    "failure-status-link": async (visit) => {
      await openTask(visit, "failed");
      await link(visit.page, "status page").click();
      await arrivedAt(visit.page, "/status");
    },
    "failure-review": async (visit) => {
      await submitUnder(visit, () => visit.backend.state.failing.push("updatePeerConfig"));
      await button(visit.page, "Review and redeploy").click();
      await seen(heading(visit.page, "Confirm your details"));
      expect(await facts(visit.page.getByRole("main"))).toMatchObject({ Port: "51820" });
      visit.backend.state.failing.length = 0;
      await submit(visit.page);
      await seen(text(visit.page, "mock-1"));
    },
    "failure-edit": showsFailure("edit"),
    "failure-view-home": showsFailure("new"),
    "failure-unknown": async (visit) => {
      await submitUnder(visit, () => visit.backend.cutOff("updatePeerConfig"));
      await showsUnknownFailure(visit.page);
    },
    "failure-contact": async (visit) => {
      await openTask(visit, "failed");
      await seen(text(visit.page, "Please contact Example Transit support for further assistance."));
    },
    "failure-home": async (visit) => {
      await openTask(visit, "failed");
      await link(visit.page, "Back to home").click();
      await arrivedAt(visit.page, "/");
    },
    "delete-success": async (visit) => {
      await openTask(visit, "success", "delete");
      await seen(text(visit.page, "You have successfully deleted the peering on this node."));
      expect(visit.backend.received("getPeerConfig")).toEqual([]);
    },
    "delete-failure": async (visit) => {
      await openTask(visit, "failed", "delete");
      await seen(text(visit.page, "Failed to delete the peering. Please try again or contact support."));
    },
    "delete-close": async (visit) => {
      await openTask(visit, "success", "delete");
      await link(visit.page, "Close").click();
      await arrivedAt(visit.page, "/");
    },
    "delete-close-failed": async (visit) => {
      await openTask(visit, "failed", "delete");
      await link(visit.page, "Close").click();
      await arrivedAt(visit.page, "/");
    },
    "task-response": showsAnswerOfUpdate,
    "update-answer": showsAnswerOfUpdate,
    "delete-answer": async (visit) => {
      const { page, backend } = visit;
      const answer = { ...waiting, kind: "delete", taskID: "t-3", quip: "Last quip" };
      await deleteUnder(visit, () => {
        backend.reply("deletePeer", answer);
        backend.state.hanging.push("getTaskStatus");
      });
      await seen(text(page, "Last quip"));
      expect(await facts(page.getByRole("main"))).toEqual({ "Task ID": "t-3", Status: "waiting" });
    },
    "task-answer": async ({ page, backend }) => {
      await openConfirm(page);
      backend.reply("updatePeerConfig", { ...waiting, quip: "First quip" });
      backend.reply("getTaskStatus", { ...waiting, quip: "Second quip" });
      await submit(page);
      await seen(text(page, "Second quip"));
      expect(await text(page, "First quip").count()).toBe(0);
    },
    "task-timeout": givesUpAfter10Seconds,
  },
  {
    signedIn: true,
    ownContext: [
      "deploy-screen",
      "deploy-poll",
      "deploy-poll-interval",
      "deploy-poll-timeout",
      "deploy-poll-failed",
      "deploy-poll-ends",
      "delete-poll-error",
      "task-timeout",
    ],
  },
);
