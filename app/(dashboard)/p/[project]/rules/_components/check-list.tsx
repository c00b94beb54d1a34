import { useLocale, useTranslations } from 'next-intl';
import Link from 'next/link';
import { CheckSettings } from '@/app/_components/finding/check-settings';
import { SeverityBadge } from '@/app/_components/finding/severity-badge';
import { useCheckWords } from '@/app/_components/finding/use-check-words';
import { DataTable, type Column } from '@/app/_components/table/data-table';
import { listChecks, type CheckInfo } from '@/lib/core/check-catalogue';
import type { Settings } from '@/lib/core/operation';
import { CHECKS_ANCHOR, checkAnchor, findingPath } from '@/lib/present/routes';
import classes from './rules.module.css';

/** Every check in words: what it means when it finds something, how it counts, and what moves it. */
export function CheckList({ slug, settings }: { slug: string; settings: Settings }) {
  const t = useTranslations('rules.checks');
  const about = useTranslations('findings.about');
  const words = useCheckWords();
  const locale = useLocale();
  const columns: Column<CheckInfo>[] = [
    {
      id: 'check',
      header: t('check'),
      minWidth: '11rem',
      cell: ({ check }) => (
        <span id={checkAnchor(check)} className={classes.rule}>
          <Link href={findingPath(slug, check)} prefetch={false} className={classes.check}>
            {words(check)}
          </Link>
          <code>{check}</code>
        </span>
      ),
    },
    { id: 'severity', header: t('severity'), cell: ({ severity }) => <SeverityBadge severity={severity} /> },
    { id: 'meaning', header: t('meaning'), minWidth: '12rem', cell: ({ meaning }) => meaning[locale] },
    {
      id: 'formula',
      header: about('formula'),
      minWidth: '15rem',
      cell: ({ formula, reach }) => (
        <>
          {formula[locale]}
          <small className={classes.note}>{reach.map((word) => about(`reachWord.${word}`)).join('; ')}</small>
        </>
      ),
    },
    {
      id: 'settings',
      header: about('settings'),
      minWidth: '11rem',
      cell: (info) => <CheckSettings slug={slug} names={info.settings} settings={settings} />,
    },
  ];
  return (
    <section id={CHECKS_ANCHOR} className={classes.stage} aria-labelledby="checks-title">
      <h2 id="checks-title" className={classes.title}>
        {t('title')}
      </h2>
      <p>{t('hint')}</p>
      <DataTable caption={t('title')} rows={listChecks()} columns={columns} rowKey={({ check }) => check} />
    </section>
  );
}
