/** A device with a wrong clock shows the same ages as any other. */
import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { nodeSamplesFor } from "#mocks/observations.ts";
import { participant } from "#mocks/state.ts";
import { openApp, useBackend } from "../accounts/open-app.tsx";

const backend = useBackend();

it("the age of the newest sample is correct on a device whose clock is an hour ahead", async () => {
  backend.state.loggedInAs = participant.asn;
  backend.reply("getNodeSamples", () => {
    const now = Date.now() - 3_600_000;
    return Response.json(nodeSamplesFor(backend.state, participant.asn, now), {
      headers: { date: new Date(now).toUTCString() },
    });
  });
  await openApp("/manager?view=stats");
  expect(await screen.findByText(/^Last sample: (?:59 s|1 min) ago$/, {}, { timeout: 3000 })).toBeTruthy();
});
