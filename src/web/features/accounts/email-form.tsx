import { chakra } from "@chakra-ui/react/styled-system";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { calls } from "../../../contract/calls.ts";
import { tidyAsn } from "../../../domain/asn.ts";
import { call } from "../../api/client.ts";
import { useBusy } from "../../pwa/pwa.ts";
import { Arrival } from "../../ui/arrival.tsx";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { ExternalLink, TextLink } from "../../ui/link.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Form, Links, QuietReason } from "./form.tsx";
import { readEmailFailure } from "./email-failure.ts";

export interface EmailFormProps {
  readonly purpose: "register" | "resetPassword";
  readonly intro: string;
  /** Below the form. */
  readonly links: ReactNode;
  /** The screen that this form is, for starting over. */
  readonly home: { readonly href: string; readonly text: string };
}

/** Asks for the AS number whose registered address gets a link that sets a password. */
export function EmailForm({ purpose, intro, links, home }: EmailFormProps) {
  const [typed, setTyped] = useState("");
  const asn = tidyAsn(typed);
  const sending = useMutation({
    mutationFn: () =>
      call(calls.sendEmailVerification, {
        asn,
        ...(purpose === "resetPassword" && { password_reset: "Yes" as const }),
      }),
  });

  useBusy("form", !sending.isSuccess && typed !== "");

  if (sending.isSuccess)
    return (
      <chakra.div display="grid" gap="5">
        <Arrival>
          <Notice tone="success">
            We have send a link to the email address associated with this AS number. Please click the link in
            the email to set your account password.
          </Notice>
        </Arrival>
        <Links>
          <TextLink to="/login">Back to login</TextLink>
        </Links>
      </chakra.div>
    );

  const failure = sending.error === null ? null : readEmailFailure(sending.error);
  if (failure?.at === "screen")
    return (
      <chakra.div display="grid" gap="5">
        <Arrival>
          <Notice tone="error">
            <chakra.h2 fontWeight="semibold">Error</chakra.h2>
            <p>There was an issue making this request. Please try again or contact the support team.</p>
          </Notice>
        </Arrival>
        <QuietReason>{failure.reason}</QuietReason>
        <Links>
          <ExternalLink href={home.href}>{home.text}</ExternalLink>
        </Links>
      </chakra.div>
    );

  return (
    <chakra.div display="grid" gap="5">
      <chakra.p color="fg.muted">{intro}</chakra.p>
      <Form onSubmit={() => sending.mutate()}>
        <Field
          label="ASN"
          name="asn"
          value={typed}
          onChange={(value) => {
            setTyped(value);
            if (sending.isError) sending.reset();
          }}
          onBlur={() => setTyped(asn)}
          error={failure?.at === "field" ? failure.reason : ""}
          autoComplete="username"
          inputMode="numeric"
          placeholder="e.g. 4242420001"
          mono
          required
        />
        {failure?.at === "form" && <Notice tone="error">{failure.reason}</Notice>}
        <Button tone="primary" type="submit" wide disabled={asn === ""} pending={sending.isPending}>
          Next
        </Button>
      </Form>
      {links}
    </chakra.div>
  );
}
