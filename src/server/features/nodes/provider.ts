import type { Provider } from "../../../contract/entities.ts";
import type { Profile } from "../../config/profile.ts";

/** The public part of the profile. */
export function presentProvider(profile: Profile, demo: boolean): Provider {
  return {
    name: profile.name,
    domain: profile.domain,
    asn: profile.asn,
    demo,
    nodes: profile.nodes.map(({ name, place, lat, lon }) => ({ name, place, lat, lon })),
    ...profile.facts,
  };
}
