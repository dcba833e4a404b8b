import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { findSecret } from "#domain/secrets/find-secret.ts";
import type { PeeringFilter } from "./filter-peerings.ts";

/** A pause in typing. A navigation for each character would make typing slow. */
const urlDelayMs = 250;

/**
 * Returns the filter of the list, and its setter. A change is shown at once, and is in the URL a moment later, where it
 * replaces the entry of the history. Text with a key never is.
 *
 * @param inUrl the filter that the URL has. Unless a change is not in the URL yet, the filter follows it.
 */
export function usePeeringFilter(inUrl: PeeringFilter): [PeeringFilter, (filter: PeeringFilter) => void] {
  const navigate = useNavigate();
  const [filter, setFilter] = useState(inUrl);
  const [known, setKnown] = useState(inUrl);
  if (!isSame(inUrl, known)) {
    setKnown(inUrl);
    if (isSame(filter, known)) setFilter(inUrl);
  }
  useEffect(() => {
    if (isSame(filter, known)) return undefined;
    const timer = setTimeout(() => {
      const find = findSecret(filter.find) === null ? filter.find.trim() : "";
      const search = { find: find || undefined, state: filter.state ?? undefined };
      void navigate({ to: "/manager", search, replace: true, resetScroll: false });
    }, urlDelayMs);
    return () => clearTimeout(timer);
  }, [filter, known, navigate]);
  return [filter, setFilter];
}

function isSame(a: PeeringFilter, b: PeeringFilter): boolean {
  return a.state === b.state && a.find.trim() === b.find.trim();
}
