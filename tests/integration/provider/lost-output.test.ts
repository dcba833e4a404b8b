/** Programs whose output cannot be written: its reader has gone, as with `… | head`, or it is on a full disk. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { agentProgram, serverProgram } from "../../support/built-programs.ts";
import { compileCache } from "../../support/compile-cache.ts";
import { freePort } from "../../support/free-port.ts";
import { repository } from "../../support/repository.ts";
import { createScratchFolder } from "../../support/scratch-folder.ts";
import { waitFor } from "../../support/wait-for.ts";
import { deployPeering } from "../server/participant.ts";
import { signUpByMail } from "./mailed-link.ts";
import { type Provider, setUpProvider } from "./provider.ts";
import { oneOfCommit } from "../../support/share-of-commit.ts";

const asn = "4242420001";
const node = "syd01";
const parts = new AsyncDisposableStack();
let provider: Provider;
let folder: string;

beforeAll(async () => {
  provider = parts.use(await setUpProvider([node]));
  folder = await createScratchFolder((remove) => parts.defer(remove));
  await provider.startAgent(node);
  const server = await provider.startServer();
  await deployPeering(await signUpByMail(provider.mail, server.url, asn), node);
});
afterAll(() => parts.disposeAsync());

/** Bash's redirections. `true` ends long before a program prints its first line. */
const outputs = { "a reader that has gone": "> >(true)", "a full disk": "> /dev/full" } as const;

function start(output: string, [file = "", ...args]: readonly string[], environment = provider.environment) {
  const line = ["-c", `exec "$@" ${output}`, "bash", process.execPath];
  const child = spawn("bash", [...line, join(repository, file), ...args], {
    env: { ...compileCache, PATH: process.env["PATH"], ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  parts.defer(() => void child.kill("SIGKILL"));
  return child;
}

/** Runs a program until it ends. */
async function run(output: string, line: readonly string[]) {
  const child = start(output, line);
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  return { code: code as number | null, errors };
}

const commands: ReadonlyArray<readonly string[]> = [
  [serverProgram, "peerings", "--help"],
  [serverProgram, "peerings"],
  [serverProgram, "audit"],
  [agentProgram, "setup", "--help"],
];

test("commands end quietly when the reader of their output has gone", async () => {
  const ended = await Promise.all(commands.map((line) => run(outputs["a reader that has gone"], line)));
  expect(ended).toEqual(commands.map(() => ({ code: 0, errors: "" })));
});

const message = "The output cannot be written (ENOSPC). The program goes on without it.\n";

test.each(
  oneOfCommit([
    ["a reader that has gone", 0, ""],
    ["a full disk", 1, message],
  ] as const),
)("a command finishes its work without its output: %s", async (name, code, errors) => {
  const file = join(folder, `${code}.tar.gz`);
  expect(await run(outputs[name], [serverProgram, "backup", file])).toEqual({ code, errors });
  const restored = await provider.runCommand(["restore", file], { DATA_DIR: join(folder, `${code}`) });
  expect(restored.code).toBe(0);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test("a removal is finished when the reader of its output has gone", async () => {
  const line = [serverProgram, "remove-peering", "--node", node, "--as", asn, "--apply"];
  expect(await run(outputs["a reader that has gone"], line)).toEqual({ code: 0, errors: "" });
  expect((await provider.readPeerings()).map(({ routed }) => routed)).toEqual([null]);
  expect((await provider.runCommand(["peerings"])).output).toBe("No peering matches.\n");
});

test.each(oneOfCommit(Object.entries(outputs)))(
  "a server runs and stops without its log: %s",
  async (name, output) => {
    const port = String(await freePort());
    const environment = { PORT: port, DATA_DIR: join(folder, name), DEMO_TIME_SCALE: "0", LOG_LEVEL: "info" };
    const child = start(output, [serverProgram, "demo"], environment);
    const ending = Promise.all([text(child.stderr), once(child, "close")]);
    await waitFor(async () => expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200));
    child.kill("SIGTERM");
    const [errors, [code]] = await ending;
    expect([errors, code]).toEqual(name === "a full disk" ? [message, 1] : ["", 0]);
  },
);
