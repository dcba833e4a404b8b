/**
 * The same steps as the agent's, bare: a process inside a node's namespaces that does what it is told by the
 * lines of its input, `{ id, call, args }`, and answers each with a line, `{ id, value }` or `{ id, error }`.
 */
import { open, rm, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { createBirdControl } from "../../src/agent/drivers/bird/control-socket.ts";
import { runOk, runProcess } from "../../src/agent/processes.ts";

/** How to make one peering by hand. */
export interface RawPeering {
  readonly name: string;
  /** For `wg setconf`. */
  readonly wireguardFile: string;
  /** As `ip address add` takes them. */
  readonly addresses: readonly string[];
  readonly birdFile: string;
  readonly birdText: string;
}

/** Milliseconds by step, in the order in which they are done. */
export type StepTimes = Readonly<Record<string, number>>;

export interface RawCalls {
  /** Makes the peering and confirms it. */
  readonly make: (peering: RawPeering) => Promise<StepTimes>;
  readonly remove: (peering: RawPeering) => Promise<StepTimes>;
  /** BIRD alone: configures with nothing changed, with one session more, and without it again. */
  readonly configure: (peering: RawPeering) => Promise<StepTimes>;
  /** Of all BGP sessions but those of that name: name, state and since when. */
  readonly sessions: (except: string) => Promise<readonly string[]>;
  /** Of all interfaces but that one: their indexes, states and addresses. */
  readonly interfaces: (except: string) => Promise<readonly string[]>;
}

const bird = createBirdControl("/run/bird/bird.ctl");
const run = (program: string, ...args: readonly string[]) => runOk(runProcess, program, args);

const add = (name: string) => ["link", "add", "dev", name, "type", "wireguard"] as const;
const probe = "raw_probe";
const kernelHasWireguard = (await runProcess("ip", add(probe))).code === 0;
if (kernelHasWireguard) await run("ip", "link", "delete", "dev", probe);

async function timed(steps: Readonly<Record<string, () => Promise<unknown>>>): Promise<StepTimes> {
  const times: Record<string, number> = {};
  for (const [name, step] of Object.entries(steps)) {
    const begun = performance.now();
    await step();
    times[name] = performance.now() - begun;
  }
  return times;
}

async function write(path: string, text: string): Promise<void> {
  const file = await open(path, "w");
  await file.writeFile(text);
  await file.sync();
  await file.close();
}

async function command(text: string, wanted: readonly number[]): Promise<void> {
  const { code, text: words } = await bird(text);
  if (!wanted.includes(code)) throw new Error(`BIRD answered ${code} to ${text}: ${words}`);
}

const configured = [3, 4, 5];
const configure = () => command("configure", configured);

/** The socket of wireguard-go appears before it accepts. */
async function setconf({ name, wireguardFile }: RawPeering): Promise<void> {
  for (;;) {
    const { code } = await runProcess("wg", ["setconf", name, wireguardFile]);
    if (code === 0) return;
    await pause(1);
  }
}

async function address({ name, addresses }: RawPeering): Promise<void> {
  const lines = [
    `link set dev ${name} addrgenmode none`,
    `link set dev ${name} up`,
    ...addresses.map((one) => `address add ${one} dev ${name} nodad`),
  ];
  await runOk(runProcess, "ip", ["-batch", "-"], { input: `${lines.join("\n")}\n` });
  await writeFile(`/proc/sys/net/ipv4/conf/${name}/rp_filter`, "0");
}

const calls: RawCalls = {
  make: (peering) =>
    timed({
      "file written and synced": () => write(peering.birdFile, peering.birdText),
      "interface created": () =>
        kernelHasWireguard ? run("ip", ...add(peering.name)) : run("wireguard-go", peering.name),
      "wg setconf": () => setconf(peering),
      "up, addresses": () => address(peering),
      configure: () => command("configure timeout 60", configured),
      confirm: () => command("configure confirm", [18]),
    }),
  remove: ({ name, birdFile }) =>
    timed({
      "file removed": () => rm(birdFile),
      configure,
      "interface deleted": () => run("ip", "link", "delete", "dev", name),
    }),
  configure: async ({ birdFile, birdText }) => {
    const nothing = await timed({ nothing: configure });
    await write(birdFile, birdText);
    const one = await timed({ "one peer more": configure });
    await rm(birdFile);
    return { ...nothing, ...one, ...(await timed({ "one peer fewer": configure })) };
  },
  sessions: async (except) => {
    const { lines } = await bird("show protocols");
    return lines.map(({ text }) => text).filter((text) => /\sBGP\s/.test(text) && !text.includes(except));
  },
  interfaces: async (except) => {
    const links = JSON.parse(await run("ip", "-json", "address", "show")) as Array<{ ifname?: string }>;
    return links.filter(({ ifname }) => ifname !== except).map((link) => JSON.stringify(link));
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, call, args } = JSON.parse(line) as { id: number; call: keyof RawCalls; args: [never] };
  const answer = await calls[call](...args).then(
    (value) => ({ id, value }),
    (error: Error) => ({ id, error: error.message }),
  );
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
