/** "Other ways to prove that an AS is yours", below the forms of registration and password reset. */
import { createEvent, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { provider } from "#mocks/provider.ts";
import { refusedSignature, requestProof } from "#mocks/proofs.ts";
import { participant } from "#mocks/state.ts";
import { fill } from "../../spec/jsdom/screen.ts";
import { openApp, useBackend } from "./open-app.tsx";

const backend = useBackend();
const { asn } = participant;
const [sshKey, pgpKey] = requestProof(asn, false).keys;
const noMail = {
  message: `The registry lists no email address for AS${asn}. Add "e-mail:" to the person object.`,
  field: "asn",
};

const armour = (kind: string, body: string) => `-----BEGIN ${kind}-----\n${body}\n-----END ${kind}-----\n`;
const signature = armour("SSH SIGNATURE", "U1NIU0lHAAAAAQ");
const publicKey = armour("PGP PUBLIC KEY BLOCK", "\nmDMEaQ");
const privateKey = armour("OPENSSH PRIVATE KEY", "b3BlbnNzaC1rZXktdjEA");

const line = () => screen.queryByText(/^Other ways to prove that/);
const box = (name: string) => screen.getByRole<HTMLTextAreaElement>("textbox", { name });
const choose = (name: RegExp) => screen.findByRole<HTMLInputElement>("radio", { name });
const prove = () => screen.getByRole<HTMLButtonElement>("button", { name: "Prove" });
const describedBy = (element: HTMLElement) =>
  (element.getAttribute("aria-describedby") ?? "")
    .split(" ")
    .map((id) => document.getElementById(id)?.textContent ?? "")
    .join(" ");
const region = (title: string) => screen.findByRole("region", { name: title });

async function open(path = "/register") {
  const app = await openApp(path);
  await screen.findByRole("button", { name: "Next" });
  await fill({ ASN: asn });
  await app.user.click(await screen.findByText(`Other ways to prove that AS${asn} is yours`));
  return app;
}

async function openWithKey(name = /^SSH key/, path?: string) {
  const app = await open(path);
  await app.user.click(await choose(name));
  return app;
}

const printed: string[] = [];
beforeEach(() => {
  printed.length = 0;
  vi.spyOn(console, "error").mockImplementation((...texts) => void printed.push(texts.map(String).join(" ")));
});
afterEach(() => void vi.restoreAllMocks());

const file = (name: string, text: string) => new File([text], name);

/** A text to sign that is valid for so long. */
function textFor(validMs: number) {
  const request = requestProof(asn, false);
  return { ...request, challenge: { ...request.challenge, expires: Date.now() + validMs } };
}

describe("the line below the form", () => {
  it.each([[[]], [["passkey"]]])("is absent where the server names only the ways %j", async (ways) => {
    backend.reply("provider", { ...provider, ways_in: ways });
    await openApp("/register");
    await screen.findByRole("button", { name: "Next" });
    expect(line()).toBeNull();
  });

  it("offers Kioubit's service where the server has it, without a question to the registry", async () => {
    backend.reply("provider", { ...provider, ways_in: ["kioubit"] });
    await open();
    expect(await screen.findByRole("button", { name: "Prove with Kioubit's service" })).toBeTruthy();
    expect(backend.sent("requestProof")).toEqual([]);
  });

  it("asks for the AS number first, and for its keys when the participant wants them", async () => {
    const { user } = await openApp("/register");
    await user.click(await screen.findByText("Other ways to prove that your AS is yours"));
    await screen.findByText("Enter your AS number above first.");
    await user.type(screen.getByLabelText("ASN"), `AS${asn}`);
    expect(backend.sent("requestProof")).toEqual([]);
    await user.click(screen.getByRole("button", { name: `Show the keys of AS${asn}` }));
    await choose(/^SSH key/);
    expect(backend.sent("requestProof")).toEqual([{ asn }]);
  });

  it("keeps what was pasted while another AS number is typed by mistake", async () => {
    const { user } = await openWithKey();
    fireEvent.change(box("Signature"), { target: { value: signature } });
    await user.type(screen.getByLabelText("ASN"), "0");
    expect(screen.queryByRole("textbox", { name: "Signature" })).toBeNull();
    await user.type(screen.getByLabelText("ASN"), "{Backspace}");
    expect(box("Signature").value).toBe(signature);
    expect(backend.sent("requestProof")).toHaveLength(1);
  });

  it("opens by itself for an AS without a mail address, whose message stays, and its text takes the focus", async () => {
    backend.refuse("sendEmailVerification", 422, noMail);
    const { user } = await openApp("/register");
    await screen.findByRole("button", { name: "Next" });
    await fill({ ASN: asn });
    await user.click(screen.getByRole("button", { name: "Next" }));
    const text = await screen.findByText(/^Sign a text with a key that the registry lists for AS/);
    expect(document.activeElement).toBe(text);
    expect(screen.getByText(noMail.message)).toBeTruthy();
    expect(line()?.closest("details")?.open).toBe(true);
  });

  it("stays closed for a text that is no AS number, and for the provider's", async () => {
    backend.refuse("sendEmailVerification", 422, { message: "Not this one.", field: "asn" });
    const { user } = await openApp("/register");
    await screen.findByRole("button", { name: "Next" });
    for (const value of ["0", provider.asn]) {
      await fill({ ASN: value });
      await user.click(screen.getByRole("button", { name: "Next" }));
      await screen.findByText("Not this one.");
      expect([value, line()?.closest("details")?.open]).toEqual([value, false]);
    }
    expect(backend.sent("requestProof")).toEqual([]);
  });
});

describe("the keys of the registry", () => {
  it("are listed with maintainer and fingerprint, and unusable lines with their reasons", async () => {
    const { user } = await open();
    const radio = await choose(/^SSH key.*ssh-ed25519.*ADA-MNT/);
    expect(describedBy(radio)).toContain(sshKey?.fingerprint);
    expect(screen.getAllByRole("button", { name: "Copy fingerprint" })).toHaveLength(2);
    await user.click(screen.getByText("1 line of the registry cannot be used"));
    expect(screen.getByText(/^Peerdeck does not accept ssh-dss here\./)).toBeTruthy();
    expect(screen.queryByRole("textbox", { name: "Signature" })).toBeNull();
  });

  it("of which there is one, it is chosen", async () => {
    backend.reply("requestProof", { ...requestProof(asn, false), keys: [sshKey], unusable: [] });
    await open();
    expect((await choose(/^SSH key/)).checked).toBe(true);
    expect(screen.queryByText(/cannot be used/)).toBeNull();
  });

  it("of a kind that the server cannot verify are among the unusable lines", async () => {
    backend.reply("provider", { ...provider, ways_in: ["pgp"] });
    const { user } = await open();
    await choose(/^PGP key/);
    expect(screen.queryByRole("radio", { name: /^SSH key/ })).toBeNull();
    await user.click(screen.getByText("2 lines of the registry cannot be used"));
    expect(screen.getByText("This site does not accept SSH signatures at present.")).toBeTruthy();
  });

  it("of which there are none, the text says how to add one, and to look again", async () => {
    backend.reply("requestProof", { ...requestProof(asn, false), keys: [] });
    const { user } = await open();
    await screen.findByText(`The registry lists no key for AS${asn} that can prove that it is yours.`);
    expect((await region("Example of a line")).textContent).toMatch(/^auth: {15}ssh-ed25519 AAAA/);
    expect(screen.getByText(/Wait until the change is merged, then look again\./)).toBeTruthy();
    expect(screen.getByText(/^Peerdeck does not accept ssh-dss here\./)).toBeTruthy();
    backend.restore("requestProof");
    await user.click(screen.getByRole("button", { name: "Look again" }));
    await choose(/^SSH key/);
  });

  it.each([
    [404, "AS number cannot be found", "AS number cannot be found."],
    [429, "Slow down.", "Too many requests, please wait and try again later."],
    [503, "Our copy of the registry is outdated.", "Our copy of the registry is outdated."],
  ] as const)("that cannot be read (%i) are an error, with a retry", async (status, message, shown) => {
    backend.refuseOnce("requestProof", status, { message });
    const { user } = await open();
    await screen.findByText(shown);
    await user.click(screen.getByRole("button", { name: "Retry" }));
    expect(await choose(/^SSH key/)).toBeTruthy();
    expect(screen.queryByText(shown)).toBeNull();
  });
});

describe("a signature", () => {
  it("with an SSH key is asked for by one command, sent without the text around it, and opens the new password", async () => {
    const { user } = await openWithKey();
    const { challenge } = requestProof(asn, false);
    expect((await region("ssh-keygen -Y sign")).textContent).toMatch(
      /^echo 'peerdeck .*' \| ssh-keygen -Y sign -n peerdeck@dn42\.example\.net -f "\$HOME\/\.ssh\/id_ed25519"$/,
    );
    expect(screen.getByText("It is valid for 15 minutes.")).toBeTruthy();
    expect(prove().disabled).toBe(true);
    fireEvent.change(box("Signature"), { target: { value: `here you are:\r\n${signature}bye` } });
    await user.click(prove());
    await waitFor(() => expect(backend.sent("proveOwnership")).toHaveLength(1));
    expect(backend.sent("proveOwnership")).toEqual([{ challenge: challenge.id, signature, public_key: "" }]);
    expect(prove().getAttribute("aria-busy")).toBe("true");
  });

  it("for a reset asks for a text of that purpose", async () => {
    await openWithKey(/^SSH key/, "/forgotPassword");
    expect(backend.sent("requestProof")).toEqual([{ asn, password_reset: "Yes" }]);
    expect((await region("ssh-keygen -Y sign")).textContent).toContain(`reset the password of AS${asn}`);
  });

  it("with a PGP key of which the registry has the fingerprint needs the public key too", async () => {
    const { user } = await openWithKey(/^PGP key/);
    const command = await region("gpg --clearsign");
    expect(command.textContent).toContain(`gpg --local-user ${pgpKey?.fingerprint} --clearsign`);
    expect((await region("gpg --export")).textContent).toBe(
      `gpg --armor --export-options export-minimal --export ${pgpKey?.fingerprint}`,
    );
    const signed = armour("PGP SIGNATURE", "\niHUE");
    fireEvent.change(box("Signature"), { target: { value: signed } });
    await user.click(prove());
    expect(describedBy(box("Public key"))).toContain("Paste the public key, too.");
    expect(backend.sent("proveOwnership")).toEqual([]);
    fireEvent.change(box("Public key"), { target: { value: publicKey } });
    expect(describedBy(box("Public key"))).not.toContain("Paste the public key, too.");
    await user.click(prove());
    await waitFor(() => expect(backend.sent("proveOwnership")).toHaveLength(1));
    expect(backend.sent("proveOwnership")[0]).toMatchObject({ signature: signed, public_key: publicKey });
  });

  it("stays when another key is chosen", async () => {
    const { user } = await openWithKey();
    fireEvent.change(box("Signature"), { target: { value: signature } });
    await user.click(await choose(/^PGP key/));
    expect(box("Signature").value).toBe(signature);
  });

  it("can be a file that is dropped or chosen", async () => {
    const { user } = await openWithKey();
    const drop = createEvent.drop(box("Signature"), {
      dataTransfer: { types: ["Files"], files: [file("challenge.sig", signature)] },
    });
    fireEvent(box("Signature"), drop);
    expect(drop.defaultPrevented).toBe(true);
    await waitFor(() => expect(box("Signature").value).toBe(signature));
    const other = armour("SSH SIGNATURE", "U1NIU0lHAAAAAg");
    await user.upload(screen.getByLabelText("choose a file with the signature"), file("b.sig", other));
    await waitFor(() => expect(box("Signature").value).toBe(other));
    await user.upload(
      screen.getByLabelText("choose a file with the signature"),
      file("c", "é".repeat(90_000)),
    );
    await waitFor(() => expect(describedBy(box("Signature"))).toContain("This is longer than 64 kB"));
    expect(box("Signature").value).toBe(other);
  });
});

describe("what is refused before anything is sent", () => {
  it.each([
    ["a public key", publicKey, "This is a public key, not a signature."],
    ["something else", "hello", "This contains no signature."],
    ["a part of a signature", signature.slice(0, 40), "The signature is not whole."],
    ["two signatures", signature + signature, "This contains 2 signatures."],
  ])("%s", async (_, text, sentence) => {
    const { user } = await openWithKey();
    fireEvent.change(box("Signature"), { target: { value: text } });
    await user.click(prove());
    expect(describedBy(box("Signature"))).toContain(sentence);
    expect(box("Signature").value).toBe(text);
    expect(backend.sent("proveOwnership")).toEqual([]);
    fireEvent.change(box("Signature"), { target: { value: signature } });
    expect(describedBy(box("Signature"))).not.toContain(sentence);
  });

  it.each([
    ["Signature", "Paste the signature instead"],
    ["Public key", "Paste the public key instead"],
  ])("a private key in the box %s, which neither keeps, stores nor sends it", async (name, advice) => {
    const { user } = await openWithKey(/^PGP key/);
    const paste = createEvent.paste(box(name), { clipboardData: { getData: () => privateKey } });
    fireEvent(box(name), paste);
    expect(paste.defaultPrevented).toBe(true);
    expect(describedBy(box(name))).toContain("This contains a private key. It was not sent or saved.");
    expect(describedBy(box(name))).toContain(advice);
    // The clipboard bar of a phone's keyboard changes the field without an event for it.
    fireEvent.change(box(name), { target: { value: privateKey } });
    expect(box(name).value).toBe("");
    fireEvent.change(box("Signature"), { target: { value: signature } });
    await user.click(prove());
    const requests = JSON.stringify(backend.received().map(({ body }) => body));
    const storages = JSON.stringify([
      Object.entries(localStorage),
      Object.entries(sessionStorage),
      history.state,
    ]);
    expect(requests + storages + printed.join("\n")).not.toContain("PRIVATE KEY");
  });

  it("2 MB of text, which do not fill the box", async () => {
    await openWithKey();
    const paste = createEvent.paste(box("Signature"), {
      clipboardData: { getData: () => "A b\n".repeat(500_000) },
    });
    fireEvent(box("Signature"), paste);
    expect(paste.defaultPrevented).toBe(true);
    expect(describedBy(box("Signature"))).toContain("This is longer than 64 kB, so it was not sent.");
    expect(box("Signature").value).toBe("");
  });
});

async function sendSignature(text = signature) {
  const app = await openWithKey();
  fireEvent.change(box("Signature"), { target: { value: text } });
  await app.user.click(prove());
  return app;
}

describe("what the server refuses", () => {
  it("is shown at the box of the signature, which keeps it", async () => {
    const refused = armour("SSH SIGNATURE", refusedSignature);
    await sendSignature(refused);
    await waitFor(() => expect(describedBy(box("Signature"))).toContain("signature of another text"));
    expect(box("Signature").value).toBe(refused);
    fireEvent.change(box("Signature"), { target: { value: signature } });
    expect(describedBy(box("Signature"))).not.toContain("signature of another text");
  });

  it("is shown at the box of the public key, also if the chosen key did not need one", async () => {
    const message = "The registry has only the fingerprint of your PGP key. Paste the public key, too.";
    backend.refuse("proveOwnership", 422, { message, field: "public_key" });
    await sendSignature();
    await waitFor(() => expect(describedBy(box("Public key"))).toContain(message));
    fireEvent.change(box("Public key"), { target: { value: publicKey } });
    expect(box("Public key").value).toBe(publicKey);
  });

  it("can be the text: a new one keeps the public key and the choice, and takes the focus", async () => {
    const message = "This text to sign was used. Nothing was changed; get a new one.";
    backend.refuse("proveOwnership", 422, { message, field: "challenge" });
    const { user } = await openWithKey(/^PGP key/);
    fireEvent.change(box("Signature"), { target: { value: signature } });
    fireEvent.change(box("Public key"), { target: { value: publicKey } });
    await user.click(prove());
    const notice = await screen.findByText(message);
    expect(document.activeElement?.contains(notice)).toBe(true);
    expect(screen.queryByRole("button", { name: "Prove" })).toBeNull();
    // The first attempt does not get one.
    backend.refuseOnce("requestProof", 503, { message: "The registry is outdated." });
    await user.click(screen.getByRole("button", { name: "Get a new text" }));
    await screen.findByText("The registry is outdated.");
    const next = requestProof(asn, false);
    backend.reply("requestProof", {
      ...next,
      challenge: { ...next.challenge, id: "next", text: "peerdeck next" },
    });
    await user.click(screen.getByRole("button", { name: "Get a new text" }));
    await screen.findByText("peerdeck next");
    expect(document.activeElement?.textContent).toContain("peerdeck next");
    expect([box("Signature").value, box("Public key").value]).toEqual(["", publicKey]);
    expect((await choose(/^PGP key/)).checked).toBe(true);
    fireEvent.change(box("Signature"), { target: { value: signature } });
    await user.click(prove());
    await waitFor(() => expect(backend.sent("proveOwnership")).toHaveLength(2));
    expect(backend.sent("proveOwnership")[1]).toMatchObject({ challenge: "next" });
  });

  it.each([
    [409, "User already exists", "User already exists."],
    [404, "AS number cannot be found", "AS number cannot be found."],
    [429, "Too many proofs.", "Too many requests, please wait and try again later."],
    [503, "We cannot reach the registry right now.", "We cannot reach the registry right now."],
    [403, "AS4242420001 is blocked.", "AS4242420001 is blocked."],
  ] as const)("is shown above the button: %i", async (status, message, shown) => {
    backend.refuse("proveOwnership", status, { message });
    await sendSignature();
    expect(within(await screen.findByRole("alert")).getByText(shown)).toBeTruthy();
    expect(box("Signature").value).toBe(signature);
    expect(prove().disabled).toBe(false);
  });

  it("is not known without a connection", async () => {
    backend.cutOff("proveOwnership");
    await sendSignature();
    const notice = await screen.findByRole("alert");
    expect(notice.textContent).toBe("The server could not be reached. Check your connection and try again.");
  });
});

describe("the text to sign", () => {
  it.each([
    [900_900, "It is valid for 15 minutes."],
    [110_000, "It is valid for 2 minutes."],
    [50_000, "It is valid for less than a minute."],
  ])("says for how long it is valid: %i ms", async (validMs, sentence) => {
    backend.reply("requestProof", textFor(validMs));
    await openWithKey();
    expect(screen.getByText(sentence)).toBeTruthy();
  });

  it("is replaced when it has expired", async () => {
    backend.reply("requestProof", textFor(2_000));
    const { user } = await openWithKey();
    expect(await screen.findByText("The text has expired. Get a new one and sign it.")).toBeTruthy();
    expect(screen.getByText("It has expired.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Prove" })).toBeNull();
    backend.restore("requestProof");
    await user.click(screen.getByRole("button", { name: "Get a new text" }));
    expect(await screen.findByText("It is valid for 15 minutes.")).toBeTruthy();
    expect(prove()).toBeTruthy();
  });
});
