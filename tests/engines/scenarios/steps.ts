/** Steps that several scenarios share. */
import { tunnelDetails } from "../../e2e/tunnel-details.ts";
import type { Scene } from "../scene.ts";
import type { Screen } from "../screen.ts";

export async function logIn({ screen, participant, password }: Scene): Promise<void> {
  await screen.open("/login");
  await screen.waitFor("heading", "Login page");
  await screen.fill("ASN", participant.asn);
  await screen.fill("Password", password);
  await screen.click("button", "Login");
  await screen.waitFor("heading", "Dashboard");
}

/** From the dashboard to the step with the participant's side of the tunnel. */
export async function openDetailsStep(screen: Screen, node: string): Promise<void> {
  await screen.click("link", "Create new peering");
  await screen.waitFor("heading", "Select a node");
  await screen.click("button", new RegExp(`^${node}\\.`));
  await screen.click("button", "Next");
  await screen.waitFor("heading", "BGP details");
  await screen.click("radio", "IPv6");
  await screen.click("radio", "No");
  await screen.click("button", "Next");
  await screen.waitFor("heading", "Your details");
}

/** The address is within this step's family, IPv6. */
export async function fillDetails(screen: Screen): Promise<void> {
  for (const [label, value] of tunnelDetails("fe80::51")) await screen.fill(label, value);
}

/** From the details step to the end of the deployment. */
export async function deploy(screen: Screen): Promise<void> {
  await screen.click("button", "Next");
  await screen.waitFor("heading", "Confirm your details");
  await screen.click("button", "Submit");
  await screen.waitFor("heading", "Success!");
}
