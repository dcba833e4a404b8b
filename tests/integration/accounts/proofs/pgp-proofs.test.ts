/** Accounts of ASes whose registry has a PGP key, with the real gpg. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeWithDatabase } from "#tests/support/databases.ts";
import { goodPassword, logIn } from "../account-server.ts";
import { type Gnupg, openGnupg, toPgpKey } from "./gnupg.ts";
import { openProofScene, type ProofScene } from "./proof-scene.ts";

const clearSign = ["--clearsign"];
const detach = ["--armor", "--detach-sign"];
const detachText = ["--armor", "--textmode", "--detach-sign"];

/** `usage` is the primary key's. With `subkey`, that signs. */
const kinds = [
  { name: "ed25519", asn: "4242420001", usage: "sign", sign: clearSign },
  { name: "rsa3072", asn: "4242420002", usage: "sign", sign: detach },
  { name: "rsa2048", asn: "4242420003", usage: "sign", sign: detachText, isKeyCert: true },
  { name: "nistp256", asn: "4242420004", usage: "sign", sign: detach, isKeyCert: true },
  { name: "nistp384", asn: "4242420005", usage: "sign", sign: detachText },
  { name: "nistp521", asn: "4242420006", usage: "sign", sign: clearSign },
  { name: "rsa2048", asn: "4242420007", usage: "cert", subkey: "ed25519", sign: clearSign, isKeyCert: true },
  { name: "ed25519", asn: "4242420008", usage: "cert", subkey: "rsa2048", sign: detach },
  // As in old keys, the user ID is certified with SHA-1.
  { name: "rsa2048", asn: "4242420010", usage: "sign", sign: detach, isOld: true },
] as const;
const freeAsn = "4242420009";

const objects = Object.fromEntries([
  ...[...kinds.map(({ asn }) => asn), freeAsn].map((asn) => [
    `aut-num/AS${asn}`,
    `mnt-by: ADA-MNT\nadmin-c: P${asn}-P`,
  ]),
  ["person/P4242420001-P", "e-mail: ada@example.org"],
]);

const parts = new AsyncDisposableStack();
let gnupg: Gnupg;
/** Fingerprints by AS. */
const primaries = new Map<string, string>();

beforeAll(async () => {
  gnupg = parts.use(await openGnupg());
  for (const { name, asn, usage, ...more } of kinds) {
    const args = "isOld" in more ? ["--cert-digest-algo", "SHA1"] : [];
    const primary = await gnupg.createKey(asn, name, { usage, args });
    if ("subkey" in more) await gnupg.addSubkey(primary, more.subkey);
    // Most keys have one of these, too.
    await gnupg.addSubkey(primary, "cv25519", { usage: "encr" });
    primaries.set(asn, primary);
  }
});
afterAll(() => parts.disposeAsync());

function primaryOf(asn: string): string {
  return primaries.get(asn) ?? "";
}

describeWithDatabase("a PGP key of the registry", { postgres: "share" }, (openDatabase) => {
  let scene: ProofScene;

  beforeAll(async () => {
    scene = await openProofScene(await openDatabase(), objects);
  });
  afterAll(() => scene[Symbol.asyncDispose]());

  test.each(kinds)(
    "$name ($usage, AS$asn) registers and resets the password",
    async ({ asn, sign, ...more }) => {
      const { server, openBrowser } = scene;
      const primary = primaryOf(asn);
      const publicKey = await gnupg.exportKey(primary);
      const isKeyCert = "isKeyCert" in more;
      scene.keys.set(asn, [toPgpKey(primary, isKeyCert ? publicKey : null)]);
      const browser = openBrowser();
      const request = await browser.request(asn);
      expect(request.keys).toMatchObject([{ fingerprint: primary, needs_public_key: !isKeyCert }]);
      const attempt = async ({ challenge }: typeof request) => ({
        challenge: challenge.id,
        signature: await gnupg.run(["--local-user", primary, ...sign], { input: `${challenge.text}\n` }),
        ...(!isKeyCert && { public_key: publicKey }),
      });
      expect(await browser.setPassword(await attempt(request), goodPassword)).toMatchObject({ status: 200 });
      expect(await logIn(server, goodPassword, asn)).not.toEqual({ cookie: "" });

      const newPassword = `${goodPassword} again`;
      const reset = await browser.request(asn, true);
      expect(await browser.setPassword(await attempt(reset), newPassword)).toMatchObject({ status: 200 });
      const cookie = await logIn(server, newPassword, asn);
      const { body } = await server.post("/api/getActivity", { username: asn }, cookie);
      expect(JSON.stringify(body)).toContain(`a signature of the PGP key ${primary} of ADA-MNT`);
    },
  );

  test.each([
    ["clear-signed", clearSign],
    ["detached", detach],
    ["detached text", detachText],
  ])("a %s line is accepted with each line end, and with no other addition", async (_, sign) => {
    const primary = primaryOf("4242420001");
    scene.keys.set(freeAsn, [toPgpKey(primary, await gnupg.exportKey(primary))]);
    const prove = async (alter: (text: string) => string) => {
      const browser = scene.openBrowser();
      const { challenge } = await browser.request(freeAsn);
      const input = alter(challenge.text);
      const signature = await gnupg.run(["--local-user", primary, ...sign], { input });
      return (await browser.prove({ challenge: challenge.id, signature })).status;
    };
    for (const end of ["", "\n", "\r\n"])
      expect([end, await prove((text) => text + end)]).toEqual([end, 200]);
    for (const end of ["\n\n", "\nand more", "\n\r\n", " x"])
      expect([end, await prove((text) => text + end)]).toEqual([end, 422]);
    expect(await prove((text) => `-\n${text}`)).toBe(422);
    expect(await prove((text) => ` ${text}`)).toBe(422);
  });

  test("a signer's clock may be ten minutes ahead", async () => {
    const primary = primaryOf("4242420001");
    scene.keys.set(freeAsn, [toPgpKey(primary, await gnupg.exportKey(primary))]);
    const browser = scene.openBrowser();
    const { challenge } = await browser.request(freeAsn);
    const options = { input: challenge.text, at: "20260120T001000" };
    const signature = await gnupg.run(["--local-user", primary, "--clearsign"], options);
    expect(await browser.prove({ challenge: challenge.id, signature })).toMatchObject({ status: 200 });
  });
});
