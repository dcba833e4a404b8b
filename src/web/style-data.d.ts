declare module "virtual:style-data" {
  import type { StyleData } from "#web/ui/styling/style-data.ts";

  export const data: StyleData;
  /** CSS of the reset, of the app's global styles and of the tokens. */
  export const globalRules: readonly string[];
}
