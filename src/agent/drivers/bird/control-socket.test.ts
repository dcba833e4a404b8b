import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createFolder } from "#system/fixtures/create-folder.ts";
import { BirdUnavailableError, createBirdControl, isBirdError } from "./control-socket.ts";

const greeting = "0001 BIRD 2.0.12 ready.\n";

/** A fake BIRD that calls `reply` for each command. */
async function fakeBird(reply: (command: string, socket: Socket) => void, greet = greeting): Promise<string> {
  const path = join(await createFolder(), "bird.ctl");
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.setEncoding("utf8");
    socket.on("data", (text: string) => reply(text, socket));
    if (greet !== "") socket.write(greet);
  }).listen(path);
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return path;
}

test.each([
  ["0018 Reconfiguration confirmed", 18, "Reconfiguration confirmed", false],
  ["0002-Reading configuration\n8002 bird.conf:1:8 syntax error", 8002, "bird.conf:1:8 syntax error", true],
])("the last line of %j is the reply, also if it is an error", async (lines, code, text, isError) => {
  const commands: string[] = [];
  const path = await fakeBird((command, socket) => {
    commands.push(command);
    socket.write(`${lines}\n`);
  });
  const reply = await createBirdControl(path)("configure confirm");
  expect(reply).toMatchObject({ code, text, isTruncated: false });
  expect([commands, isBirdError(reply)]).toEqual([["configure confirm\n"], isError]);
});

test("continued lines keep their code, whatever the chunk borders", async () => {
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

test("truncates a reply beyond the limit and marks it", async () => {
  const path = await fakeBird((_, socket) => socket.write(`1007-first\n${" next\n".repeat(1000)}`));
  const reply = await createBirdControl(path)("show route", { outputLimitBytes: 100 });
  expect(reply.isTruncated).toBe(true);
  expect(reply.lines[0]).toEqual({ code: 1007, text: "first" });
});

const silent = () => {};
const hangUp = (_: string, socket: Socket) => socket.end("1000-BIRD");

test.each([
  ["is silent", silent, greeting, "did not reply within 0.2 s."],
  ["does not greet", silent, "", "did not reply within 0.2 s."],
  ["is something else", silent, "SSH-2.0-OpenSSH\n", "does not speak BIRD's protocol."],
  ["greets with an error", silent, "8001 busy\n", "did not send BIRD's greeting."],
  ["hangs up", hangUp, greeting, "was closed before the reply was complete."],
])("a socket that %s is unavailable", async (_, reply, greet, message) => {
  const control = createBirdControl(await fakeBird(reply, greet));
  // Only the first two wait for it.
  const failure = control("show status", { timeoutMs: message.includes("0.2") ? 200 : 60_000 });
  await expect(failure).rejects.toThrow(
    expect.objectContaining({ name: "BirdUnavailableError", message: expect.stringContaining(message) }),
  );
});

test("a missing socket is unavailable", async () => {
  await expect(createBirdControl("/nowhere/bird.ctl")("show status")).rejects.toBeInstanceOf(
    BirdUnavailableError,
  );
});

test("rejects a command of two lines", async () => {
  await expect(createBirdControl("/nowhere/bird.ctl")("show status\ndown")).rejects.toThrow("one line");
});
