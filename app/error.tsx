'use client';

import { ErrorPage } from './_components/state/error-page.client';

export default function RootError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return <ErrorPage digest={error.digest} reset={reset} inside={false} />;
}
