import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { calls } from "../../../contract/calls.ts";
import type { Failure } from "../../../contract/failure.ts";
import { type ContactMessage, messageFaults } from "../../../domain/contact-message.ts";
import { call } from "../../api/client.ts";
import { useProvider } from "../../api/provider.ts";
import { useServerReached } from "../../offline/reach.ts";
import { Notice } from "../../ui/notice.tsx";
import { useBusy } from "../../pwa/pwa.ts";
import { Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import { contactFailure } from "./contact-failure.ts";
import { ContactForm } from "./contact-form.tsx";
import { dropDraft, readDraft, writeDraft } from "./draft.ts";
import { Submitted } from "./submitted.tsx";

const blank: ContactMessage = { name: "", email: "", message: "" };

export function ContactView({ username }: { readonly username: string }) {
  const { name } = useProvider();
  const serverReached = useServerReached();
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState(() => readDraft(queryClient, username) ?? blank);
  /** What the server would refuse, found here without asking it. */
  const [faults, setFaults] = useState<readonly Failure[]>([]);
  const sending = useMutation({
    mutationFn: () => call(calls.submitContactForm, { username, ...typed }),
    onSuccess: () => dropDraft(queryClient, username),
  });
  useBusy("form", !sending.isSuccess && Object.values(typed).some((value) => value !== ""));
  const type = (changed: Partial<ContactMessage>) => {
    const now = { ...typed, ...changed };
    setTyped(now);
    writeDraft(queryClient, username, now);
    setFaults((before) => before.filter(({ field = "" }) => !(field in changed)));
    if (sending.isError) sending.reset();
  };
  const submit = async () => {
    const found = messageFaults(typed);
    setFaults(found);
    if (found.length === 0) await sending.mutateAsync();
  };
  const another = () => {
    setTyped((before) => ({ ...before, message: "" }));
    sending.reset();
  };
  return (
    <Page
      title="Contact"
      lead={`Your message goes to ${name} support by mail, with your AS number. The answer comes to the address that you give here.`}
      narrow
    >
      {!serverReached && !sending.isSuccess && (
        <Notice tone="warning">
          Sending needs the server, which cannot be reached right now. What you write is kept on this device.
        </Notice>
      )}
      {sending.isSuccess ? (
        <Submitted onAnother={another} />
      ) : (
        <Panel>
          <ContactForm
            typed={typed}
            onType={type}
            onSubmit={submit}
            pending={sending.isPending}
            failures={sending.error ? [contactFailure(sending.error)] : faults}
          />
        </Panel>
      )}
    </Page>
  );
}
