import { tunnelDetails } from "../../e2e/tunnel-details.ts";
import type { Scenario } from "../scene.ts";
import { logIn } from "./steps.ts";

/** The wizard, the tabs and a modal without a mouse. */
export const keyboardScenario: Scenario = {
  name: "the wizard, the tabs and a modal work by keyboard alone",
  async run(scene) {
    const { screen } = scene;
    await logIn(scene);
    await screen.waitForFocus("Dashboard");
    await screen.tabTo("Create new peering");
    await screen.press("Enter");

    await screen.waitForFocus("Select a node");
    await screen.tabTo(/^per01/);
    await screen.press("Space");
    await screen.tabTo("Next");
    await screen.press("Enter");

    await screen.waitForFocus("BGP details");
    // Tab goes to the family that is chosen, and the arrow keys to its neighbours. WebKit does not wrap around.
    await screen.tabTo(/^(IPv4|Both)$/);
    await screen.press((await screen.focus()).name === "IPv4" ? "ArrowRight" : "ArrowLeft");
    await screen.waitForFocus("IPv6");
    await screen.tabTo(/^(Yes|No)$/);
    if ((await screen.focus()).name === "Yes") await screen.press("ArrowRight");
    await screen.waitForFocus("No");
    await screen.press("Space");
    await screen.tabTo("Next");
    await screen.press("Enter");

    await screen.waitForFocus("Your details");
    for (const [label, value] of tunnelDetails()) {
      await screen.tabTo(label);
      await screen.type(value);
    }
    await screen.press("Enter");
    await screen.waitForFocus("Confirm your details");
    await screen.tabTo("Submit");
    await screen.press("Enter");
    await screen.waitForFocus("Success!");

    await screen.tabTo("View peering");
    await screen.press("Enter");
    await screen.waitForFocus("per01.demo.dn42");
    // Without the tabs, Tab would lead to the link of the header with the same name.
    await screen.waitFor("tab", "Status");
    await screen.tabTo("Status");
    await screen.press("ArrowRight");
    await screen.waitForFocus("Detailed Info");
    await screen.press("ArrowRight");
    await screen.waitForFocus("Troubleshooting");
    await screen.press("End");
    await screen.waitForFocus("Edit Peering");
    await screen.press("Home");
    await screen.waitForFocus("Status");
    await screen.press("End");
    await screen.waitForFocus("Edit Peering");
    await screen.press("ArrowLeft");
    await screen.waitForFocus("Troubleshooting");

    await screen.tabTo("Check BGP config");
    await screen.press("Enter");
    await screen.waitFor("dialog", "BGP Config Check");
    await screen.waitForFocus("Close");
    await screen.press("Escape");
    await screen.waitForNone("dialog", "BGP Config Check");
    await screen.waitForFocus("Check BGP config");
  },
};
