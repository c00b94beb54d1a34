import { getTranslations } from 'next-intl/server';
import Link from 'next/link';
import type { ReactNode } from 'react';
import type { PageContext } from '@/lib/auth/context';
import { sectionPath } from '@/lib/present/routes';
import { writeScope, type Scope } from '@/lib/present/scope';
import type { CodeDetailView } from '@/lib/queries/views';
import { OperationTable } from '../../../operations/_components/operation-table';
import classes from '../../codes.module.css';

interface CodeOperationsProps {
  page: PageContext;
  scope: Scope;
  code: string;
  detail: Promise<CodeDetailView | null>;
  empty: ReactNode;
}

/** The newest operations that met this code. */
export async function CodeOperations({ page, scope, code, detail, empty }: CodeOperationsProps) {
  const [t, found] = await Promise.all([getTranslations('codes.one'), detail]);
  if (!found || found.recent.length === 0) return empty;
  return (
    <>
      <OperationTable slug={page.project.slug} rows={found.recent} tz={scope.range.tz} />
      <p className={classes.quiet}>
        <Link
          href={sectionPath(page.project.slug, 'operations') + writeScope(scope, { code: [code] })}
          prefetch={false}
        >
          {t('allOperations')}
        </Link>
      </p>
    </>
  );
}
