import { Suspense, type ReactNode } from 'react';
import { LoadingPanel } from './loading-panel';
import { PanelBoundary } from './panel-boundary.client';

/** A panel whose data comes later than the page: loading, then the content, or its own failure. */
export function AsyncPanel({ what, rows, children }: { what: string; rows?: number; children: ReactNode }) {
  return (
    <PanelBoundary>
      <Suspense fallback={<LoadingPanel what={what} rows={rows} />}>{children}</Suspense>
    </PanelBoundary>
  );
}
