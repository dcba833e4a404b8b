import { chakra } from "@chakra-ui/react/styled-system";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { calls } from "#contract/call-tables/app-calls.ts";
import { canonicalizeAsn } from "#domain/asn.ts";
import { call } from "../../api/client.ts";
import { useReloadGuard } from "../../browser/pwa.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { Field } from "../../ui/forms/field.tsx";
import { FocusOnMount } from "../../ui/layout/focus-on-mount.tsx";
import { createLazyPart } from "../../ui/layout/lazy-part.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { ExternalLink, TextLink } from "../../ui/text/link.tsx";
import { classifyEmailLinkError } from "./email-link-error.ts";
import { Form, FormLinks, ServerMessage } from "./form.tsx";
import { KioubitFailure } from "./kioubit/kioubit-failure.tsx";
import { OtherWays } from "./proofs/other-ways.tsx";

const RefusedMail = createLazyPart(
  async () => (await import("../../ui/feedback/refused-mail.tsx")).RefusedMail,
);

interface EmailLinkFormProps {
  readonly purpose: "register" | "resetPassword";
  /** The page's heading. */
  readonly title: string;
  readonly intro: string;
  /** Links under the form. */
  readonly links: ReactNode;
  /** The link that reloads the form after an error. */
  readonly restartLink: { readonly href: string; readonly text: string };
}

/** Asks for an AS number. The server sends a link that sets a password to its registered e-mail address. */
function EmailLinkForm({ purpose, title, intro, links, restartLink }: EmailLinkFormProps) {
  const introId = useId();
  const [asnInput, setAsnInput] = useState("");
  const asn = canonicalizeAsn(asnInput);
  const request = useMutation({
    mutationFn: () =>
      call(calls.sendEmailVerification, {
        asn,
        ...(purpose === "resetPassword" && { password_reset: "Yes" as const }),
      }),
  });

  useReloadGuard("form", !request.isSuccess && asnInput !== "");

  if (request.isSuccess)
    return (
      <chakra.div display="grid" gap="5">
        <FocusOnMount>
          <Notice tone="success">
            We have send a link to the email address associated with this AS number. Please click the link in
            the email to set your account password.
          </Notice>
          <SentTo addresses={request.data.sent_to} />
        </FocusOnMount>
        <RefusedMail refused={request.data.refused} />
        <FormLinks>
          <TextLink to="/login">Back to login</TextLink>
        </FormLinks>
      </chakra.div>
    );

  const error = request.error === null ? null : classifyEmailLinkError(request.error);
  if (error?.place === "screen")
    return (
      <chakra.div display="grid" gap="5">
        <FocusOnMount>
          <Notice tone="error">
            <chakra.h2 fontWeight="semibold">Error</chakra.h2>
            <p>There was an issue making this request. Please try again or contact the support team.</p>
          </Notice>
        </FocusOnMount>
        <ServerMessage>{error.message}</ServerMessage>
        <FormLinks>
          <ExternalLink href={restartLink.href}>{restartLink.text}</ExternalLink>
        </FormLinks>
      </chakra.div>
    );

  return (
    <chakra.div display="grid" gap="5">
      <KioubitFailure />
      <chakra.p id={introId} color="fg.muted">
        {intro}
      </chakra.p>
      <Form label={title} onSubmit={() => request.mutate()}>
        <Field
          label="ASN"
          name="asn"
          value={asnInput}
          onChange={(value) => {
            setAsnInput(value);
            if (request.isError) request.reset();
          }}
          onBlur={() => setAsnInput(asn)}
          error={error?.place === "field" ? error.message : ""}
          autoComplete="username"
          inputMode="numeric"
          placeholder="e.g. 4242420001"
          mono
          required
          takesFocus
          describedBy={introId}
        />
        {error?.place === "form" && <Notice tone="error">{error.message}</Notice>}
        <Button tone="primary" type="submit" wide disabled={asn === ""} isPending={request.isPending}>
          Next
        </Button>
      </Form>
      <OtherWays
        asn={asn}
        purpose={purpose === "register" ? "registration" : "reset"}
        isRefused={error?.place === "field"}
      />
      {links}
    </chakra.div>
  );
}

/** Names the addresses that the mail went to, if the server does. */
function SentTo({ addresses }: { readonly addresses: readonly string[] }) {
  if (addresses.length === 0) return null;
  const listFormat = new Intl.ListFormat("en-US");
  return (
    <chakra.p mt="3" color="fg.muted" fontSize="sm" overflowWrap="anywhere">
      Sent to{" "}
      {listFormat.formatToParts(addresses).map(({ type, value }) =>
        // A line breaks between two addresses, and inside one only if it is longer than the line.
        type === "element" ? (
          <chakra.span key={value} display="inline-block">
            {value}
          </chakra.span>
        ) : (
          value
        ),
      )}
      , as listed in the registry. If it does not arrive within a few minutes, check your spam folder.
    </chakra.p>
  );
}

export function RegisterPage() {
  return (
    <Page title="Register">
      <EmailLinkForm
        purpose="register"
        title="Register"
        intro="Please enter your dn42 AS number to get started. We will send a verification link to the e-mail address associated to this AS number."
        links={
          <FormLinks>
            <TextLink to="/login">Already have an account? Login</TextLink>
          </FormLinks>
        }
        restartLink={{ href: "/register", text: "Back to registration" }}
      />
    </Page>
  );
}

export function ForgotPasswordPage() {
  return (
    <Page title="Password Reset">
      <PasswordResetForm pageHref="/forgotPassword" />
    </Page>
  );
}

export interface PasswordResetFormProps {
  /** The path of the page that shows the form. */
  readonly pageHref: string;
}

export function PasswordResetForm({ pageHref }: PasswordResetFormProps) {
  return (
    <EmailLinkForm
      purpose="resetPassword"
      title="Password Reset"
      intro="Enter your dn42 AS number and we will send you an email with a password reset link."
      links={
        <FormLinks>
          <TextLink to="/login">Back to login</TextLink>
          <TextLink to="/register">Register for an account</TextLink>
        </FormLinks>
      }
      restartLink={{ href: pageHref, text: "Back to password reset" }}
    />
  );
}
