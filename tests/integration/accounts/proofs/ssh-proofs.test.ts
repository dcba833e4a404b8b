/** Accounts of ASes whose registry has an SSH key, with the real `ssh-keygen` and its agent. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeWithDatabase } from "#tests/support/databases.ts";
import { createScratchFolder } from "#tests/support/scratch-folder.ts";
import { goodPassword, logIn } from "../account-server.ts";
import { openProofScene, type ProofScene } from "./proof-scene.ts";
import { createSecurityKey, signWithSoftware } from "./software-ssh-key.ts";
import { createSshKey, signWithFile, type SshKeyFile, startSshAgent, toSshKey } from "./ssh-keys.ts";

const kinds = [
  { name: "ed25519", asn: "4242420001", options: ["-t", "ed25519"] },
  { name: "rsa-3072", asn: "4242420002", options: ["-t", "rsa", "-b", "3072"] },
  { name: "ecdsa-256", asn: "4242420003", options: ["-t", "ecdsa", "-b", "256"] },
  { name: "ecdsa-384", asn: "4242420004", options: ["-t", "ecdsa", "-b", "384"] },
  { name: "ecdsa-521", asn: "4242420005", options: ["-t", "ecdsa", "-b", "521"] },
] as const;
const hardwareAsn = "4242420006";
const namespace = "peerdeck@demo.dn42";

const objects = Object.fromEntries([
  ...[...kinds.map(({ asn }) => asn), hardwareAsn].map((asn) => [
    `aut-num/AS${asn}`,
    `mnt-by: ADA-MNT\nadmin-c: P${asn}-P`,
  ]),
  ["person/P4242420001-P", "e-mail: ada@example.org"],
]);

const parts = new AsyncDisposableStack();
const keys = new Map<string, SshKeyFile>();
let agent = "";

beforeAll(async () => {
  const folder = await createScratchFolder((remove) => parts.defer(remove));
  for (const { name, asn, options } of kinds) keys.set(asn, await createSshKey(folder, name, options));
  const files = [...keys.values()].map(({ file }) => file);
  agent = parts.use(await startSshAgent(folder, files)).socket;
});
afterAll(() => parts.disposeAsync());

function keyOf(asn: string): SshKeyFile {
  const key = keys.get(asn);
  if (!key) throw new Error(`no key of AS${asn}`);
  return key;
}

async function readActivity({ server }: ProofScene, username: string, cookie: Record<string, string>) {
  const { body } = await server.post("/api/getActivity", { username }, cookie);
  return (body as { readonly entries: ReadonlyArray<{ kind: string; text: string }> }).entries;
}

describeWithDatabase("an SSH key of the registry", { postgres: "share" }, (openDatabase) => {
  let scene: ProofScene;

  beforeAll(async () => {
    scene = await openProofScene(await openDatabase(), objects);
    for (const [asn, { publicKey }] of keys) scene.keys.set(asn, [toSshKey(publicKey, "ADA-MNT")]);
  });
  afterAll(() => scene[Symbol.asyncDispose]());

  test.each(kinds)("$name registers from a file, and resets the password with the agent", async ({ asn }) => {
    const { server, openBrowser } = scene;
    const { file } = keyOf(asn);
    const browser = openBrowser();
    const request = await browser.request(asn);
    const signature = await signWithFile(`${request.challenge.text}\n`, {
      file,
      namespace: request.namespace,
    });
    const attempt = { challenge: request.challenge.id, signature };
    expect(await browser.setPassword(attempt, goodPassword)).toMatchObject({ status: 200 });
    expect(await logIn(server, goodPassword, asn)).not.toEqual({ cookie: "" });

    const reset = await browser.request(asn, true);
    const again = await signWithFile(`${reset.challenge.text}\n`, {
      file: `${file}.pub`,
      namespace: reset.namespace,
      agent,
    });
    const newPassword = `${goodPassword} again`;
    expect(
      await browser.setPassword({ challenge: reset.challenge.id, signature: again }, newPassword),
    ).toMatchObject({ status: 200 });
    const cookie = await logIn(server, newPassword, asn);
    const { fingerprint = "" } = request.keys[0] ?? {};
    const proof = `a signature of the SSH key ${fingerprint} of ADA-MNT`;
    expect((await readActivity(scene, asn, cookie)).map(({ kind, text }) => [kind, text])).toEqual([
      ["login", expect.any(String)],
      ["password-set-by-proof", expect.stringContaining(proof)],
      ["ownership-proved", expect.stringContaining(proof)],
      ["login", expect.any(String)],
      ["password-set-by-proof", expect.stringContaining(proof)],
      ["ownership-proved", expect.stringContaining(proof)],
    ]);
  });

  test("the mail about a reset says that a proof was used", async () => {
    const { server, openBrowser } = scene;
    const { file } = keyOf("4242420001");
    const browser = openBrowser();
    const request = await browser.request("4242420001", true);
    const signature = await signWithFile(`${request.challenge.text}\n`, { file, namespace });
    await browser.setPassword({ challenge: request.challenge.id, signature }, goodPassword);

    await expect
      .poll(async () => (await server.mailOutbox.listMails()).map(({ to, text }) => `${to}: ${text}`))
      .toContainEqual(
        expect.stringMatching(
          /^ada@example\.org: [^]*AS4242420001[^]*reset after a proof that the AS is yours/,
        ),
      );
  });

  const security = [
    ["ed25519", "present", 1],
    ["ecdsa", "present", 1],
    ["ed25519", "present and verified", 5],
  ] as const;
  test.each(security)("a security key (%s) registers while its user is %s", async (kind, _, flags) => {
    const key = createSecurityKey(kind);
    scene.keys.set(hardwareAsn, [toSshKey(key.publicKey, "ADA-MNT")]);
    const browser = scene.openBrowser();
    const { challenge } = await browser.request(hardwareAsn);
    const signature = signWithSoftware(key, `${challenge.text}\n`, { namespace, flags });
    expect(await browser.prove({ challenge: challenge.id, signature })).toMatchObject({
      status: 200,
      body: { purpose: "registration" },
    });
  });

  const pastes: ReadonlyArray<readonly [string, string, (armour: string) => string]> = [
    ["without a line end", "", (armour) => armour],
    ["by Windows, pasted with its line ends", "\r\n", (armour) => armour.replaceAll("\n", "\r\n")],
    ["and quoted in a chat", "\n", (armour) => `Ada wrote:\n${armour.replaceAll(/^/gm, "> ")}\nThanks!`],
    ["and pasted on one line", "\n", (armour) => armour.replaceAll("\n", " ")],
  ];
  test.each(pastes)("a text that was signed %s is accepted", async (_, lineEnd, paste) => {
    const browser = scene.openBrowser();
    const { challenge } = await browser.request("4242420001", true);
    const armour = await signWithFile(`${challenge.text}${lineEnd}`, {
      file: keyOf("4242420001").file,
      namespace,
    });
    expect(await browser.prove({ challenge: challenge.id, signature: paste(armour) })).toMatchObject({
      status: 200,
      body: { purpose: "reset" },
    });
  });

  test("a refused signature can be corrected, and an accepted one is accepted once", async () => {
    const browser = scene.openBrowser();
    const { challenge } = await browser.request("4242420001", true);
    const { file } = keyOf("4242420001");
    const wrong = await signWithFile(`${challenge.text} \n`, { file, namespace });
    expect(await browser.prove({ challenge: challenge.id, signature: wrong })).toMatchObject({
      status: 422,
      body: { field: "signature" },
    });
    const attempt = {
      challenge: challenge.id,
      signature: await signWithFile(`${challenge.text}\n`, { file, namespace }),
    };
    expect(await browser.prove(attempt)).toMatchObject({ status: 200 });
    expect(await browser.prove(attempt)).toMatchObject({ status: 422, body: { field: "challenge" } });
  });

  test("a registry that does not respond delays no proof that needs no fetch", async () => {
    const { file, publicKey } = keyOf("4242420001");
    const fetched = Promise.withResolvers<boolean>();
    let fetches = 0;
    const registry = {
      findKeys: async () => ({ found: true, keys: [toSshKey(publicKey, "ADA-MNT")], unusable: [] }) as const,
      refresh: () => {
        fetches += 1;
        return fetched.promise;
      },
    };
    await using slow = await openProofScene(await openDatabase(), objects, { registry });
    const resets = [1, 2].map(async () => {
      const browser = slow.openBrowser();
      const { challenge } = await browser.request("4242420001", true);
      return browser.prove({ challenge: challenge.id, signature: "none" });
    });
    await expect.poll(() => fetches).toBe(2);

    const browser = slow.openBrowser();
    const { challenge } = await browser.request("4242420001");
    const signature = await signWithFile(`${challenge.text}\n`, { file, namespace });
    expect(await browser.prove({ challenge: challenge.id, signature })).toMatchObject({ status: 200 });
    fetched.resolve(false);
    expect(await Promise.all(resets)).toMatchObject([{ status: 503 }, { status: 503 }]);
  });

  test("a hundred parallel uses of a signature give one token", async () => {
    const browser = scene.openBrowser();
    const { challenge } = await browser.request("4242420001", true);
    const signature = await signWithFile(`${challenge.text}\n`, {
      file: keyOf("4242420001").file,
      namespace,
    });
    const attempt = { challenge: challenge.id, signature };
    const responses = await Promise.all(Array.from({ length: 100 }, () => browser.prove(attempt)));
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    // 429: more than the queue takes.
    expect(statuses.filter((status) => ![200, 422, 429].includes(status))).toEqual([]);
  });
});
