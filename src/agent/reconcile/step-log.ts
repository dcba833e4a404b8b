import type { Report } from "../drivers/router.ts";

/** What a router reported during one set; each participant is shown the shared steps and its own. */
export interface StepLog {
  readonly report: Report;
  readonly of: (asn: string) => readonly string[];
  readonly shared: () => readonly string[];
  readonly all: () => readonly string[];
}

export function createStepLog(): StepLog {
  const steps: Array<{ readonly sentence: string; readonly asn: string | undefined }> = [];
  const sentences = (shown: (asn: string | undefined) => boolean) =>
    steps.filter(({ asn }) => shown(asn)).map(({ sentence }) => sentence);
  return {
    report: (sentence, asn) => {
      steps.push({ sentence, asn });
    },
    of: (asn) => sentences((whose) => whose === undefined || whose === asn),
    shared: () => sentences((whose) => whose === undefined),
    all: () => sentences(() => true),
  };
}
