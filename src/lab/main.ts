/** `npm run lab`: real nodes and participants on this machine, until Ctrl-C. */
import { parsePort } from "../domain/port.ts";
import { joinNode, leaveNode } from "./join.ts";
import { type RunningLab, startLab } from "./lab.ts";
import { enterHost } from "./namespaces.ts";
import { LabError, nodePlan, participants } from "./network.ts";
import { assertRequirements } from "./requirements.ts";
import { announce, assertNoneRuns, findLab, hostOf } from "./running.ts";

const usage = `Usage:
  npm run lab                                run the lab until Ctrl-C
  npm run lab -- exec HOST COMMAND...        run a command inside a host
  npm run lab -- join NODE [AS-NUMBER]       apply a participant's "config for your side" (AS4242420001 unless given)
  npm run lab -- leave NODE [AS-NUMBER]      take it down again
`;

async function main([command, ...rest]: readonly string[]): Promise<number> {
  switch (command) {
    case undefined:
      return run();
    case "exec": {
      const [name = "", program, ...args] = rest;
      if (program === undefined) return misused();
      return enterHost(hostOf(await findLab(), name), program, args);
    }
    case "join":
    case "leave": {
      const [node, asn = "4242420001"] = rest;
      return node === undefined ? misused() : joinOrLeave(command, node, asn.replace(/^AS/i, ""));
    }
    default:
      return misused();
  }
}

async function run(): Promise<number> {
  assertRequirements();
  await assertNoneRuns();
  const stopping = new AbortController();
  const { signal } = stopping;
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => stopping.abort());
  say("Starting nine hosts, seven tunnels, eight routers, six agents and the server ...\n");
  try {
    await using lab = await startLab({ port: labPort(), onMail: showLink, signal });
    await using _announced = await announce(lab);
    say(welcome(lab));
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    say("\nEnding the lab ...\n");
  } catch (error) {
    // What was started in an interrupted start ends with it, and its complaints concern nobody.
    if (!signal.aborted) throw error;
  }
  return 0;
}

async function joinOrLeave(command: "join" | "leave", node: string, asn: string): Promise<number> {
  const place = await findLab();
  const plan = participants.find((participant) => participant.asn === asn);
  if (!plan) {
    const known = participants.map((participant) => `AS${participant.asn}`).join(" and ");
    throw new LabError(`The lab has no participant AS${asn}. It has ${known}.`);
  }
  const host = hostOf(place, plan.name);
  const { name } = nodePlan(node);
  const done = await (command === "join"
    ? joinNode(place.url, plan, host, name)
    : leaveNode(plan, host, name));
  say(`${done.join("\n")}\n`);
  return 0;
}

function welcome({ url, participants: people }: RunningLab): string {
  const persons = people.map(
    ({ plan, publicKey }) => `
  AS${plan.asn} on ${plan.name}, which speaks ${plan.speaker}
    Password         ${plan.password}
    Public IP        ${plan.publicIp}
    Port             any, such as 51820; another one for each node
    Public key       ${publicKey}
    IPv4 in tunnels  ${plan.ipv4.address}
`,
  );
  return `
  Peerdeck lab       ${url}
${persons.join("")}
  Create a peering there, then, in another terminal:

    npm run lab -- join syd01
    npm run lab -- exec as4242420001 birdc show protocols
    npm run lab -- exec syd01 wg show

  Ctrl-C ends it.

`;
}

function showLink(mail: string): void {
  const link = /https?:\/\/\S+token=\S+/.exec(mail)?.[0];
  say(link === undefined ? `\n${mail}\n` : `  Mailed link: ${link}\n`);
}

function labPort(): number {
  const given = process.env["PORT"] || "4242";
  const port = given === "0" ? 0 : parsePort(given);
  if (port === null) throw new LabError(`PORT must be a port from 1 to 65535, found ${given}.`);
  return port;
}

function misused(): number {
  process.stderr.write(usage);
  return 2;
}

function say(text: string): void {
  process.stdout.write(text);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof LabError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
