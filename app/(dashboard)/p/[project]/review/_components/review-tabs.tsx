import { useLocale, useTranslations } from 'next-intl';
import Link from 'next/link';
import { formatCount } from '@/lib/present/number';
import { REVIEW_TABS, type ReviewTab } from '@/lib/present/review-tab';
import classes from './review.module.css';

interface ReviewTabsProps {
  current: ReviewTab;
  counts: Readonly<Record<ReviewTab, number>>;
  href: (tab: ReviewTab) => string;
}

/** Parts of the queue, each with the count of the list it leads to. */
export function ReviewTabs({ current, counts, href }: ReviewTabsProps) {
  const t = useTranslations('review.tab');
  const locale = useLocale();
  return (
    <nav className={classes.tabs} aria-label={t('label')}>
      {REVIEW_TABS.map((tab) => (
        <Link key={tab} href={href(tab)} aria-current={tab === current ? 'page' : undefined} className={classes.tab}>
          {t(tab)} <span className={classes.count}>{formatCount(counts[tab], locale)}</span>
        </Link>
      ))}
    </nav>
  );
}
