/** The guide docs/install.md, followed from three empty machines to a participant's session behind nginx with TLS. */
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { relay } from "../../src/lab/hosts/relay.ts";
import { type MailServer, startMailServer } from "../../src/lab/mail-server.ts";
import { runOk, runProcess } from "../../src/system/processes.ts";
import { signUpByMail } from "../integration/provider/mailed-link.ts";
import { deployPeering } from "../integration/server/participant.ts";
import { buildAgentPackage, buildServerPackage } from "../support/debian-packages.ts";
import { createGitRemote } from "../support/git-remote.ts";
import { expectUndisturbed, writeRoas } from "./agent.ts";
import { openGuide } from "./guide.ts";
import { bootMachine, connectMachines, type Machine } from "./machine.ts";
import { editFile, newVersion, raiseVersion } from "./package-versions.ts";
import { createParticipant } from "./participant.ts";

const publicHost = "peering.example.net";
const asn = "4242420001";
/** Of the network between the machines. No address may be in a documentation range. */
const addresses = { server: "9.9.8.10", de01: "9.9.8.1", syd01: "9.9.8.2" } as const;
type Name = keyof typeof addresses;
const nodes = ["de01", "syd01"] as const;

let folder = "";
let mail: MailServer;
const parts = new AsyncDisposableStack();
const machines = {} as Record<Name, Machine>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "peerdeck-install-"));
  parts.defer(() => rm(folder, { recursive: true }));
  const serverDeb = await buildServerPackage(join(folder, "server"));
  await cp(serverDeb, join(folder, "old.deb"));
  await raiseVersion(serverDeb, join(folder, "new.deb"), addMigration);
  const agentDeb = await buildAgentPackage(join(folder, "agent"));
  const booted = await Promise.all([bootMachine("server"), bootMachine(), bootMachine()]);
  for (const [index, name] of (["server", ...nodes] as const).entries())
    machines[name] = parts.use(booted[index] as Machine);
  await connectMachines(
    new Map(Object.entries(machines).map(([name, machine]) => [machine, `${addresses[name as Name]}/24`])),
  );
  const { server } = machines;
  // The reader's answer when apt-get asks whether to continue.
  for (const machine of Object.values(machines))
    await machine.run(`echo 'APT::Get::Assume-Yes "true";' > /etc/apt/apt.conf.d/reader`);
  await copyServerPackage("old");
  for (const node of nodes) {
    await cp(agentDeb, join(machines[node].root, "root/peerdeck-agent_test.deb"));
    await writeRoas(machines[node]);
  }
  await prepareNetwork(server);
});
afterAll(() => parts[Symbol.asyncDispose]());

/** Gives a package its new version, and one more migration of the database, which adds a column. */
async function addMigration(tree: string): Promise<void> {
  const home = join(tree, "usr/lib/peerdeck-server");
  await editFile(join(home, "package.json"), (text) =>
    text.replace(/"version": ".*"/, `"version": "${newVersion}"`),
  );
  const last = `"0005-traffic-in-half-hours": {`;
  const next =
    `"9000-planted": { up: (db) => db.schema.alterTable("accounts")` +
    `.addColumn("planted", "text", (column) => column.notNull().defaultTo("new")).execute() },`;
  const { stdout } = await runProcess("grep", ["--files-with-matches", "--recursive", last, home]);
  await editFile(stdout.trim(), (text) => text.replace(last, `${next}\n${last}`));
}

/** Puts one of the two versions into /root of the server. */
async function copyServerPackage(version: "old" | "new"): Promise<void> {
  const { root, run } = machines.server;
  await run("rm -f /root/peerdeck-server_*.deb");
  await cp(join(folder, `${version}.deb`), join(root, `root/peerdeck-server_${version}.deb`));
}

/** What a provider has before: a name, a certificate, a mail server and a registry. */
async function prepareNetwork(server: Machine): Promise<void> {
  const remote = parts.use(
    await createGitRemote({
      [`aut-num/AS${asn}`]: "admin-c: ADA-P",
      "person/ADA-P": "e-mail: ada@example.org",
    }),
  );
  await runOk(runProcess, "cp", ["--recursive", remote.url, join(server.root, "srv/registry.git")]);
  await server.run("chown -R root:root /srv/registry.git");
  mail = parts.use(await startMailServer({ path: join(server.root, "srv/mail.socket") }));
  await server.run(
    `chmod 666 /srv/mail.socket
    systemd-run --quiet --unit mail --socket-property=ListenStream=127.0.0.1:25 \
      /lib/systemd/systemd-socket-proxyd /srv/mail.socket
    echo '127.0.0.1 ${publicHost}' >> /etc/hosts
    mkdir -p /etc/ssl/private
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=${publicHost} \
      -addext subjectAltName=DNS:${publicHost},IP:127.0.0.1 -keyout /root/key.pem -out /root/certificate.pem 2>/dev/null
    cat /root/key.pem /root/certificate.pem > /etc/ssl/private/${publicHost}.pem
    cp /root/certificate.pem /usr/local/share/ca-certificates/${publicHost}.crt
    update-ca-certificates >/dev/null 2>&1`,
  );
  const certificate = await server.run("cat /root/certificate.pem");
  setDefaultCACertificates([...getCACertificates("default"), certificate]);
  for (const node of nodes) {
    await writeFile(join(machines[node].root, "root/certificate.pem"), certificate);
    await machines[node].run(`echo '${addresses.server} ${publicHost}' >> /etc/hosts`);
  }
}

/** Returns the URL of the site, as this computer reaches it through a socket in the machine's files. */
async function openSite({ root, run }: Machine): Promise<string> {
  await run(
    `systemd-run --quiet --unit site --socket-property=ListenStream=/srv/site.socket \
      /lib/systemd/systemd-socket-proxyd 127.0.0.1:443`,
  );
  const outside = await relay("127.0.0.1:0", join(root, "srv/site.socket"));
  parts.defer(() => void outside.close());
  return `https://127.0.0.1:${(outside.address() as AddressInfo).port}`;
}

/** What the operator types into `peerdeck setup`; an empty line takes the default. */
const answers = [
  "Example Network",
  "example.net",
  "4242422227",
  "",
  "support@example.net",
  "172.20.16.0/27 fd42:d42::/48",
  "",
  "file:///srv/registry.git",
  "smtp://127.0.0.1:25",
  "",
  "",
  "y",
  "",
].join("\n");

/** The site's certificate is the test's own. */
const trustSite = (command: string) => `NODE_EXTRA_CA_CERTS=/root/certificate.pem ${command}`;

test("from packages to an Established session behind nginx, an upgrade, and back", async () => {
  const { server, de01 } = machines;
  const site = await openSite(server);
  let commands = 0;
  /** Follows the guide's block with this text on a machine, and returns all output. */
  async function follow(
    name: Name,
    part: string,
    values: Readonly<Record<string, string>> = {},
    change = (command: string) => command,
  ): Promise<string> {
    const guide = await openGuide("install.md", new Map(Object.entries(values)));
    const command = change(guide.command(part).trim());
    const output = await machines[name].run(`exec 2>&1; cd /root\n${command}`);
    commands += command.replaceAll("\\\n", "").split("\n").length;
    return output;
  }

  const installed = await follow("server", "./peerdeck-server_*.deb");
  expect(installed).toContain("The server does not start without a provider profile. Next: peerdeck setup");
  await writeFile(join(server.root, "root/answers"), answers);
  const setUp = await follow(
    "server",
    "peerdeck setup",
    {},
    (command) => `script --quiet --command '${command}' /dev/null < answers`,
  );
  expect(setUp).toContain("Wrote /etc/peerdeck-server/provider.toml.");
  await follow("server", "sites-enabled");
  await follow("server", "systemctl start");
  for (const [index, node] of nodes.entries()) {
    const name = { de01: node };
    const line =
      /peerdeck-agent join '(\S+)'/.exec(await follow("server", "peerdeck nodes add", name))?.[1] ?? "";
    await follow(node, "./peerdeck-agent_*.deb");
    const values = {
      "https://peering.example.net#TOKEN": line,
      "192.0.2.1:4243": `${addresses[node]}:4243`,
      "172.20.16.1 ": `172.20.16.${index + 1} `,
      "fd42:d42::1 ": `fd42:d42::${index + 1} `,
      "https://roa.example.net/roa4.conf": "/srv/roa4.conf",
      "https://roa.example.net/roa6.conf": "/srv/roa6.conf",
    };
    await follow(node, "peerdeck-agent join", values, trustSite);
    await follow("server", "peerdeck nodes open", name);
  }
  const checked = await follow("server", "peerdeck doctor").catch(
    (error: { stdout: string }) => error.stdout,
  );
  expect(checked.split("\n").filter((line) => line.startsWith("Problem"))).toEqual([]);

  const router = await createParticipant(de01);
  const participant = await signUpByMail(mail, site, asn);
  const { endpointHost, endpointPort, publicKey, peerIpv6 } = router.peering;
  await deployPeering(participant, "de01", {
    remote_ip: endpointHost ?? "",
    remote_port: String(endpointPort),
    public_key: publicKey,
    peer_ipv6: peerIpv6 ?? "",
  });
  const config = await participant.call(calls.getNodeConfig, { username: asn, node: "de01" });
  await router.join(config.public_key);
  await router.waitUntilEstablished();
  expect(commands).toBeLessThanOrEqual(16);

  /** Nothing is lost, and the session does not notice the step. */
  const expectKept = (step: () => Promise<unknown>) =>
    expectUndisturbed(de01, async () => {
      await step();
      const statuses = await participant.call(calls.getPeerStatus, { username: asn });
      expect(statuses).toEqual([expect.objectContaining({ node: "de01" })]);
    });
  const upgrade = await openGuide(
    "upgrade.md",
    new Map([["2026-11-26T10-00-00-000Z-before-0002-example.sqlite", "*-before-9000-planted.sqlite"]]),
  );
  const install = () =>
    server.run(`exec 2>&1; cd /root; ${upgrade.command("install ./peerdeck-server_*.deb")}`);
  await expectKept(async () => {
    await server.run(upgrade.command("peerdeck-backup"));
    await copyServerPackage("new");
    await install();
    expect(await server.run("peerdeck --version")).toBe(`${newVersion}\n`);
  });
  await expectKept(async () => {
    await server.run(upgrade.command("stop peerdeck-server"));
    await copyServerPackage("old");
    await server.run(`cd /root; ${upgrade.command("--allow-downgrades")}`);
    await server.run(upgrade.command("restore --replace /var"));
    await server.run(upgrade.command("start peerdeck-server"));
  });
  await expectKept(async () => {
    await copyServerPackage("new");
    await install();
  });
  expect(await server.run(`ls /var/backups/peerdeck /var/lib/peerdeck/backups`)).toMatch(
    /peerdeck-.*\.tar\.gz[^]*-before-9000-planted\.sqlite/,
  );
});
