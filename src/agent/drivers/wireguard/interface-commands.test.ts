import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { createFolder } from "#system/fixtures/create-folder.ts";
import { processResult } from "../../fixtures/process-result.ts";
import type { ProcessResult, RunOptions } from "#system/processes.ts";
import { openInterfaceCommands } from "./interface-commands.ts";

const ignore = async () => {};
const name = "dn42_4242420001";
const config = "[Peer]\nPresharedKey = SECRET=\n";
let folder = "";
beforeEach(async () => {
  folder = await createFolder();
});

test("a configuration reaches wg in a file of its owner that is removed, and not as an argument", async () => {
  const seen: unknown[] = [];
  const run = async (program: string, args: readonly string[]) => {
    const path = args.at(-1) ?? "";
    seen.push([program, ...args.slice(0, -1)], await readFile(path, "utf8"), (await stat(path)).mode & 0o777);
    return processResult("");
  };
  await (await openInterfaceCommands(run, folder, ignore)).configure(name, config);
  expect(seen).toEqual([["wg", "syncconf", name], config, 0o600]);
  expect(await readdir(folder)).toEqual([]);
});

test("the error of a refused configuration contains nothing of it", async () => {
  const stderr = "Key is not the correct length or format: `SECRET='\nConfiguration parsing error\n";
  const run = async (): Promise<ProcessResult> => processResult("", 1, stderr);
  const commands = await openInterfaceCommands(run, folder, ignore);
  await expect(commands.configure(name, config)).rejects.toThrow(
    `wg syncconf ${name} exited with 1: Key is not the correct length or format: (hidden)\nConfiguration parsing error`,
  );
  expect(await readdir(folder)).toEqual([]);
});

test("a file that a killed agent left is removed at the next start", async () => {
  await writeFile(join(folder, ".syncconf-1"), config);
  await openInterfaceCommands(async () => processResult(""), folder, ignore);
  expect(await readdir(folder)).toEqual([]);
});

const change = { mtu: 1420, remove: [], add: ["fe80::1/64"] };

/** Returns the commands of a creation, with what `ip` reads, and why it failed. */
async function createWith(respond: (input: string) => ProcessResult) {
  const seen: string[] = [];
  const run = async (program: string, args: readonly string[], { input = "" }: RunOptions = {}) => {
    const text = typeof input === "string" ? input : "";
    seen.push([program, ...args, ...text.split("\n").filter(Boolean)].join(", "));
    return respond(text);
  };
  const commands = await openInterfaceCommands(run, folder, ignore);
  const error = await commands.create(name, change).then(
    () => null,
    ({ message }: Error) => message,
  );
  return { seen, error };
}

const batch = [
  "ip, -batch, -",
  `link add dev ${name} type wireguard`,
  `link set dev ${name} mtu 1420`,
  `link set dev ${name} addrgenmode none`,
  `link set dev ${name} up`,
  `address add fe80::1/64 dev ${name} nodad`,
].join(", ");

test.each([
  ["a command for it fails", 4, "Error: Invalid address.", [`ip, link, delete, dev, ${name}`]],
  ["another program has one with its name", 1, "RTNETLINK answers: File exists", []],
])(
  "the kernel creates an interface with one process; if %s, only its own one is removed",
  async (_, line, reason, more) => {
    const stderr = `${reason}\nCommand failed -:${line}\n`;
    const { seen, error } = await createWith((input) => processResult("", input === "" ? 0 : 1, stderr));
    expect(seen).toEqual([batch, ...more]);
    expect(error).toContain(reason);
  },
);

test("a kernel without WireGuard leaves the interface to wireguard-go", async () => {
  const { seen } = await createWith((input) =>
    input === ""
      ? processResult("", 1, "not installed")
      : processResult("", 1, "Error: Unknown device type.\nCommand failed -:1\n"),
  );
  expect(seen).toEqual([batch, `wireguard-go, ${name}`]);
});
