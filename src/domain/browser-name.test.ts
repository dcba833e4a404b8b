import { expect, test } from "vitest";
import { describeBrowser } from "./browser-name.ts";

const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";
const chrome = `${webkit} Chrome/139.0.0.0 Safari/537.36`;
const safari = "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5";
const mobile = `${webkit} Chrome/139.0.0.0 Mobile Safari/537.36`;
const samsung = `${webkit} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`;

test.each([
  ["Firefox on Linux", "X11; Linux x86_64; rv:140.0", "Gecko/20100101 Firefox/140.0"],
  ["Chrome on Windows", "Windows NT 10.0; Win64; x64", chrome],
  ["Edge on Windows", "Windows NT 10.0; Win64; x64", `${chrome} Edg/139.0.0.0`],
  ["Safari on iOS", "iPhone; CPU iPhone OS 18_5 like Mac OS X", `${safari} Mobile/15E148 Safari/604.1`],
  ["Safari on macOS", "Macintosh; Intel Mac OS X 10_15_7", `${safari} Safari/605.1.15`],
  ["Chrome on Android", "Linux; Android 10; K", mobile],
  ["Opera on Linux", "X11; Linux x86_64", `${chrome} OPR/123.0.0.0`],
  ["Vivaldi on ChromeOS", "X11; CrOS x86_64 14541.0.0", `${chrome} Vivaldi/7.5`],
  ["Samsung Internet on Android", "Linux; Android 10; K", samsung],
])("%s", (name, platform, rest) => {
  expect(describeBrowser(`Mozilla/5.0 (${platform}) ${rest}`)).toBe(name);
});

test.each([
  ["curl", "curl/8.14.1"],
  ["Wget", "Wget/1.25.0"],
  ["Python", "python-requests/2.32.4", "Python-urllib/3.13", "python-httpx/0.28.1"],
  ["Node.js", "node", "undici"],
  ["Unknown browser", "my-curl/1", "my-Wget/1", "my-python-requests/1", "my-Python-urllib/1"],
  ["Unknown browser", "my-python-httpx/1", "my-node", "my-undici", "node-my", "undici-my"],
  ["Unknown browser", "<script>alert(1)</script>", null],
])("programs and others: %s", (name, ...userAgents) => {
  expect(userAgents.map(describeBrowser)).toEqual(userAgents.map(() => name));
});
