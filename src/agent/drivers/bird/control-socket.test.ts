import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { BirdUnavailable, createBirdControl, isBirdError } from "./control-socket.ts";

const opened = new AsyncDisposableStack();
afterAll(() => opened.disposeAsync());

const greeting = "0001 BIRD 2.0.12 ready.\n";

/** A BIRD that says what `answer` writes for each command that it hears. */
async function fakeBird(
  answer: (command: string, socket: Socket) => void,
  greet = greeting,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "peerdeck-bird-"));
  const path = join(folder, "bird.ctl");
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.setEncoding("utf8");
    socket.on("data", (text: string) => answer(text, socket));
    if (greet !== "") socket.write(greet);
  }).listen(path);
  await once(server, "listening");
  opened.defer(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });
  return path;
}

test("a reply of one line", async () => {
  const heard: string[] = [];
  const path = await fakeBird((command, socket) => {
    heard.push(command);
    socket.write("0018 Reconfiguration confirmed\n");
  });
  expect(await createBirdControl(path)("configure confirm")).toEqual({
    code: 18,
    text: "Reconfiguration confirmed",
    lines: [{ code: 18, text: "Reconfiguration confirmed" }],
    cut: false,
  });
  expect(heard).toEqual(["configure confirm\n"]);
});

test("continued lines keep their code, however the bytes are cut", async () => {
  const text = "2002-Name\n1002-device1 up\n dn42_4242420001 start\n1006-  BGP state: Idle\n \n0000 \n";
  const path = await fakeBird((_, socket) => {
    const bytes = Array.from(text);
    const next = () => {
      const byte = bytes.shift();
      if (byte !== undefined) socket.write(byte, next);
    };
    next();
  });
  const { code, lines } = await createBirdControl(path)("show protocols all");
  expect(code).toBe(0);
  expect(lines).toEqual([
    { code: 2002, text: "Name" },
    { code: 1002, text: "device1 up" },
    { code: 1002, text: "dn42_4242420001 start" },
    { code: 1006, text: "  BGP state: Idle" },
    { code: 1006, text: "" },
    { code: 0, text: "" },
  ]);
});

test("an error of BIRD is an answer", async () => {
  const path = await fakeBird((_, socket) => {
    socket.write("0002-Reading configuration from bird.conf\n8002 bird.conf:1:8 syntax error\n");
  });
  const reply = await createBirdControl(path)("configure timeout 60");
  expect(isBirdError(reply)).toBe(true);
  expect(reply).toMatchObject({ code: 8002, text: "bird.conf:1:8 syntax error" });
});

test("a reply beyond the limit is cut and says so", async () => {
  const path = await fakeBird((_, socket) => {
    socket.write(`1007-first\n${" next\n".repeat(1000)}`);
  });
  const reply = await createBirdControl(path)("show route", { outputLimitBytes: 100 });
  expect(reply.cut).toBe(true);
  expect(reply.lines[0]).toEqual({ code: 1007, text: "first" });
});

test.each([
  ["is silent", () => {}, greeting, "did not answer within 0.1 s."],
  ["does not greet", () => {}, "", "did not answer within 0.1 s."],
  ["is something else", () => {}, "SSH-2.0-OpenSSH\n", "does not speak as BIRD does."],
  ["greets with an error", () => {}, "8001 busy\n", "did not greet as BIRD does."],
  [
    "hangs up",
    (_: string, socket: Socket) => socket.end("1000-BIRD"),
    greeting,
    "was closed before the answer was complete.",
  ],
])("one that %s is unavailable", async (_, answer, greet, message) => {
  const control = createBirdControl(await fakeBird(answer, greet));
  const failure = await control("show status", { timeLimitMs: 100 }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(BirdUnavailable);
  expect((failure as Error).message).toContain(message);
});

test("no socket, no BIRD", async () => {
  await expect(createBirdControl("/nowhere/bird.ctl")("show status")).rejects.toBeInstanceOf(BirdUnavailable);
});

test("a command cannot hold a second one", async () => {
  await expect(createBirdControl("/nowhere/bird.ctl")("show status\ndown")).rejects.toThrow("one line");
});
