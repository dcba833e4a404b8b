import { createFileRoute } from "@tanstack/react-router";
import * as v from "valibot";
import { AccountDeletionPage } from "../../features/account/account-deletion-page.tsx";
import { searchParam } from "../../search-param.ts";

export const Route = createFileRoute("/_plain/accountDeletion")({
  validateSearch: v.object({ id: searchParam(v.string()) }),
  component: AccountDeletion,
});

function AccountDeletion() {
  const { id = "" } = Route.useSearch();
  return <AccountDeletionPage id={id} />;
}
