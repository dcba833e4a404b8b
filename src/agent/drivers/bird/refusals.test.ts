import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { explainRefusals, refusalFunction } from "./refusals.ts";

test("a mark of our filters is told in words, another's is left alone", () => {
  expect(
    explainRefusals(
      "\tBGP.large_community: (4242422227, 4242, 1) (4242420001, 4242, 1) (4242422227, 4242, 99)\n",
      "4242422227",
    ),
  ).toBe(
    "\tBGP.large_community: (4242422227, 4242, 1) [refused: a default route] (4242420001, 4242, 1) (4242422227, 4242, 99)\n",
  );
});

test("the policy that is offered marks as it is read here", () => {
  const policy = readFileSync(new URL("../../../../docs/bird/peerdeck-policy.conf", import.meta.url), "utf8");
  expect(policy).toContain(`bgp_large_community.add((OWN_AS, ${refusalFunction}, reason));`);
});
