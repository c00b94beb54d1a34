import { getTranslations } from 'next-intl/server';
import { CallParts } from '@/app/_components/panel/call-parts';
import { PanelEmpty } from '@/app/_components/panel/panel-empty';
import type { PageContext } from '@/lib/auth/context';
import { formatNumber } from '@/lib/present/number';
import type { Scope } from '@/lib/present/scope';
import { getCodeEndings } from '@/lib/queries/code-endings';
import classes from '../../codes.module.css';

/** Whether retrying works against this code: how the operations that met it ended. */
export async function CodeEndings({ page, scope, code }: { page: PageContext; scope: Scope; code: string }) {
  const [t, endings] = await Promise.all([
    getTranslations('codes.endings'),
    getCodeEndings(page, code, scope.range, scope.filters),
  ]);
  if (endings.calls === 0) return <PanelEmpty />;
  return (
    <>
      <CallParts slug={page.project.slug} scope={scope} totals={endings} total={t('total')} code={code} />
      <p className={classes.quiet}>
        {t('attempts', { value: formatNumber(endings.attemptsPerOperation, page.locale) })}
      </p>
    </>
  );
}
