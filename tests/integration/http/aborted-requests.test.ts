/** Clients that disconnect in the middle of a request are no faults of the server or the agent. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { connect as connectTls } from "node:tls";
import { expect, test, vi } from "vitest";
import { agentProtocol } from "#contract/agent/agent-protocol.ts";
import { createAgentHost } from "../agent/agent-host.ts";
import { createLogReader } from "../provider/program.ts";
import { deployPeering, signUp } from "../server/participant.ts";
import { profileServer } from "../server/profile-server.ts";

const asn = "4242420001";
const ways = ["end", "destroy", "resetAndDestroy"] as const;

test("the server logs no error, and a request with an incomplete body with status 499", async () => {
  await using server = await profileServer({}, { timeScale: 0.1 });
  const participant = await signUp(server.url, asn);
  const { cookie } = participant;
  await deployPeering(participant, "syd01");
  const script = /\/assets\/[^"]+\.js/.exec(await (await fetch(server.url)).text())?.[0] ?? "";
  const { hostname, port } = new URL(server.url);
  const json = `Host: x\r\nCookie: ${cookie}\r\nContent-Type: application/json\r\n`;
  const ping = JSON.stringify({ username: asn, node: "syd01", addr_family: "ipv6" });
  const sending = [
    `POST /api/login/ HTTP/1.1\r\n${json}Content-Length: 1000\r\n\r\n{`,
    `POST /api/login/ HTTP/1.1\r\n${json}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`,
    // Takes 300 ms.
    `POST /api/pingCheck/ HTTP/1.1\r\n${json}Content-Length: ${ping.length}\r\n\r\n${ping}`,
  ];
  // The server reads the second request of a packet when the first one has ended.
  const queued = `GET /api/events HTTP/1.1\r\n${json}\r\n${sending[0]}`;
  const receiving = [
    queued,
    `GET ${script} HTTP/1.1\r\nHost: x\r\n\r\n`,
    `GET /api/events HTTP/1.1\r\n${json}\r\n`,
  ];
  // What @hono/node-server prints does not reach the log.
  const printed = vi.spyOn(console, "error");
  const requests = () => server.log.filter(({ msg }) => msg === "request");
  const before = requests().length;
  for (const text of [...sending, ...receiving]) {
    for (const way of ways) {
      const count = requests().length;
      const socket: Socket = connect(Number(port), hostname).on("error", () => undefined);
      socket.write(text);
      if (receiving.includes(text)) await once(socket, "data");
      // The server has the headers once it can answer another request.
      else await fetch(`${server.url}/readyz`);
      socket[way]();
      await expect.poll(() => requests().length).toBeGreaterThan(count + (receiving.includes(text) ? 0 : 1));
      socket.destroy();
    }
  }
  const logins = requests()
    .slice(before)
    .filter(({ path }) => path === "/api/login/");
  expect(logins.map(({ status }) => status)).toEqual(Array(9).fill(499));
  expect(server.log.filter(({ level }) => Number(level) > 30)).toEqual([]);
  expect(printed).not.toHaveBeenCalled();
});

test("the agent logs no error", async () => {
  await using host = await createAgentHost();
  const child = host.start(await host.configure());
  const { add, end, log, logged } = createLogReader();
  createInterface({ input: child.stdout }).on("line", add);
  child.once("exit", () => end(() => "the agent ended"));
  const { port, fingerprint } = await logged("agent listening");
  const json = `Host: x\r\nContent-Type: application/json\r\nPeerdeck-Protocol: ${agentProtocol}\r\n`;
  for (const text of [
    `POST /v1/apply HTTP/1.1\r\n${json}Content-Length: 1000\r\n\r\n{`,
    `POST /v1/apply HTTP/1.1\r\n${json}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`,
    `GET /v1/observe HTTP/1.1\r\n${json}\r\n`,
  ]) {
    for (const way of ways) {
      const raw = connect(Number(port), "127.0.0.1").on("error", () => undefined);
      const { privateKey: key, certificate: cert } = host.server;
      const socket = connectTls({ socket: raw, key, cert, rejectUnauthorized: false }).on(
        "error",
        () => undefined,
      );
      await once(socket, "secureConnect");
      socket.write(text);
      // A second connection's response comes after the agent has read the first one's bytes.
      await using transport = host.connect(Number(port), String(fingerprint));
      const request = {
        method: "GET",
        path: "/v1/facts",
        headers: {},
        body: null,
        signal: undefined,
      } as const;
      await transport(request);
      if (way === "resetAndDestroy") raw.resetAndDestroy();
      else socket[way]();
      await transport(request);
      socket.destroy();
    }
  }
  child.kill("SIGTERM");
  await once(child, "exit");
  expect(log.filter(({ level }) => Number(level) > 40)).toEqual([]);
});
