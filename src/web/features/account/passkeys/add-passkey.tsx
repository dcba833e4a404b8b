import { chakra } from "@chakra-ui/react/styled-system";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { describeBrowser } from "#domain/browser-name.ts";
import { checkPasskeyName } from "#domain/proofs/passkey-name.ts";
import { addPasskey } from "#web/api/passkeys.ts";
import { useIsServerReachable } from "#web/browser/connectivity.ts";
import { hasPasskeys } from "#web/browser/passkey-support.ts";
import { Notice } from "#web/ui/feedback/notice.tsx";
import { Button } from "#web/ui/forms/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { FocusOnMount } from "#web/ui/layout/focus-on-mount.tsx";
import { fieldError } from "../field-error.ts";
import { ChangeError } from "./change-error.tsx";
import { passkeysQuery } from "./passkeys-query.ts";

export function AddPasskey({ username }: { readonly username: string }) {
  const isServerReachable = useIsServerReachable();
  const queryClient = useQueryClient();
  const [name, setName] = useState(() => describeBrowser(navigator.userAgent));
  const [problem, setProblem] = useState("");
  const addition = useMutation({
    mutationFn: () => addPasskey(username, name.trim()),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: passkeysQuery(username).queryKey }),
  });
  if (!hasPasskeys())
    return <p>This browser does not support passkeys. Open Settings in another one to add one.</p>;
  const nameError = problem || fieldError(addition.error, "name");
  return (
    <chakra.form
      noValidate
      aria-label="Add a passkey"
      display="grid"
      gap="3"
      pt="4"
      borderTopWidth="1px"
      onSubmit={(event) => {
        event.preventDefault();
        const found = checkPasskeyName(name);
        setProblem(found);
        if (found === "" && !addition.isPending) addition.mutate();
      }}
    >
      <Field
        label="Name of a new passkey"
        name="passkey_name"
        value={name}
        onChange={(value) => {
          setName(value);
          setProblem("");
          if (!addition.isIdle && !addition.isPending) addition.reset();
        }}
        error={nameError}
        hint="So that you recognise it in the list."
        required
      />
      {addition.isSuccess && (
        <FocusOnMount>
          <Notice tone="success">The passkey was added.</Notice>
        </FocusOnMount>
      )}
      {nameError === "" && <ChangeError error={addition.error} />}
      <chakra.div>
        <Button type="submit" disabled={!isServerReachable} isPending={addition.isPending}>
          Add a passkey
        </Button>
      </chakra.div>
    </chakra.form>
  );
}
