import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { annotateReasons, communityFunction } from "./filter-reasons.ts";

test("describes the provider's reason communities and leaves others unchanged", () => {
  const reason = "\tBGP.large_community: (4242422227, 4242, 1)";
  const others = " (4242420001, 4242, 1) (4242422227, 4242, 99)\n";
  const annotated = `${reason} [refused: a default route]${others}`;
  expect(annotateReasons(`${reason}${others}`, "4242422227")).toBe(annotated);
});

test("the policy in docs/bird uses the same community", () => {
  const policy = readFileSync(new URL("../../../../docs/bird/peerdeck-policy.conf", import.meta.url), "utf8");
  expect(policy).toContain(`bgp_large_community.add((OWN_AS, ${communityFunction}, reason));`);
});
