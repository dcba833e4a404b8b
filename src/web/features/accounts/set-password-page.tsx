import { chakra } from "@chakra-ui/react/styled-system";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { calls } from "#contract/call-tables/app-calls.ts";
import { CallError } from "#contract/client.ts";
import { errorMessages } from "#contract/http-error.ts";
import { call, errorMessage } from "../../api/client.ts";
import { useReloadGuard } from "../../browser/pwa.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Button, ButtonLink } from "../../ui/forms/button.tsx";
import { PasswordField } from "../../ui/forms/password-field.tsx";
import { FocusOnMount } from "../../ui/layout/focus-on-mount.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { TextLink } from "../../ui/text/link.tsx";
import { forgetPasswordToken } from "./password-token.ts";
import { FormLinks, Form, ServerMessage } from "./form.tsx";

export interface SetPasswordPageProps {
  /** The token of the link in the mail; null if the link has none. */
  readonly token: string | null;
  /** What the link was requested for; undefined if the address does not say. */
  readonly purpose: "registration" | "reset" | undefined;
}

export function SetPasswordPage({ token, purpose }: SetPasswordPageProps) {
  return (
    <Page title="Set password">
      {token === null ? (
        <>
          <Notice tone="error">Bad URL.</Notice>
          <NewLink purpose={purpose} />
        </>
      ) : (
        <SetPasswordForm token={token} purpose={purpose} />
      )}
      <FormLinks>
        <TextLink to="/login">Back to login</TextLink>
      </FormLinks>
    </Page>
  );
}

/** Leads to the form that mails another link. Without a purpose it is the reset, whose form leads to the other one. */
function NewLink({ purpose }: Pick<SetPasswordPageProps, "purpose">) {
  return (
    <ButtonLink to={purpose === "registration" ? "/register" : "/forgotPassword"} tone="primary" wide>
      Request a new link
    </ButtonLink>
  );
}

export interface SetPasswordFormProps extends Pick<SetPasswordPageProps, "purpose"> {
  readonly token: string;
}

export function SetPasswordForm({ token, purpose }: SetPasswordFormProps) {
  const [password, setPassword] = useState("");
  const [confirmation, setConfirmation] = useState("");
  const [isShown, setIsShown] = useState(false);
  const [isBlocked, setIsBlocked] = useState(false);
  const request = useMutation({
    mutationFn: () => call(calls.setPassword, { token, password }),
    onSuccess: forgetPasswordToken,
  });
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
      <>
        <FocusOnMount>
          <Notice tone="error">Token invalid or expired, please try again.</Notice>
        </FocusOnMount>
        <NewLink purpose={purpose} />
      </>
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
    <Form
      label="Set password"
      onSubmit={() => {
        setIsBlocked(isMismatch);
        if (isMismatch) return;
        setIsShown(false);
        request.mutate();
      }}
    >
      <PasswordField
        label="Password"
        name="password"
        isShown={isShown}
        onToggle={() => setIsShown(!isShown)}
        value={password}
        onChange={change(setPassword)}
        error={error?.message}
        hint="We recommend at least 15 characters, or a whole sentence."
        autoComplete="new-password"
        required
        takesFocus
      />
      <PasswordField
        label="Confirm password"
        name="confirmation"
        isShown={isShown}
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
