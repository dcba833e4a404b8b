/**
 * The commands of the agent's apply in its order, one after the other, without what makes an apply safe. Runs in a node's namespaces, reads calls from its input, one `{ id, call, args }` per
 * line, and writes a line for each response, `{ id, value }` or `{ id, error }`.
 */
import { open, rm, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { createBirdControl } from "#agent/drivers/bird/control-socket.ts";
import { runOk, runProcess } from "#system/processes.ts";

/** The data for creating one peering by hand. */
export interface RawPeering {
  readonly name: string;
  /** Input of `nft` that adds the tunnel to the packet filter. */
  readonly filterText: string;
  /** Input of `wg syncconf`. */
  readonly wireguardFile: string;
  /** Arguments of `ip address add`. */
  readonly addresses: readonly string[];
  readonly birdFile: string;
  readonly birdText: string;
}

/** Milliseconds by step, in order of execution. */
export type StepTimes = Readonly<Record<string, number>>;

export interface RawCalls {
  /** Creates the peering and confirms it. */
  readonly create: (peering: RawPeering) => Promise<StepTimes>;
  readonly remove: (peering: RawPeering) => Promise<StepTimes>;
  /** BIRD only: configures without a change, with one more session, and without that session again. */
  readonly configure: (peering: RawPeering) => Promise<StepTimes>;
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
    const startedAt = performance.now();
    await step();
    times[name] = performance.now() - startedAt;
  }
  return times;
}

async function write(path: string, text: string): Promise<void> {
  const file = await open(path, "w");
  await file.writeFile(text);
  await file.sync();
  await file.close();
}

async function command(text: string, expectedCodes: readonly number[]): Promise<void> {
  const { code, text: reply } = await bird(text);
  if (!expectedCodes.includes(code)) throw new Error(`BIRD responded ${code} to ${text}: ${reply}`);
}

const configured = [3, 4, 5];
const configure = () => command("configure", configured);

/** Retries, because the socket of wireguard-go appears before it accepts connections. */
async function syncconf({ name, wireguardFile }: RawPeering): Promise<void> {
  for (;;) {
    const { code } = await runProcess("wg", ["syncconf", name, wireguardFile]);
    if (code === 0) return;
    await pause(1);
  }
}

async function createLink({ name, addresses }: RawPeering): Promise<void> {
  if (!kernelHasWireguard) await run("wireguard-go", name);
  const lines = [
    ...(kernelHasWireguard ? [["link", ...add(name).slice(1)].join(" ")] : []),
    `link set dev ${name} addrgenmode none`,
    `link set dev ${name} up`,
    ...addresses.map((one) => `address add ${one} dev ${name} nodad`),
  ];
  await runOk(runProcess, "ip", ["-batch", "-"], { input: `${lines.join("\n")}\n` });
  await writeFile(`/proc/sys/net/ipv4/conf/${name}/rp_filter`, "0");
}

const nft = (input: string) => runOk(runProcess, "nft", ["-f", "-"], { input });

const calls: RawCalls = {
  create: (peering) =>
    timed({
      "nft -f": () => nft(peering.filterText),
      "file written and synced": () => write(peering.birdFile, peering.birdText),
      "interface created, up, addresses": () => createLink(peering),
      configure: () => command("configure timeout 60", configured),
      "wg syncconf": () => syncconf(peering),
      confirm: () => command("configure confirm", [18]),
    }),
  remove: ({ name, filterText, birdFile }) =>
    timed({
      "file removed": () => rm(birdFile),
      configure,
      "interface deleted": () => run("ip", "link", "delete", "dev", name),
      "nft -f": () => nft(filterText.replaceAll("add element", "delete element")),
    }),
  configure: async ({ birdFile, birdText }) => {
    const nothing = await timed({ nothing: configure });
    await write(birdFile, birdText);
    const one = await timed({ "one more peer": configure });
    await rm(birdFile);
    return { ...nothing, ...one, ...(await timed({ "one peer less": configure })) };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, call, args } = JSON.parse(line) as { id: number; call: keyof RawCalls; args: [never] };
  const response = await calls[call](...args).then(
    (value) => ({ id, value }),
    ({ name, message }: Error) => ({ id, error: { name, message } }),
  );
  process.stdout.write(`${JSON.stringify(response)}\n`);
}
