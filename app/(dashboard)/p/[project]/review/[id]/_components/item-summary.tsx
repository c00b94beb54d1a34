import { useLocale, useTranslations } from 'next-intl';
import Link from 'next/link';
import { CodeText } from '@/app/_components/badge/code-text.client';
import { DetailList } from '@/app/_components/operation/detail-list';
import { ExactTime } from '@/app/_components/operation/exact-time';
import { formatMoney } from '@/lib/present/number';
import { operationPath } from '@/lib/present/routes';
import type { ReviewItemView } from '@/lib/queries/views';
import { DueText } from '../../_components/due-text';
import classes from './item.module.css';

interface ItemSummaryProps {
  slug: string;
  item: ReviewItemView;
  /** As it was sent. */
  call: string;
  now: number;
  tz: string;
}

/** What the item is about, how urgent it is and how much is at stake. */
export function ItemSummary({ slug, item, call, now, tz }: ItemSummaryProps) {
  const t = useTranslations('review');
  const locale = useLocale();
  return (
    <div className={classes.summary}>
      <p>
        <strong>{t(`state.${item.state}`)}</strong> · {t(`causeMeaning.${item.cause}`)}
        {item.episode > 1 ? ` ${t('item.episode', { number: item.episode })}` : null}
      </p>
      <DetailList
        details={[
          { label: t('column.code'), value: <CodeText value={item.code} /> },
          {
            label: t('column.call'),
            value: (
              <>
                {item.service} · <CodeText value={call} />
              </>
            ),
          },
          { label: t('column.amount'), value: item.amount && formatMoney(item.amount, locale) },
          {
            label: item.state === 'waiting' ? t('item.opensAt') : t('item.opened'),
            value: <ExactTime at={item.openedAt} />,
          },
          {
            label: t('item.due'),
            value: (
              <>
                <ExactTime at={item.dueAt} /> (<DueText item={item} now={now} tz={tz} />)
              </>
            ),
          },
          {
            label: t('column.operation'),
            value: <Link href={operationPath(slug, item.operationId)}>{t('item.wholeStory')}</Link>,
          },
        ]}
      />
    </div>
  );
}
