import { afterAll, beforeAll, expect, test } from "vitest";
import { profileServer } from "../server/profile-server.ts";

const pages = {
  status_page: "https://status.example.net/public?all",
  dashboards: {
    node_cpu: "https://graphs.example.net:3000/cpu?node={node}",
    node_memory: "https://graphs.example.net:3000/memory?node={node}",
    interface: "/graphs/{node}/{asn}",
    total_routes: "",
  },
};

const parts = new AsyncDisposableStack();
/** Servers with pages, with the same pages, and without any. */
let servers: readonly string[];
beforeAll(async () => {
  const profiles: ReadonlyArray<Parameters<typeof profileServer>[0]> = [
    pages,
    pages,
    { looking_glass: "https://lg.example.net/" },
  ];
  servers = await Promise.all(profiles.map(async (facts) => parts.use(await profileServer(facts)).url));
});
afterAll(() => parts.disposeAsync());

test("only the origins of the profile's pages may be embedded, and without pages none", async () => {
  const sources = servers.map(async (url) => {
    const { headers } = await fetch(`${url}/status`);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    return /(?:^|; )frame-src ([^;]*)/.exec(policy)?.[1];
  });
  const ofPages = "https://status.example.net https://graphs.example.net:3000 'self'";
  expect(await Promise.all(sources)).toEqual([ofPages, ofPages, undefined]);
});

test("another policy changes the worker, since workers cache pages with their headers", async () => {
  const workers = servers.map(async (url) => (await fetch(`${url}/sw.js`)).text());
  const [one, same, other] = await Promise.all(workers);
  expect(one).not.toContain("@headers@");
  expect(same).toBe(one);
  expect(other).not.toBe(one);
});
