import { Eye, EyeOff } from "lucide-react";
import { VisuallyHidden } from "../text/visually-hidden.tsx";
import { Button } from "./button.tsx";
import { Field, type FieldProps } from "./field.tsx";

export interface PasswordFieldProps extends Omit<FieldProps, "type" | "multiline" | "trailing"> {
  /** Whether the password is readable. */
  readonly isShown: boolean;
  /** Shows or hides the password. Without it the field has no button and follows another field's. */
  readonly onToggle?: () => void;
}

/** Hide the password before it is submitted: password managers store only what a password field contains. */
export function PasswordField({ isShown, onToggle, ...field }: PasswordFieldProps) {
  const Icon = isShown ? EyeOff : Eye;
  return (
    <Field
      {...field}
      type={isShown ? "text" : "password"}
      isSecret
      trailing={
        onToggle && (
          <Button
            size="sm"
            tone="quiet"
            aria-pressed={isShown}
            // The field keeps the focus and the cursor, and a phone its keyboard.
            onMouseDown={(event) => event.preventDefault()}
            onClick={onToggle}
          >
            <Icon size={16} aria-hidden />
            <VisuallyHidden>Show password</VisuallyHidden>
          </Button>
        )
      }
    />
  );
}
