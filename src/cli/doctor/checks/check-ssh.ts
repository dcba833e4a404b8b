import { findSshKeygenFault } from "#server/features/accounts/proofs/ssh/ssh-keygen.ts";
import { finding } from "../sentences/sentences.ts";
import type { Check } from "../doctor-context.ts";

export const checkSsh: Check = {
  name: "ssh-keygen",
  run: async ({ machine }) => {
    const reason = await findSshKeygenFault(machine.run);
    return [reason === null ? finding("ssh-ok") : finding("ssh-unusable", { reason })];
  },
};
