/** Lighthouse's phone, emulated with DevTools: "slow 4G" and a quarter of the CPU's speed. */
import type { Page } from "playwright";

const bytes = (kilobits: number) => (kilobits * 1024) / 8;

/** Returns a function that restores full speed. */
export async function slowNetwork(page: Page): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  const emulate = (latency: number, downloadThroughput: number, uploadThroughput: number) =>
    session.send("Network.emulateNetworkConditions", {
      offline: false,
      latency,
      downloadThroughput,
      uploadThroughput,
    });
  await session.send("Network.enable");
  await emulate(562.5, bytes(1474.56), bytes(675));
  return async () => {
    await emulate(0, -1, -1);
    await session.detach();
  };
}

/** Returns a function that restores full speed. @param rate how many times slower */
export async function slowCpu(page: Page, rate: number): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate });
  return async () => {
    await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
    await session.detach();
  };
}
