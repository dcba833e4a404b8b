/** Returns the element whose content a text begins. A text with siblings has an element of its own (src/web/jsx). */
export function parentOf({ parentElement }: HTMLElement): HTMLElement {
  if (parentElement === null) throw new Error("the element has no parent");
  return parentElement;
}
