import { expect, onTestFinished, test } from "vitest";
import { profileServer } from "../server/profile-server.ts";

/** What the policy of a page says that it may embed; undefined where it names nothing. */
async function frameSources(facts: Parameters<typeof profileServer>[0]): Promise<string | undefined> {
  const server = await profileServer(facts);
  onTestFinished(() => server[Symbol.asyncDispose]());
  const { headers } = await fetch(`${server.url}/status`);
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  return /(?:^|; )frame-src ([^;]*)/.exec(policy)?.[1];
}

test("nothing may be embedded where the profile names no page", async () => {
  expect(await frameSources({ looking_glass: "https://lg.example.net/" })).toBeUndefined();
});

test("the pages of the profile may be embedded, and nothing else", async () => {
  const sources = await frameSources({
    status_page: "https://status.example.net/public?all",
    dashboards: {
      node_cpu: "https://graphs.example.net:3000/cpu?node={node}",
      node_memory: "https://graphs.example.net:3000/memory?node={node}",
      interface: "/graphs/{node}/{asn}",
      total_routes: "",
    },
  });
  expect(sources).toBe("https://status.example.net https://graphs.example.net:3000 'self'");
});

/** The service worker's script. */
async function workerOf(facts: Parameters<typeof profileServer>[0]): Promise<string> {
  const server = await profileServer(facts);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return (await fetch(`${server.url}/sw.js`)).text();
}

test("a page with another policy comes with another worker, since workers keep pages with their headers", async () => {
  const status = { status_page: "https://status.example.net/" };
  const [one, same, other] = await Promise.all([
    workerOf(status),
    workerOf(status),
    workerOf({ status_page: "" }),
  ]);
  expect(one).not.toContain("@headers@");
  expect(same).toBe(one);
  expect(other).not.toBe(one);
});
