import type { Scene } from "../scene.ts";

export async function logIn({ screen, participant, password }: Scene): Promise<void> {
  await screen.open("/login");
  await screen.waitFor("heading", "Login page");
  await screen.fill("ASN", participant.asn);
  await screen.fill("Password", password);
  await screen.click("button", "Login");
  await screen.waitFor("heading", "Dashboard");
}
