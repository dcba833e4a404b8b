import { useLocation } from "@tanstack/react-router";
import { describeKioubitFailure } from "#domain/proofs/kioubit-failures.ts";
import { Notice } from "#web/ui/feedback/notice.tsx";

/** Why a return from Kioubit's authentication service was refused. */
export function KioubitFailureNotice() {
  const code = useLocation({ select: ({ search }) => search.kioubit });
  const message = describeKioubitFailure(code);
  return message === null ? null : <Notice tone="error">{message}</Notice>;
}
