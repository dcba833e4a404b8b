import { expect, test } from "vitest";
import { describeBrowser } from "./browser-name.ts";

test.each([
  ["Firefox on Linux", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"],
  [
    "Chrome on Windows",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36",
  ],
  [
    "Edge on Windows",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36 Edg/139.0.0.0",
  ],
  [
    "Safari on iOS",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
  ],
  [
    "Safari on macOS",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
  ],
  [
    "Chrome on Android",
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Mobile Safari/537.36",
  ],
  [
    "Opera on Linux",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36 OPR/123.0.0.0",
  ],
  [
    "Vivaldi on ChromeOS",
    "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36 Vivaldi/7.5",
  ],
  [
    "Samsung Internet on Android",
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36",
  ],
  ["curl", "curl/8.14.1"],
  ["Wget", "Wget/1.25.0"],
  ["Python", "python-requests/2.32.4"],
  ["Python", "Python-urllib/3.13"],
  ["Python", "python-httpx/0.28.1"],
  ["Node.js", "node"],
  ["Node.js", "undici"],
  ["Unknown browser", "<script>alert(1)</script>"],
])("%s", (name, userAgent) => {
  expect(describeBrowser(userAgent)).toBe(name);
});

test.each([
  "my-curl/1",
  "my-Wget/1",
  "my-python-requests/1",
  "my-Python-urllib/1",
  "my-python-httpx/1",
  "my-node",
  "my-undici",
  "node-my",
  "undici-my",
])("%s is unknown", (userAgent) => {
  expect(describeBrowser(userAgent)).toBe("Unknown browser");
});

test("a client without the header is unknown", () => {
  expect(describeBrowser(null)).toBe("Unknown browser");
});
