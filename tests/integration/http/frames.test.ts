import { expect, onTestFinished, test } from "vitest";
import { profileServer } from "../server/profile-server.ts";

/** Returns the frame sources in a page's policy; undefined without any. */
async function frameSources(facts: Parameters<typeof profileServer>[0]): Promise<string | undefined> {
  const server = await profileServer(facts);
  onTestFinished(() => server[Symbol.asyncDispose]());
  const { headers } = await fetch(`${server.url}/status`);
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  return /(?:^|; )frame-src ([^;]*)/.exec(policy)?.[1];
}

test("a profile without pages allows no frames", async () => {
  expect(await frameSources({ looking_glass: "https://lg.example.net/" })).toBeUndefined();
});

test("only the origins of the profile's pages may be embedded", async () => {
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

/** Returns the service worker's script. */
async function fetchWorker(facts: Parameters<typeof profileServer>[0]): Promise<string> {
  const server = await profileServer(facts);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return (await fetch(`${server.url}/sw.js`)).text();
}

test("another policy changes the worker, since workers cache pages with their headers", async () => {
  const status = { status_page: "https://status.example.net/" };
  const [one, same, other] = await Promise.all([
    fetchWorker(status),
    fetchWorker(status),
    fetchWorker({ status_page: "" }),
  ]);
  expect(one).not.toContain("@headers@");
  expect(same).toBe(one);
  expect(other).not.toBe(one);
});
