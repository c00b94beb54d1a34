import { useTranslations } from 'next-intl';
import Link from 'next/link';
import classes from '@/app/_components/operation/operation.module.css';
import { Section } from '@/app/_components/operation/section';
import { operationPath } from '@/lib/present/routes';
import type { OperationStoryView } from '@/lib/queries/views';

/** The operation this one follows, and those that follow it. */
export function RelatedOperations({ slug, related }: { slug: string; related: OperationStoryView['related'] }) {
  const t = useTranslations('operations.one');
  if (related.parent === null && related.children.length === 0) return null;
  const link = (id: string) => (
    <Link href={operationPath(slug, id)}>
      <code>{id}</code>
    </Link>
  );
  return (
    <Section title={t('related')}>
      <ul className={classes.facts}>
        {related.parent === null ? null : (
          <li>
            {t('parent')}: {link(related.parent)}
          </li>
        )}
        {related.children.map((child) => (
          <li key={child}>
            {t('children')}: {link(child)}
          </li>
        ))}
      </ul>
    </Section>
  );
}
