import { expect } from "vitest";
import { participant } from "#mocks/state.ts";
import { testRows } from "./rows.ts";
import type { AppTab } from "../../support/app-tab.tsx";
import { waitFor } from "../../support/wait-for.ts";
import { provider } from "#mocks/provider.ts";
import { addPeering } from "#mocks/samples.ts";
import { viewRows } from "../table/views.ts";
import {
  button,
  bySelector,
  expectCount,
  expectEnabled,
  expectShown,
  field,
  fill,
  find,
  heading,
  submit,
  text,
} from "./screen.ts";

const written = { name: "Ann", email: "ann@example.org", message: "Hello" };
const failed =
  "Failed to submit message. Please double-check your data to ensure the email address format is valid and that there are no special characters in the name.";
const thanks = "Your message has been submitted. We will get back to you as soon as we can. Thank you";

async function write(changed: Partial<typeof written> = {}): Promise<void> {
  const { name, email, message } = { ...written, ...changed };
  await fill({ "Your name": name, "Your email address": email, "Your message": message });
}

async function send(app: AppTab): Promise<void> {
  app.open("/manager?view=contact");
  await write();
  await submit();
}

const host = "https://grafana.example.org";
const frames = bySelector("iframe");
const sources = () => frames().map((each) => each.getAttribute("src"));

testRows(viewRows, {
  "contact-form": async ({ app, backend }) => {
    app.open("/manager?view=contact");
    for (const label of ["Your name", "Your email address", "Your message"]) {
      await expectShown(field(label));
    }
    await write();
    backend.state.hanging.push("submitContactForm");
    const submits = await find(button("Submit"));
    submits.click();
    submits.click();
    await expectEnabled(button("Submit"), false);
    await waitFor(() => expect(backend.sent("submitContactForm")).not.toEqual([]));
    expect(
      backend.received("submitContactForm").map(({ method, path, body }) => [method, path, body]),
    ).toEqual([["POST", "/api/submitContactForm", { username: participant.asn, ...written }]]);
  },
  "contact-client-checks": async ({ app, backend }) => {
    app.open("/manager?view=contact");
    for (const changed of [{ email: "ann at example" }, { name: "Ann <x>" }, { message: "" }]) {
      await write(changed);
      await submit();
      await expectShown(text(failed));
      await write();
      await expectCount(text(failed), 0);
    }
    expect(backend.sent("submitContactForm")).toEqual([]);
  },
  "contact-success": async ({ app, backend }) => {
    for (const body of ["", "OK", "null"]) {
      backend.replyText("submitContactForm", body);
      await send(app);
      await expectShown(text(thanks));
    }
  },
  "contact-failure": async ({ app, backend }) => {
    backend.refuse("submitContactForm", 422, { message: "Not an address.", field: "email" });
    await send(app);
    await expectShown(text(failed));
    backend.cutOff("submitContactForm");
    await send(app);
    await expectShown(text(failed));
  },
  "node-panels": async ({ app, backend }) => {
    addPeering(backend.state);
    addPeering(backend.state, { node: "de01" });
    const dashboards = {
      node_cpu: `${host}/cpu?from=now-3h&to=now&var-node={node}`,
      node_memory: `${host}/memory?var-node={node}`,
      interface: `${host}/iface?from=now-3h&to=now&var-node={node}&var-as={asn}`,
      total_routes: "",
    };
    backend.reply("provider", { ...provider, dashboards });
    app.open("/manager?view=nodes&node=syd01");
    await expectCount(frames, 4);
    expect(sources()).toEqual([
      `${host}/cpu?from=now-3h&to=now&var-node=syd01`,
      `${host}/memory?var-node=syd01&from=now-3h&to=now`,
      `${host}/iface?from=now-3h&to=now&var-node=syd01&var-as=${participant.asn}`,
      `${host}/iface?from=now-3h&to=now&var-node=de01&var-as=${participant.asn}`,
    ]);
    await expectShown(text("The last 3 hours."));
    for (const node of ["syd01", "de01"]) await expectShown(heading(`${node} - iface AS${participant.asn}`));
  },
  "stats-panel": async ({ app, backend }) => {
    const panel = `${host}/routes?from=now-3h&to=now`;
    backend.reply("provider", { ...provider, dashboards: { ...provider.dashboards, total_routes: panel } });
    app.open("/manager?view=stats");
    await expectShown(heading("Total routes"), frames);
    expect(sources()).toEqual([panel]);
  },
});
