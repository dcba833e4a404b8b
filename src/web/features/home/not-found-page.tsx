import { ButtonLink } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";

export function NotFoundPage() {
  return (
    <Page title="404 not found :(">
      <div>
        <ButtonLink to="/">Back to Home</ButtonLink>
      </div>
    </Page>
  );
}
