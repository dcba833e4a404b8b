/**
 * Long test files that `npm test` does not run with each commit. Each has a subject that no change touches by chance, or that
 * the other files of its group cover in part.
 */
import { oneOfCommit } from "../../support/share-of-commit.ts";

/**
 * Groups of files by the step that runs them. Of each group one file runs with each commit, and all run with EVERY_CASE=1. The
 * files contain no `longTest`, which would run with one of six to twelve commits.
 */
export const rotatingFiles: Readonly<Record<string, ReadonlyArray<readonly string[]>>> = {
  lab: [
    ["tests/lab/forwarding-faults.test.ts", "tests/lab/left-out-tunnels.test.ts"],
    ["tests/lab/agent-package.test.ts", "tests/lab/drift.test.ts", "tests/lab/address-families.test.ts"],
    ["tests/lab/peering-options.test.ts", "tests/lab/session-faults.test.ts"],
    ["tests/lab/package-purge.test.ts", "tests/lab/probes.test.ts"],
    ["tests/lab/repair-pause.test.ts", "tests/lab/operator-edits.test.ts"],
  ],
  integration: [
    ["tests/integration/server/storage-faults.test.ts", "tests/integration/server/postgres-stalls.test.ts"],
    [
      "tests/integration/server/unread-responses.test.ts",
      "tests/integration/server/postgres-backup.test.ts",
      "tests/integration/server/edit-limit.test.ts",
    ],
    [
      "tests/integration/accounts/proofs/pgp-proofs.test.ts",
      "tests/integration/accounts/proofs/ssh-proofs.test.ts",
    ],
    [
      "tests/integration/accounts/proofs/forged-pgp-proofs.test.ts",
      "tests/integration/accounts/proofs/forged-ssh-proofs.test.ts",
    ],
    ["tests/integration/registry/register-by-key.test.ts", "tests/integration/registry/auth-kinds.test.ts"],
  ],
  programs: [
    [
      "tests/integration/provider/killed-recovery.test.ts",
      "tests/integration/campaigns/server-campaign.test.ts",
      "tests/integration/provider/killed-programs.test.ts",
    ],
    ["tests/integration/server/server-crash.test.ts", "tests/integration/provider/two-servers.test.ts"],
    [
      "tests/integration/provider/damaged-backup.test.ts",
      "tests/integration/provider/deleted-rows.test.ts",
      "tests/integration/provider/installation-kind.test.ts",
    ],
  ],
  install: [["tests/install/image.test.ts", "tests/install/npm-package.test.ts"]],
  machine: [["tests/machine/install-guide.test.ts", "tests/machine/nodes-guide.test.ts"]],
  e2e: [
    [
      "tests/e2e/accessibility-offline.test.ts",
      "tests/e2e/accessibility-loading.test.ts",
      "tests/e2e/accessibility-public.test.ts",
      "tests/e2e/accessibility-views.test.ts",
    ],
    ["tests/e2e/keyboard.test.ts", "tests/e2e/translated.test.ts", "tests/e2e/pasted-keys.test.ts"],
    ["tests/e2e/broken-versions.test.ts", "tests/e2e/chaos.test.ts"],
    [
      "tests/e2e/key-proof.test.ts",
      "tests/e2e/kioubit.test.ts",
      "tests/e2e/passkeys.test.ts",
      "tests/e2e/api-page.test.ts",
    ],
    ["tests/e2e/device-notifications.test.ts", "tests/e2e/mailed-link.test.ts", "tests/e2e/install.test.ts"],
  ],
  engines: [["tests/engines/firefox.test.ts", "tests/engines/webkit.test.ts"]],
};

/** The files of a step that run with other commits. */
export function filesOfOtherCommits(step: string): readonly string[] {
  return (rotatingFiles[step] ?? []).flatMap((group) => {
    const chosen = oneOfCommit(group, group.join());
    return group.filter((file) => !chosen.includes(file));
  });
}
