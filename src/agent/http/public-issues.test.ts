import { expect, test } from "vitest";
import { describePublicly } from "./public-issues.ts";

const problem = "This node has a problem. Its operator can see the details.";

test.each([
  { issues: [], publicIssues: [], read: [] },
  { issues: ["wg-per01 is blocked."], publicIssues: [], read: [problem] },
  { issues: ["bird.conf was changed.", "wg-per01 is blocked."], publicIssues: ["Wait."], read: ["Wait."] },
])("of $issues, participants read $read", ({ issues, publicIssues, read }) => {
  expect(describePublicly(issues, publicIssues)).toEqual(read);
});
