import { useLocale, useTranslations } from 'next-intl';
import Link from 'next/link';
import { CheckSettings } from '@/app/_components/finding/check-settings';
import classes from '@/app/_components/finding/finding.module.css';
import type { PageContext } from '@/lib/auth/context';
import { listChecks } from '@/lib/core/check-catalogue';
import type { CheckName } from '@/lib/core/check-name';
import { checkPath } from '@/lib/present/routes';

/** What the check looks for, how it counts, and the tolerances it reads. */
export function AboutCheck({ page, check }: { page: Pick<PageContext, 'project'>; check: CheckName }) {
  const t = useTranslations('findings.about');
  const locale = useLocale();
  const info = listChecks().find((one) => one.check === check);
  if (!info) return null;
  const { slug, settings } = page.project;
  return (
    <div className={classes.meaning}>
      <p>{info.meaning[locale]}</p>
      <dl>
        <dt>{t('formula')}</dt>
        <dd>{info.formula[locale]}</dd>
        <dt>{t('reach')}</dt>
        <dd>{info.reach.map((word) => t(`reachWord.${word}`)).join('; ')}</dd>
        <dt>{t('settings')}</dt>
        <dd>
          <CheckSettings slug={slug} names={info.settings} settings={settings} />
        </dd>
      </dl>
      <p>
        <Link href={checkPath(slug, check)} prefetch={false}>
          {t('rules')}
        </Link>
      </p>
    </div>
  );
}
