/** The token of a mailed link, used once in a browser: where it must not be found. */
import type { Page } from "playwright";
import { expect, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { createLog } from "../../src/server/log.ts";
import { caller, mailedToken } from "../integration/server/participant.ts";
import { useDemo } from "./demo-scene.ts";
import { waitForWorker } from "./installed-device.ts";
import { openPage } from "./open-page.ts";
import { findInStorage } from "./storage-dump.ts";

const log: string[] = [];
const demo = useDemo({ log: createLog("trace", { write: (line) => void log.push(line) }) });

/** Every request of a page, with its address and headers, except the one that opens the link. */
function recordRequests(page: Page): readonly string[] {
  const recorded: string[] = [];
  page.on("request", (request) => {
    if (request.isNavigationRequest() && request.url().includes("token=")) return;
    void request
      .allHeaders()
      .then((headers) => recorded.push(`${request.method()} ${request.url()} ${JSON.stringify(headers)}`))
      .catch(() => undefined);
  });
  return recorded;
}

const isFormShown = (page: Page) => page.getByLabel("Confirm password").waitFor();

test.each([
  { what: "from the server", asn: "4242420003", worker: false },
  { what: "from the service worker", asn: "4242420006", worker: true },
])(
  "a page that comes $what keeps the token of its link out of the address, requests, storage and logs",
  async ({ asn, worker }) => {
    await caller(demo.url)(calls.sendEmailVerification, { asn });
    const token = await mailedToken(demo.url);
    const page = await openPage(demo.url, { worker, ownTab: true });
    if (worker) {
      await page.goto("/login");
      await waitForWorker(page);
    }
    const requests = recordRequests(page);
    const link = `/setPassword?purpose=registration&token=${token}#form`;
    const opened = await page.goto(link);
    expect(opened?.headers()["referrer-policy"]).toBe("no-referrer");
    await isFormShown(page);
    const address = `${demo.url}/setPassword?purpose=registration#form`;
    expect(page.url()).toBe(address);
    expect(await findInStorage(page, [token])).toEqual([`${token}: sessionStorage`]);

    // An address without a token is a bad link, also in a tab that has a good one.
    await page.goto("/setPassword");
    await page.getByText("Bad URL.").waitFor();
    await page.reload();
    await page.getByText("Bad URL.").waitFor();
    expect(await page.getByLabel("Confirm password").count()).toBe(0);
    await page.goto(link);
    await isFormShown(page);
    await page.reload();
    await isFormShown(page);
    expect(page.url()).toBe(address);
    await page.getByLabel("Password", { exact: true }).fill("a sentence for the tests");
    await page.getByLabel("Confirm password").fill("a sentence for the tests");
    await page.locator("button[type=submit]").click();
    await page.getByText("Success!").waitFor();
    expect(await findInStorage(page, [token])).toEqual([]);
    await page.getByRole("link", { name: "Back to login" }).click();
    await page.getByLabel("ASN").waitFor();

    await page.goto("/setPassword");
    await page.getByText("Bad URL.").waitFor();
    expect(requests.length).toBeGreaterThan(3);
    expect(requests.filter((request) => request.includes(token))).toEqual([]);
    expect(log.join("\n")).toContain('"/api/setPassword');
    expect(log.join("\n")).not.toContain(token);
  },
);
