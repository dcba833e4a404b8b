import { chakra } from "@chakra-ui/react/styled-system";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { calls } from "../../../contract/calls.ts";
import { CallError } from "../../../contract/client.ts";
import { errorMessages } from "../../../contract/http-error.ts";
import { call, errorMessage } from "../../api/client.ts";
import { useReloadGuard } from "../../browser/pwa.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { Field } from "../../ui/forms/field.tsx";
import { FocusOnMount } from "../../ui/layout/focus-on-mount.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { TextLink } from "../../ui/text/link.tsx";
import { FormLinks, Form, ServerMessage } from "./form.tsx";

export interface SetPasswordPageProps {
  /** The token of the link in the mail; null if the address has none. */
  readonly token: string | null;
}

export function SetPasswordPage({ token }: SetPasswordPageProps) {
  return (
    <Page title="Set password">
      {token === null ? <Notice tone="error">Bad URL.</Notice> : <SetPasswordForm token={token} />}
      <FormLinks>
        <TextLink to="/login">Back to login</TextLink>
      </FormLinks>
    </Page>
  );
}

export interface SetPasswordFormProps {
  readonly token: string;
}

export function SetPasswordForm({ token }: SetPasswordFormProps) {
  const [password, setPassword] = useState("");
  const [confirmation, setConfirmation] = useState("");
  const [isBlocked, setIsBlocked] = useState(false);
  const request = useMutation({ mutationFn: () => call(calls.setPassword, { token, password }) });
  useReloadGuard("form", !request.isSuccess && (password !== "" || confirmation !== ""));
  const isMismatch = confirmation !== "" && password !== confirmation;

  if (request.isSuccess)
    return (
      <FocusOnMount>
        <Notice tone="success">
          <chakra.h2 fontWeight="semibold">Success!</chakra.h2>
          <p>Please return to the login page to login to your account.</p>
        </Notice>
      </FocusOnMount>
    );

  const error = request.error === null ? null : classifySetPasswordError(request.error);
  if (error?.place === "invalidToken")
    return (
      <FocusOnMount>
        <Notice tone="error">Token invalid or expired, please try again.</Notice>
      </FocusOnMount>
    );
  if (error?.place === "error")
    return (
      <>
        <FocusOnMount>
          <Notice tone="error">
            There was an issue with making this request. Please return to the login page to try again, or
            contact the support team.
          </Notice>
        </FocusOnMount>
        <ServerMessage>{error.message}</ServerMessage>
      </>
    );

  const change = (set: (value: string) => void) => (value: string) => {
    set(value);
    setIsBlocked(false);
    if (request.isError) request.reset();
  };
  return (
    <Form onSubmit={() => (isMismatch ? setIsBlocked(true) : request.mutate())}>
      <Field
        label="Password"
        name="password"
        type="password"
        value={password}
        onChange={change(setPassword)}
        error={error?.message}
        hint="We recommend at least 15 characters, or a whole sentence."
        autoComplete="new-password"
        required
      />
      <Field
        label="Confirm password"
        name="confirmation"
        type="password"
        value={confirmation}
        onChange={change(setConfirmation)}
        error={isMismatch ? "Passwords do not match" : ""}
        autoComplete="new-password"
        required
      />
      {isBlocked && <Notice tone="error">Passwords do not match.</Notice>}
      <Button
        tone="primary"
        type="submit"
        wide
        disabled={password === "" || confirmation === ""}
        isPending={request.isPending}
      >
        Submit
      </Button>
    </Form>
  );
}

export interface SetPasswordError {
  /** Where the message is shown: at the password field, or in the tab that replaces the form. */
  readonly place: "field" | "invalidToken" | "error";
  readonly message: string;
}

/** docs/behaviour.md, section 8: "Set password". A password that the server rejects can be corrected in the form. */
export function classifySetPasswordError(error: Error): SetPasswordError {
  const reason = errorMessage(error);
  if (error instanceof CallError) {
    if (error.status === 400 && reason === errorMessages.invalidToken)
      return { place: "invalidToken", message: reason };
    if (error.status === 422 && error.body.field === "password") return { place: "field", message: reason };
  }
  return { place: "error", message: reason };
}
