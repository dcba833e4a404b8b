import { useProvider } from "../../api/provider.ts";
import { KioubitButton } from "./kioubit/kioubit-button.tsx";

/** Ways to log in without a password, below the form. */
export function OtherLogins() {
  const { ways_in: waysIn } = useProvider();
  return waysIn.includes("kioubit") && <KioubitButton purpose="login" asn="" />;
}
