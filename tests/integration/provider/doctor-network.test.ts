/** `peerdeck doctor`: what the server meets on the network. */
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createTcpServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { agentProtocol, protocolHeader } from "#contract/agent/agent-protocol.ts";
import { listenPinned } from "#mtls/pinned-server.ts";
import { openIdentity } from "#mtls/tls-identity.ts";
import { openServerIdentity } from "#server/provider-server.ts";
import { writeCloneState } from "#server/registry/clone/clone-state.ts";
import { listen } from "#system/listen.ts";
import { freePort } from "../../support/free-port.ts";
import { createGitRemote } from "../../support/git-remote.ts";
import { createScratchFolder } from "../../support/scratch-folder.ts";
import { createAuthority, createCertificate } from "../mail/certificates.ts";
import { setUpDiagnosed } from "./doctor.ts";
import { runCommand } from "./program.ts";
import { serverSource } from "./provider.ts";

type Headers = Readonly<Record<string, string | undefined>>;

interface ProxyBehaviour {
  readonly port: number;
  readonly change?: (headers: Headers) => Headers;
  readonly isBuffered?: boolean;
  /** The address from which it connects. */
  readonly localAddress?: string;
}

const append = (headers: Headers) => ({
  ...headers,
  "x-forwarded-for": `${headers["x-forwarded-for"] ?? ""}, 198.51.100.7`,
});

/** Passes requests on, as a reverse proxy does. */
function passOn({ port, change = append, isBuffered = false, localAddress = "127.0.0.1" }: ProxyBehaviour) {
  return (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const headers = JSON.parse(JSON.stringify(change(incoming.headers as Headers))) as Record<string, string>;
    const upstream = { host: "127.0.0.1", port, path: incoming.url, headers, localAddress };
    const forwarded = request(upstream, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => (isBuffered ? chunks.push(chunk) : outgoing.write(chunk)));
      response.on("end", () => outgoing.end(Buffer.concat(chunks)));
    });
    forwarded.on("error", () => outgoing.writeHead(502).end());
    forwarded.end();
  };
}

test("a line for each check of an installation without a problem, from the whole program", async () => {
  const folder = await createScratchFolder(onTestFinished);
  const authority = await createAuthority();
  const { certificate: cert, privateKey: key } = await createCertificate({ authority });
  await writeFile(join(folder, "ca.pem"), authority.certificate);
  const publicPort = await freePort();
  const publicUrl = `https://127.0.0.1:${publicPort}`;
  const { provider, settings, port, diagnose } = await setUpDiagnosed(["syd01"], {
    publicUrl,
    trustedProxies: ["127.0.0.1"],
  });
  await using _proxy = await listen(createTlsServer({ cert, key }, passOn({ port })), {
    host: "127.0.0.1",
    port: publicPort,
  });
  await provider.startAgent("syd01");
  await provider.startServer(settings);
  const { code, output } = await runCommand(serverSource, ["doctor"], {
    ...provider.environment,
    ...settings,
    NODE_EXTRA_CA_CERTS: join(folder, "ca.pem"),
  });
  const { fingerprint } = await openServerIdentity(provider.serverDir);
  // Not every machine has a clock that NTP keeps.
  const lines = output.replaceAll(/^.*NTP.*\n/gm, "").split("\n");
  expect(lines).toEqual([
    expect.stringMatching(/^OK {7}This is Peerdeck \S+ on Node\.js [\d.]+\.$/),
    `OK       The provider profile ${provider.environment["PEERDECK_CONFIG"]} is valid.`,
    `OK       The server's fingerprint, which the agents must have, is ${fingerprint}.`,
    expect.stringMatching(/^OK {7}DATA_DIR \S+ can be written and has \d+ MB of free space\.$/),
    expect.stringMatching(
      /^OK {7}The database \(SQLite [\d.]+\) can be read and has the tables of this version \(\S+\)\.$/,
    ),
    expect.stringMatching(/^OK {7}The server is running on http:\/\/127\.0\.0\.1:\d+, version \S+\.$/),
    `OK       The metrics are served on http://127.0.0.1:${settings["METRICS_PORT"]}/metrics.`,
    `OK       ${publicUrl} leads to this server.`,
    "OK       The reverse proxy 127.0.0.1 is trusted and passes the client's address on.",
    "OK       Event streams arrive without delay.",
    "OK       The registry can be read.",
    "OK       ssh-keygen verifies SSH signatures.",
    `OK       The mail server ${new URL(provider.mail.url()).host} accepts connection and login.`,
    expect.stringMatching(
      /^OK {7}syd01\.example\.net: the agent \(version \S+\) responds, and both sides have the right/,
    ),
    'Warning  syd01.example.net: the agent only simulates a router. Set router = "linux" in agent.toml for a real node.',
    "",
    expect.stringMatching(/^0 problems, [12] warnings?\.$/),
    "",
  ]);
  expect(code).toBe(0);
  // This process does not know the authority.
  expect(await diagnose()).toEqual([
    `Problem  The certificate of ${publicUrl} is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE). Use one that browsers trust. For an authority of your own, let this machine trust it (update-ca-certificates), or set NODE_EXTRA_CA_CERTS to its PEM file.`,
  ]);
});

test("reverse proxies that hide clients, let them forge their address, or hold event streams back", async () => {
  const publicPort = await freePort();
  const url = `http://127.0.0.1:${publicPort}`;
  const { provider, settings, port, diagnose, editProfile } = await setUpDiagnosed(["syd01"], {
    publicUrl: url,
    trustedProxies: ["127.0.0.1"],
  });
  await provider.startAgent("syd01");
  await provider.startServer(settings);
  const plain = `Warning  ${url} is not https, so others can read passwords on the way. Set up TLS in a reverse proxy, and write https:// there.`;
  const diagnoseBehind = async (behaviour: Omit<ProxyBehaviour, "port">) => {
    await using _proxy = await listen(createServer(passOn({ port, ...behaviour })), {
      host: "127.0.0.1",
      port: publicPort,
    });
    return (await diagnose()).filter((line) => line !== plain);
  };
  expect(await diagnoseBehind({})).toEqual([]);
  expect(
    await diagnoseBehind({ change: (headers) => ({ ...headers, "x-forwarded-for": undefined }) }),
  ).toEqual([
    "Problem  The reverse proxy 127.0.0.1 sends no X-Forwarded-For, so all clients count as one. Let it append the client's address.",
  ]);
  expect(await diagnoseBehind({ change: (headers) => headers })).toEqual([
    "Problem  The reverse proxy 127.0.0.1 passes on the X-Forwarded-For of clients unchanged, so they can forge their address. Let it append the client's address, or replace the header.",
  ]);
  expect(await diagnoseBehind({ localAddress: "127.0.0.2" })).toEqual([
    'Problem  The reverse proxy 127.0.0.2 is not trusted, so all clients count as one. Add "127.0.0.2" to trusted_proxies, and restart the server.',
  ]);
  expect(await diagnoseBehind({ isBuffered: true })).toEqual([
    `Problem  The reverse proxy of ${url} holds event streams back, so pages are not updated. Turn off buffering and compression of text/event-stream.`,
  ]);
  {
    await using _other = await listen(
      createServer((_, response) => response.writeHead(404).end("x")),
      {
        host: "127.0.0.1",
        port: publicPort,
      },
    );
    expect(await diagnose()).toEqual([
      plain,
      `Problem  Another program than this server responds at ${url} (status 404). Let the reverse proxy pass requests to HOST and PORT of this server, or correct the profile.`,
    ]);
  }
  expect(await diagnose()).toEqual([
    plain,
    `Problem  Nothing listens at ${url}. Start the reverse proxy, or correct the profile.`,
  ]);
  {
    await using _silent = await listen(
      createServer(() => undefined),
      { host: "127.0.0.1", port: publicPort, graceMs: 0 },
    );
    expect(await diagnose()).toEqual([
      plain,
      `Problem  ${url} did not respond in time. Let firewalls pass it; if only this machine cannot reach its own public address, name the host in /etc/hosts.`,
    ]);
  }
  await editProfile(url, "https://host.invalid");
  expect(await diagnose()).toEqual([
    "Problem  The host of https://host.invalid was not found. Add it to the DNS, or correct the profile; if only this machine cannot find it, name it in /etc/hosts.",
  ]);
  // A client that does not know the database gets the app's page, as for any path.
  const nonce = { "peerdeck-nonce": "0".repeat(32), "peerdeck-proof": "0".repeat(64) };
  const response = await fetch(`http://127.0.0.1:${port}/arrival`, { headers: nonce });
  expect(response.headers.get("content-type")).not.toContain("event-stream");
});

test("a second host that nothing serves, or whose proxy names another host", async () => {
  const [main, second] = [`http://127.0.0.1:${await freePort()}`, `http://localhost:${await freePort()}`];
  const { provider, settings, port, diagnose, editProfile } = await setUpDiagnosed(["syd01"], {
    publicUrl: main,
    trustedProxies: ["127.0.0.1"],
  });
  await editProfile(`public_url = "${main}"`, `public_urls = ["${main}", "${second}"]`);
  await provider.startAgent("syd01");
  await provider.startServer(settings);
  const serveSecond = (change?: ProxyBehaviour["change"]) =>
    listen(createServer(passOn({ port, ...(change && { change }) })), {
      host: "127.0.0.1",
      port: Number(new URL(second).port),
    });
  const diagnoseHosts = async () => (await diagnose()).filter((line) => !line.includes("is not https"));
  await using _main = await listen(createServer(passOn({ port })), {
    host: "127.0.0.1",
    port: Number(new URL(main).port),
  });
  expect(await diagnoseHosts()).toEqual([
    `Problem  Nothing listens at ${second}. Start the reverse proxy, or correct the profile.`,
  ]);
  {
    await using _second = await serveSecond();
    expect(await diagnoseHosts()).toEqual([]);
  }
  await using _second = await serveSecond((headers) => ({ ...append(headers), host: "10.0.0.1:4242" }));
  expect(await diagnoseHosts()).toEqual([
    `Problem  ${second} leads to this server, but with another Host header, so its requests count as those of ${main}. Let the reverse proxy pass the Host of clients on.`,
  ]);
});

test("registries that cannot be fetched", async () => {
  const folder = await createScratchFolder(onTestFinished);
  await using remote = await createGitRemote({ "aut-num/AS4242420001": "admin-c: ADA-P" });
  const { diagnose, editProfile } = await setUpDiagnosed(["syd01"], { registry: `url = "${remote.url}"` });
  let current = remote.url;
  const diagnoseUrl = async (url: string) => {
    await editProfile(`"${current}"`, `"${url}"`);
    current = url;
    return (await diagnose()).filter((line) => /registry|[Gg]it/.test(line));
  };
  expect(await diagnoseUrl(remote.url)).toEqual([]);
  const missing = join(folder, "missing.git");
  expect(await diagnoseUrl(missing)).toEqual([
    `Problem  There is no git repository at registry.url ${missing}. Correct the URL.`,
  ]);
  expect(await diagnoseUrl("https://host.invalid/registry.git")).toEqual([
    "Problem  The host of registry.url https://host.invalid/registry.git was not found. Correct the URL, or this machine's resolver.",
  ]);
  let status = 401;
  await using web = await listen(
    createServer((_, response) => response.writeHead(status).end()),
    {
      host: "127.0.0.1",
      port: 0,
    },
  );
  const url = `http://127.0.0.1:${web.address.port}/registry.git`;
  expect(await diagnoseUrl(url)).toEqual([
    `Problem  The host of registry.url ${url} refused the login. Give the server's user an SSH key, or a line in its .netrc for https.`,
  ]);
  status = 404;
  expect(await diagnoseUrl(url)).toEqual([
    `Problem  There is no git repository at registry.url ${url}. Correct the URL.`,
  ]);
  status = 500;
  expect(await diagnoseUrl(url)).toEqual([
    expect.stringContaining(`cannot be fetched from ${url} (fatal: unable to access`),
  ]);

  for (const scheme of ["git", "http"]) {
    const closed = `${scheme}://127.0.0.1:${await freePort()}/registry.git`;
    expect(await diagnoseUrl(closed)).toEqual([
      `Problem  The host of registry.url ${closed} refused the connection. Correct the URL, or start the git server there.`,
    ]);
  }
  const silent = createTcpServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  onTestFinished(() => void silent.close());
  const silentUrl = `git://127.0.0.1:${(silent.address() as { readonly port: number }).port}/registry.git`;
  expect(await diagnoseUrl(silentUrl)).toEqual([
    `Problem  The host of registry.url ${silentUrl} did not respond in time. Correct the URL, or let firewalls pass it.`,
  ]);

  const path = process.env["PATH"];
  onTestFinished(() => void (process.env["PATH"] = path));
  const ssh = "git@git.example.net:dn42/registry.git";
  const replySsh = async (words: string) => {
    await writeFile(join(folder, "ssh"), `#!/bin/sh\necho "${words}" >&2\nexit 255\n`);
    await chmod(join(folder, "ssh"), 0o755);
    process.env["PATH"] = `${folder}:${path ?? ""}`;
    return diagnoseUrl(ssh);
  };
  expect(await replySsh("Host key verification failed.")).toEqual([
    `Problem  The SSH key of the host in registry.url ${ssh} is not known. Compare it, and add it to known_hosts of the server's user.`,
  ]);
  expect(await replySsh("git@git.example.net: Permission denied (publickey).")).toEqual([
    `Problem  The host of registry.url ${ssh} refused the login. Give the server's user an SSH key, or a line in its .netrc for https.`,
  ]);
  expect(
    await replySsh("ssh: Could not resolve hostname git.example.net: Name or service not known"),
  ).toEqual([
    `Problem  The host of registry.url ${ssh} was not found. Correct the URL, or this machine's resolver.`,
  ]);
  process.env["PATH"] = folder;
  expect(await diagnoseUrl(ssh)).toEqual([
    "Problem  Git cannot be started, which fetches the registry. Install git.",
  ]);
});

test("registries that are old, empty, or whose history was not accepted", async () => {
  await using remote = await createGitRemote({ "aut-num/AS4242420001": "admin-c: ADA-P" });
  const { diagnose, editProfile, provider } = await setUpDiagnosed(["syd01"], {
    registry: `url = "${remote.url}"`,
  });
  const clone = join(provider.serverDir, "registry");
  await mkdir(clone);
  const write = (hours: number, problem: string | null = null) => {
    const fetchedAt = Date.now() - hours * 3_600_000 - 60_000;
    const state = { commit: null, files: null, fetchedAt, attemptedAt: fetchedAt };
    return writeCloneState(clone, { ...state, problem, isRejected: problem !== null });
  };
  const findLine = async () => (await diagnose()).filter((line) => /registry/.test(line));
  await write(3);
  expect(await findLine()).toEqual([]);
  await write(30);
  expect(await findLine()).toEqual([
    "Warning  The registry was last fetched 30 hours ago. Check that the server runs, or the timer that updates your clone.",
  ]);
  await write(200);
  expect(await findLine()).toEqual([
    "Problem  The registry was last fetched 200 hours ago, so no links are mailed after 7 days. Check that the server runs, or the timer that updates your clone.",
  ]);
  await write(3, "The fetched commit has no AS objects.");
  expect(await findLine()).toEqual([
    `Problem  The server did not accept the registry's new history: The fetched commit has no AS objects. Check it, then delete ${clone} to clone it again.`,
  ]);
  const empty = join(provider.serverDir, "empty");
  await mkdir(join(empty, "data"), { recursive: true });
  await editProfile(`url = "${remote.url}"`, `path = "${empty}"`);
  expect(await findLine()).toEqual([
    `Problem  The registry in ${empty} has no AS objects in data/aut-num that can be read. Clone the registry there, or correct registry.path.`,
  ]);
});

test("mail servers that refuse, and a test message", async () => {
  const { diagnose, editProfile, provider } = await setUpDiagnosed(["syd01"]);
  const findLine = async (args: readonly string[] = []) =>
    (await diagnose({ args })).filter((line) => line.includes(host));
  const { host } = new URL(provider.mail.url());
  expect(await findLine(["--mail", "noc@example.net"])).toEqual([]);
  expect(provider.mail.received).toContain("RCPT TO:<noc@example.net>");
  provider.mail.setReplies({ RCPT: "550 no such user" });
  expect(await findLine(["--mail", "noc@example.net"])).toEqual([
    expect.stringContaining("refused the recipient"),
  ]);
  await editProfile("smtp://", "smtp://user:canary@");
  provider.mail.setReplies({ EHLO: "250-mail.example.net\r\n250 AUTH PLAIN", AUTH: "535 no" });
  expect(await findLine()).toEqual([expect.stringContaining(`${host} refused the login (535 no)`)]);
  expect((await diagnose({ args: ["--json"] })).join()).not.toContain("canary");
  await provider.mail[Symbol.asyncDispose]();
  expect(await findLine()).toEqual([expect.stringContaining(`Problem  Nothing listens on ${host}`)]);
});

test("agents that do not respond, are another node, or have another clock", async () => {
  const { diagnose, editProfile, provider } = await setUpDiagnosed(["syd01"], {});
  const findLine = async () => (await diagnose()).filter((line) => /^\S+ +syd01/.test(line));
  expect(await findLine()).toEqual([
    "Problem  syd01.example.net cannot be reached: the connection was refused, the agent may be off. Run systemctl status peerdeck-agent there, and compare listen in agent.toml with peerdeck nodes show here.",
  ]);
  await provider.pinServer("AB:".repeat(31) + "AB");
  const agent = await provider.startAgent("syd01");
  expect(await findLine()).toEqual([
    "Problem  syd01.example.net cannot be reached: it ended the connection, its server_fingerprints may lack the one of this server. Add this server's fingerprint to server_fingerprints in agent.toml, and restart the agent.",
  ]);
  const { fingerprint, port, stateDir } = provider.agents[0] ?? { fingerprint: "", port: 0, stateDir: "" };
  const other = "CD:".repeat(31) + "CD";
  await editProfile(fingerprint, other);
  expect(await findLine()).toEqual([
    `Problem  syd01.example.net cannot be reached: its certificate is not the one that the server pins. It presented ${fingerprint}. If peerdeck-agent setup prints the presented one there, enter it with peerdeck nodes move --agent-fingerprint; otherwise another program responds.`,
  ]);
  await editProfile(other, fingerprint);
  await agent.stop();

  let protocol = agentProtocol;
  const publicKey = `${"A".repeat(43)}=`;
  const facts = { node: "syd02", publicKey, keys: [publicKey], simulation: false, version: "1.0.0" };
  const health = {
    status: "Issues",
    uptimeSeconds: 1,
    load: [0, 0, 0],
    version: "1.0.0",
    findings: [{ code: "bird-unavailable", facts: {} }],
  };
  await using _fake = await listenPinned({
    host: "127.0.0.1",
    port,
    identity: await openIdentity(stateDir, "agent"),
    fingerprints: [(await openServerIdentity(provider.serverDir)).fingerprint],
    listener: ({ url }, response) => {
      const date = new Date(Date.now() - 90_000).toUTCString();
      response.writeHead(200, { [protocolHeader]: String(protocol), date });
      response.end(JSON.stringify(url === "/v1/health" ? health : facts));
    },
    onAccepted: () => {},
    onRefused: () => {},
    onEnded: () => {},
    toClientKey: (address) => address,
    isServerAddress: () => false,
  });
  expect(await findLine()).toEqual([
    "Problem  syd01.example.net: the agent says that it is node syd02. Correct the URLs and fingerprints of both nodes with peerdeck nodes move, or node in agent.toml.",
    expect.stringMatching(
      /^Warning {2}syd01\.example\.net: its clock is (?:89|90|91) seconds behind the server's\. Let NTP set both\.$/,
    ),
    "Warning  syd01.example.net: BIRD does not respond on this node. Check that it is running: systemctl status bird",
  ]);
  protocol = agentProtocol + 1;
  expect((await diagnose()).filter((line) => line.includes("speaks protocol"))).toEqual([
    expect.stringContaining("Upgrade the server."),
  ]);
});

test("--json prints codes with facts", async () => {
  const { diagnose } = await setUpDiagnosed(["syd01"]);
  const findings = JSON.parse(
    (await diagnose({ args: ["--json"] })).filter((line) => !line.startsWith("exit")).join("\n"),
  ) as object;
  expect(findings).toMatchObject({
    problems: 1,
    findings: expect.arrayContaining([
      {
        code: "agent-unreachable",
        level: "problem",
        facts: { host: "syd01.example.net", cause: "refused", presented: null },
      },
    ]),
  });
});
