import type { Page } from "playwright";

export interface VirtualAuthenticator {
  /** Takes the device away. */
  remove(): Promise<void>;
}

/** Gives the browser a device with passkeys, whose owner always agrees (WebAuthn, 11: automation). */
export async function addVirtualAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    remove: async () =>
      void (await devtools.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId })),
  };
}
