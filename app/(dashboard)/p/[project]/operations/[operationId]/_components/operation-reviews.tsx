import { useTranslations } from 'next-intl';
import Link from 'next/link';
import classes from '@/app/_components/operation/operation.module.css';
import { Section } from '@/app/_components/operation/section';
import { ReviewHistory } from '@/app/_components/review/review-history';
import { reviewItemPath } from '@/lib/present/routes';
import type { ReviewItemView } from '@/lib/queries/views';

/** Every review item the operation ever had, oldest first, with its history. */
export function OperationReviews({ slug, reviews }: { slug: string; reviews: ReviewItemView[] }) {
  const t = useTranslations('operations.one');
  const words = useTranslations('review');
  if (reviews.length === 0) return null;
  return (
    <Section title={t('reviews')}>
      {reviews.map((item) => (
        <div key={item.id}>
          <p className={classes.summaryLine}>
            <strong>{words(`state.${item.state}`)}</strong>
            {item.resolution === null ? null : <span>{words(`resolution.${item.resolution}`)}</span>}
            <Link href={reviewItemPath(slug, item.id)}>{t('openReview', { number: item.episode })}</Link>
          </p>
          <ReviewHistory events={item.history} />
        </div>
      ))}
    </Section>
  );
}
