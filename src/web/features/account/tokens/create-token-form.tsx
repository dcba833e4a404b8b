import { chakra } from "@chakra-ui/react/styled-system";
import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import { tokenCalls } from "#contract/call-tables/accounts/token-calls.ts";
import {
  type ApiTokenDays,
  apiTokenDays,
  type ApiTokenScope,
  apiTokenScopeLabels,
} from "#domain/accounts/api-tokens.ts";
import { call } from "#web/api/client.ts";
import { useNodeHost, useProvider } from "#web/api/provider.ts";
import { useReloadGuard } from "#web/browser/pwa.ts";
import { Notice } from "#web/ui/feedback/notice.tsx";
import { Button } from "#web/ui/forms/button.tsx";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { controlStyles, Field } from "#web/ui/forms/field.tsx";
import { RadioGroup } from "#web/ui/forms/radio-group.tsx";
import { FocusOnMount } from "#web/ui/layout/focus-on-mount.tsx";
import { fieldError, formError } from "../field-error.ts";

export interface CreateTokenFormProps {
  readonly username: string;
  readonly onCancel: () => void;
  readonly onCreated: (created: { readonly token: string; readonly name: string }) => void;
}

interface Entries {
  readonly name: string;
  readonly scope: ApiTokenScope;
  /** Empty: all nodes. */
  readonly node: string;
  readonly days: ApiTokenDays;
  readonly endsWithPassword: boolean;
}

const scopeOptions = [
  { value: "read", label: apiTokenScopeLabels.read, note: "Status and configuration" },
  { value: "change", label: apiTokenScopeLabels.change, note: "Also creates, edits and deletes peerings" },
] as const;
const dayOptions = apiTokenDays.map((days) => ({ value: String(days), label: `${days} days` }));

export function CreateTokenForm({ username, onCancel, onCreated }: CreateTokenFormProps) {
  const [entries, setEntries] = useState<Entries>({
    name: "",
    scope: "read",
    node: "",
    days: 90,
    endsWithPassword: true,
  });
  const creation = useMutation({
    mutationFn: () =>
      call(tokenCalls.createApiToken, {
        username,
        name: entries.name,
        scope: entries.scope,
        node: entries.node === "" ? null : entries.node,
        days: entries.days,
        ends_with_password: entries.endsWithPassword,
      }),
    onSuccess: ({ token, api_token: { name } }) => onCreated({ token, name }),
  });
  useReloadGuard("form", entries.name !== "");
  const change = (changes: Partial<Entries>) => {
    setEntries((before) => ({ ...before, ...changes }));
    if (creation.isError) creation.reset();
  };
  const otherError = formError(creation.error, ["name", "node"]);
  return (
    <FocusOnMount>
      <chakra.form
        noValidate
        aria-label="Create an API token"
        display="grid"
        gap="4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!creation.isPending) creation.mutate();
        }}
      >
        <Field
          label="Name"
          name="token_name"
          value={entries.name}
          onChange={(name) => change({ name })}
          error={fieldError(creation.error, "name")}
          hint="Such as the script that will use it."
          required
        />
        <RadioGroup
          legend="What it may do"
          options={scopeOptions}
          value={entries.scope}
          onChange={(scope) => change({ scope })}
        />
        <NodeChoice
          value={entries.node}
          onChange={(node) => change({ node })}
          error={fieldError(creation.error, "node")}
        />
        <RadioGroup
          legend="Expires after"
          options={dayOptions}
          value={String(entries.days)}
          onChange={(value) => change({ days: apiTokenDays.find((days) => String(days) === value) ?? 90 })}
        />
        <Checkbox
          label="End this token when the password is reset or changed"
          hint="Otherwise it stays until it expires, or all login sessions are ended in Activity."
          checked={entries.endsWithPassword}
          error=""
          onChange={(endsWithPassword) => change({ endsWithPassword })}
        />
        {otherError !== "" && <Notice tone="error">No API token was created. {otherError}</Notice>}
        <chakra.div display="flex" flexWrap="wrap" gap="2">
          <Button
            type="submit"
            tone="primary"
            isPending={creation.isPending}
            disabled={entries.name.trim() === ""}
          >
            Create token
          </Button>
          <Button onClick={onCancel} disabled={creation.isPending}>
            Cancel
          </Button>
        </chakra.div>
      </chakra.form>
    </FocusOnMount>
  );
}

interface NodeChoiceProps {
  readonly value: string;
  readonly onChange: (node: string) => void;
  readonly error: string;
}

function NodeChoice({ value, onChange, error }: NodeChoiceProps) {
  const { nodes } = useProvider();
  const hostOf = useNodeHost();
  const id = useId();
  return (
    <chakra.div>
      <chakra.label htmlFor={id} display="block" mb="1.5" fontWeight="medium">
        Node
      </chakra.label>
      <chakra.select
        {...controlStyles}
        id={id}
        value={value}
        aria-invalid={error !== ""}
        aria-describedby={`${id}-error`}
        onChange={({ target }) => onChange(target.value)}
      >
        <option value="">All nodes</option>
        {nodes.map(({ name }) => (
          <option key={name} value={name} translate="no">
            {hostOf(name)}
          </option>
        ))}
      </chakra.select>
      <chakra.p id={`${id}-error`} color="down" fontSize="sm" aria-live="polite">
        {error}
      </chakra.p>
    </chakra.div>
  );
}
