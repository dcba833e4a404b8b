import { expect } from "vitest";
import { testRows } from "./rows.ts";
import { expectShown } from "./screen.ts";
import { deploying, replyWithTask } from "../scenarios/deployment.ts";
import { deploymentRows } from "../table/deployment.ts";

testRows(
  deploymentRows,
  {
    "deploy-waiting": async ({ page, backend }) => {
      await page.goto(replyWithTask(backend, "waiting", "new"));
      const loader = page.getByRole("status").filter({ hasText: deploying });
      await expectShown(loader);
      expect(await loader.textContent()).toBe(deploying);
      expect(await loader.evaluate((element) => element.getAnimations({ subtree: true }).length)).toBe(1);
    },
  },
  { isLoggedIn: true },
);
