import { expect, it } from "vitest";
import { parseDisplayLocale } from "./display-locale.ts";

it.each([
  ["de", "de"],
  ["en-gb", "en-GB"],
  ["zh-Hant-TW", "zh-Hant-TW"],
  ["C", "en"],
  ["en_US.UTF-8", "en"],
  ["", "en"],
  [undefined, "en"],
])("the display locale for %s is %s, which Intl accepts", (language, locale) => {
  expect(parseDisplayLocale(language)).toBe(locale);
  expect(new Intl.NumberFormat(locale).format(1)).toBe("1");
});
