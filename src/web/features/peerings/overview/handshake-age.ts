import type { PeerStatus } from "#contract/lenient.ts";
import { formatAge, parseAge } from "#domain/text/age.ts";
import { useNow } from "#web/ui/text/clock.ts";
import { useStatusReceivedAt } from "../peer-status-query.ts";

/**
 * Returns the age of the last handshake, which goes on counting from the text that the server sent; undefined or empty as the
 * server's. A text of another kind stays as it is.
 */
export function useHandshakeAge(username: string, { node, wg_status }: PeerStatus): string | undefined {
  const { handshake } = wg_status;
  const receivedAt = useStatusReceivedAt(username, node);
  const now = useNow();
  const seconds = handshake === undefined ? null : parseAge(handshake);
  return seconds === null ? handshake : formatAge(seconds + Math.max(0, now - receivedAt) / 1000);
}
