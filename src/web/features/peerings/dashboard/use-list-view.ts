import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { findSecret } from "#domain/secrets/find-secret.ts";
import type { PeeringFilter } from "./filter-peerings.ts";
import { defaultSort, type PeeringSort } from "./sort-peerings.ts";

/** What the list shows, and in which order. */
export interface ListView extends PeeringFilter {
  readonly sort: PeeringSort;
}

/** A pause in typing. A navigation for each character would make typing slow. */
const urlDelayMs = 250;

/**
 * Returns the view of the list, and its setter. A change is shown at once, and is in the URL a moment later, where it
 * replaces the entry of the history. Text with a key never is.
 *
 * @param inUrl the view that the URL has. Unless a change is not in the URL yet, the view follows it.
 */
export function useListView(
  inUrl: PeeringFilter & { readonly sort: PeeringSort | undefined },
): [ListView, (view: ListView) => void] {
  const navigate = useNavigate();
  const given: ListView = { ...inUrl, sort: inUrl.sort ?? defaultSort };
  const [view, setView] = useState(given);
  const [known, setKnown] = useState(given);
  if (!isSame(given, known)) {
    setKnown(given);
    if (isSame(view, known)) setView(given);
  }
  useEffect(() => {
    if (isSame(view, known)) return undefined;
    const timer = setTimeout(() => {
      const find = findSecret(view.find) === null ? view.find.trim() : "";
      const sort = view.sort === defaultSort ? undefined : view.sort;
      const search = { find: find || undefined, state: view.state ?? undefined, sort };
      void navigate({ to: "/manager", search, replace: true, resetScroll: false });
    }, urlDelayMs);
    return () => clearTimeout(timer);
  }, [view, known, navigate]);
  return [view, setView];
}

function isSame(a: ListView, b: ListView): boolean {
  return a.state === b.state && a.sort === b.sort && a.find.trim() === b.find.trim();
}
