/** Everything on the screen that says that something failed, even for a moment. */
import type { Page } from "playwright";

export interface Failures {
  /** Returns the failures since the last call, each once. */
  readonly take: () => readonly string[];
}

/**
 * Records alerts, Retry buttons, and texts of failures and of missing values that no code expected.
 *
 * @param allowed alerts that the specification puts on a screen
 */
export async function recordFailures(page: Page, allowed: readonly string[]): Promise<Failures> {
  const failures = new Set<string>();
  await page.exposeFunction("recordFailure", (failure: string) => failures.add(failure));
  await page.addInitScript((permitted) => {
    const record = Reflect.get(globalThis, "recordFailure") as (failure: string) => void;
    const failure =
      /did not work|Retry|could not be|last (?:status )?check|No reason was given|went wrong|undefined|NaN|\bnull\b|\[object/;
    const inspect = () => {
      const root = document.querySelector("#root");
      for (const { textContent } of root?.querySelectorAll("[role=alert]") ?? [])
        if (textContent !== "" && !permitted.includes(textContent)) record(`alert: ${textContent}`);
      if (!root || !failure.test(root.textContent)) return;
      for (const { children, textContent } of root.querySelectorAll("*"))
        if (children.length === 0 && failure.test(textContent)) record(textContent);
    };
    new MutationObserver(inspect).observe(document, { subtree: true, childList: true, characterData: true });
  }, allowed);
  return {
    take: () => {
      const taken = Array.from(failures);
      failures.clear();
      return taken;
    },
  };
}
