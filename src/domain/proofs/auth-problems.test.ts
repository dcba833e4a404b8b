import { expect, test } from "vitest";
import { type AuthProblem, describeAuthProblem } from "./auth-problems.ts";

const name = "PGPKEY-0123ABCD";

/** One of each code. */
const samples: { readonly [Code in AuthProblem["code"]]: Extract<AuthProblem, { readonly code: Code }> } = {
  "empty-line": { code: "empty-line" },
  "too-many-lines": { code: "too-many-lines", max: 24 },
  "unsupported-type": { code: "unsupported-type", type: "ssh-dss" },
  "unreadable-key": { code: "unreadable-key", type: "ssh-ed25519" },
  "short-rsa-key": { code: "short-rsa-key", bits: 1024 },
  "long-rsa-key": { code: "long-rsa-key", bits: 32_768, maxBits: 16_384 },
  "short-fingerprint": { code: "short-fingerprint", digits: 8 },
  "unreadable-fingerprint": { code: "unreadable-fingerprint" },
  "no-key-cert": { code: "no-key-cert", name },
  "unreadable-key-cert": { code: "unreadable-key-cert", name },
  "other-pgp-version": { code: "other-pgp-version", name, version: 3 },
};

test("each problem has a sentence that says what to do", async () => {
  const texts = Object.values(samples).map((problem) => `${problem.code}: ${describeAuthProblem(problem)}\n`);
  await expect(texts.join("")).toMatchFileSnapshot("golden/auth-problems.txt");
});
