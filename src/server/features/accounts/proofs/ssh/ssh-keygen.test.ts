import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { ProcessError, ProcessTimeoutError, type Run, runProcess } from "#system/processes.ts";
import { findSshKeygenFault, isSignedBy, type SignedText } from "./ssh-keygen.ts";

const signed: SignedText = {
  keyType: "ssh-ed25519",
  publicKey: Buffer.from("key"),
  namespace: "peerdeck@example.net",
  armour: "armour\n",
  texts: ["first", "second", "third"],
};
const end = (code: number | null, stderr = "") => ({ code, stdout: "", stderr, isTruncated: false });

test("runs ssh-keygen for each text until one fits, with files for this key alone that are removed", async () => {
  const folders = new Set<string>();
  const calls: unknown[] = [];
  const run: Run = async (program, args, options) => {
    const [, , , signers = "", , , , , , signature = ""] = args;
    folders.add(dirname(signers)).add(dirname(signature));
    const { mode } = await stat(dirname(signers));
    calls.push([program, args.filter((arg) => !arg.startsWith("/")), options?.input, options?.environment]);
    expect(mode & 0o777).toBe(0o700);
    expect(await readFile(signers, "utf8")).toBe(
      'participant namespaces="peerdeck@example.net" ssh-ed25519 a2V5\n',
    );
    expect(await readFile(signature, "utf8")).toBe("armour\n");
    return end(options?.input === "second" ? 0 : 255);
  };
  expect(await isSignedBy(signed, run)).toBe(true);
  const args = ["-Y", "verify", "-f", "-I", "participant", "-n", "peerdeck@example.net", "-s"];
  expect(calls).toEqual([
    ["ssh-keygen", args, "first", undefined],
    ["ssh-keygen", args, "second", undefined],
  ]);
  expect(await isSignedBy(signed, async () => end(255))).toBe(false);
  expect([...folders].map((folder) => existsSync(folder))).toEqual([false]);
});

test("a program that cannot be started, is ended or takes too long decides nothing", async () => {
  let folder = "";
  const killed: Run = async (_, args) => {
    folder = dirname(args[3] ?? "");
    expect(existsSync(folder)).toBe(true);
    return end(null);
  };
  await expect(isSignedBy(signed, killed)).rejects.toThrow(ProcessError);
  expect(existsSync(folder)).toBe(false);
  await expect(
    isSignedBy(signed, () => Promise.reject(new ProcessTimeoutError("timed out"))),
  ).rejects.toThrow("timed out");
  await expect(
    isSignedBy(signed, (_, ...rest) => runProcess("/nonexistent/ssh-keygen", ...rest)),
  ).rejects.toThrow("ENOENT");
});

test("says why ssh-keygen cannot be used", async () => {
  expect(await findSshKeygenFault()).toBeNull();
  expect(await findSshKeygenFault(async () => end(255, "No user exists for uid 10001\r\n"))).toBe(
    "No user exists for uid 10001",
  );
  expect(await findSshKeygenFault(() => Promise.reject(new ProcessError("not started")))).toBe("not started");
  await expect(findSshKeygenFault(() => Promise.reject(new TypeError("a fault")))).rejects.toThrow("a fault");
});

const signOther: Run = (program, args, options) =>
  runProcess(program, args, { ...options, input: "other\n" });
test("the sample is refused for another text", async () => {
  expect(await findSshKeygenFault(signOther)).toMatch(/signature/i);
});
