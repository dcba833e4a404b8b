/** What the engine knows of Chakra's system, written into the built app by `tests/support/built-styles.ts`. */
export interface StyleData {
  /** Style properties that the app's source mentions: all of CSS and of Chakra, separated by spaces. */
  readonly properties: string;
  /** `px` is `paddingInline`. */
  readonly shorthands: Readonly<Record<string, string>>;
  /** The selectors and at-rules of `_hover` or `md`, from the outside to the inside. */
  readonly conditions: Readonly<Record<string, readonly string[]>>;
  /** Chakra's properties that set others to the same value: `boxSize` sets `width` and `height`. */
  readonly targets: Readonly<Record<string, readonly string[]>>;
  /** Chakra's values that set other properties: `srOnly: true`. */
  readonly fixed: Readonly<Record<string, Readonly<Record<string, StyleObject>>>>;
  /** The kind of tokens by property: "colors". */
  readonly kinds: Readonly<Record<string, string>>;
  /** The names of each kind's tokens, separated by spaces. */
  readonly tokens: Readonly<Record<string, string>>;
}

/** A style of Chakra, or CSS with nested selectors and at-rules, as an object. */
export interface StyleObject {
  readonly [key: string]: StyleObject | StyleValue;
}

export type StyleValue = string | number | boolean | null | undefined;
