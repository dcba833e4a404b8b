import { describe, expect, it } from "vitest";
import { takePasswordToken } from "./password-token.ts";

function open(address: string) {
  const shown: string[] = [];
  const location = { href: `https://peer.example${address}` };
  const history = {
    state: null,
    replaceState: (_state: unknown, _unused: string, url?: string | URL | null) => shown.push(String(url)),
  };
  return { token: takePasswordToken(location, history), shown };
}

describe("takePasswordToken", () => {
  it("removes the token from the address and keeps the rest", () => {
    expect(open("/setPassword?a=1&token=s3cret&b=2#c")).toEqual({
      token: "s3cret",
      shown: ["/setPassword?a=1&b=2#c"],
    });
  });

  it("removes an empty token too and returns null", () => {
    expect(open("/setPassword/?token=")).toEqual({ token: null, shown: ["/setPassword/"] });
  });

  it.each(["/setPassword", "/setPassword?a=1", "/login?token=s3cret", "/x/setPassword?token=s3cret"])(
    "does not change %s",
    (address) => {
      expect(open(address)).toEqual({ token: null, shown: [] });
    },
  );
});
