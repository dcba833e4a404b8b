/** Imitates the translation of a browser, as Chrome does it, and reports what the app does wrong under it. */
import type { Page } from "playwright";

export interface TranslationFaults {
  /** Texts that the app changed after the translation had replaced them: the screen still shows the former text. */
  readonly stale: readonly string[];
  /** Texts that React refers to, which it therefore can neither change nor remove once they are replaced. */
  readonly referenced: readonly string[];
}

/** Returns what the translation makes of a text. */
export function translated(text: string): string {
  return `⟦${text}⟧`;
}

/**
 * Translates all pages that are opened from now on: replaces each text node by two nested `<font>` elements with another
 * text, at once and whenever the page changes, except where a page or a browser excludes it.
 */
export async function translatePages(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const excluded = "head, [translate=no], .notranslate, script, style, textarea, noscript, svg";
    const faults: { stale: string[]; referenced: string[] } = { stale: [], referenced: [] };
    Reflect.set(window, "translationFaults", faults);
    const ownTexts = new WeakSet<Node>();

    const replace = (text: Text) => {
      const parent = text.parentElement;
      if (!parent || ownTexts.has(text) || text.data.trim() === "" || parent.closest(excluded)) return;
      const original = text.data;
      const where = `<${parent.tagName.toLowerCase()} class="${parent.className}"> ${original}`;
      if (Object.keys(text).some((key) => key.startsWith("__reactFiber"))) faults.referenced.push(where);
      const [outer, inner] = [document.createElement("font"), document.createElement("font")];
      const translation = document.createTextNode(`⟦${original}⟧`);
      ownTexts.add(translation);
      for (const font of [outer, inner]) font.style.verticalAlign = "inherit";
      outer.append(inner);
      inner.append(translation);
      text.replaceWith(outer);
      new MutationObserver(() => faults.stale.push(`${where} → ${text.data}`)).observe(text, {
        characterData: true,
      });
    };
    const replaceIn = (node: Node) => {
      if (node instanceof Text) {
        replace(node);
        return;
      }
      const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      for (const text of texts) replace(text);
    };
    new MutationObserver((records) => {
      for (const { target, addedNodes } of records) {
        if (target instanceof Text) replace(target);
        for (const node of addedNodes) if (node.isConnected) replaceIn(node);
      }
    }).observe(document, { childList: true, characterData: true, subtree: true });
  });
}

/** What the app did wrong since the page was loaded. */
export function translationFaults(page: Page): Promise<TranslationFaults> {
  return page.evaluate(() => Reflect.get(window, "translationFaults") as TranslationFaults);
}
