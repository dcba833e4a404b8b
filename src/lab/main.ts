/** `npm run lab`: real nodes and participants on this machine, until Ctrl-C. */
import { canonicalizeAsn } from "../domain/asn.ts";
import { parsePort } from "../domain/port.ts";
import { tolerateLostOutput } from "../system/lost-output.ts";
import { joinNode, leaveNode } from "./join.ts";
import { type RunningLab, startLab } from "./lab.ts";
import { execInHost } from "./hosts/namespaces.ts";
import { LabError, findNodePlan, participants } from "./network.ts";
import { assertRequirements } from "./requirements.ts";
import { publishLab, assertNoRunningLab, findLab, findHost } from "./running-lab.ts";

const usage = `Usage:
  npm run lab                                run the lab until Ctrl-C
  npm run lab -- exec HOST COMMAND...        run a command inside a host
  npm run lab -- join NODE [AS-NUMBER]       apply a participant's "config for your side" (default AS4242420001)
  npm run lab -- leave NODE [AS-NUMBER]      remove it again
`;

async function main([command, ...rest]: readonly string[]): Promise<number> {
  switch (command) {
    case undefined:
      return run();
    case "exec": {
      const [name = "", program, ...args] = rest;
      if (program === undefined) return printUsage();
      return execInHost(findHost(await findLab(), name), program, args);
    }
    case "join":
    case "leave": {
      const [node, asn = "4242420001"] = rest;
      return node === undefined ? printUsage() : joinOrLeave(command, node, canonicalizeAsn(asn));
    }
    default:
      return printUsage();
  }
}

async function run(): Promise<number> {
  assertRequirements();
  await assertNoRunningLab();
  const stopping = new AbortController();
  const { signal } = stopping;
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => stopping.abort());
  print("Starting nine hosts, seven tunnels, eight routers, six agents and the server ...\n");
  try {
    await using lab = await startLab({ port: labPort(), onMail: showLink, signal });
    await using _announced = await publishLab(lab);
    print(welcome(lab));
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    print("\nStopping the lab ...\n");
  } catch (error) {
    // After an interrupt, errors of the stopped parts are expected.
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
  const host = findHost(place, plan.name);
  const { name } = findNodePlan(node);
  const steps = await (command === "join"
    ? joinNode(place.url, plan, host, name)
    : leaveNode(plan, host, name));
  print(`${steps.join("\n")}\n`);
  return 0;
}

function welcome({ url, participants: labParticipants }: RunningLab): string {
  const participantLines = labParticipants.map(
    ({ plan, publicKey }) => `
  AS${plan.asn} on ${plan.name} (${plan.speaker})
    Password         ${plan.password}
    Public IP        ${plan.publicIp}
    Port             any, for example 51820; a different one for each node
    Public key       ${publicKey}
    IPv4 in tunnels  ${plan.ipv4.address}
`,
  );
  return `
  Peerdeck lab       ${url}
${participantLines.join("")}
  Create a peering there. Then, in another terminal:

    npm run lab -- join syd01
    npm run lab -- exec as4242420001 birdc show protocols
    npm run lab -- exec syd01 wg show

  Press Ctrl-C to stop.

`;
}

function showLink(mail: string): void {
  const link = /https?:\/\/\S+token=\S+/.exec(mail)?.[0];
  print(link === undefined ? `\n${mail}\n` : `  Mailed link: ${link}\n`);
}

function labPort(): number {
  const given = process.env["PORT"] || "4242";
  const port = given === "0" ? 0 : parsePort(given);
  if (port === null) throw new LabError(`PORT must be a port from 1 to 65535, found ${given}.`);
  return port;
}

function printUsage(): number {
  process.stderr.write(usage);
  return 2;
}

function print(text: string): void {
  process.stdout.write(text);
}

tolerateLostOutput();
try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof LabError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
