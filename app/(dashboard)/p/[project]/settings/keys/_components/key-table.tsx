import { useLocale, useTranslations } from 'next-intl';
import { DataTable, type Column } from '@/app/_components/table/data-table';
import { formatInstant, toIso } from '@/lib/present/instant';
import type { KeyView } from '@/lib/queries/views';
import { RevokeKey } from './revoke-key.client';

interface KeyTableProps {
  keys: KeyView[];
  slug: string;
  /** May revoke. */
  manages: boolean;
  /** Epoch ms. */
  now: number;
  tz: string;
}

/** The project's keys, revoked ones too; never anything a key could be rebuilt from. */
export function KeyTable({ keys, slug, manages, now, tz }: KeyTableProps) {
  const t = useTranslations('settings.keys');
  const locale = useLocale();
  const time = (at: number) => (
    <time dateTime={toIso(at)} title={`${toIso(at)} · ${tz}`}>
      {formatInstant(at, { locale, tz }, now)}
    </time>
  );
  const columns: Column<KeyView>[] = [
    { id: 'name', header: t('column.name'), minWidth: '9rem', cell: (key) => key.name },
    {
      id: 'key',
      header: t('column.key'),
      cell: (key) => (
        <code>
          rb_{key.scope}_{key.keyId}_…{key.lastFour}
        </code>
      ),
    },
    { id: 'scope', header: t('column.scope'), cell: (key) => t(`scope.${key.scope}`) },
    { id: 'created', header: t('column.created'), cell: (key) => time(key.createdAt) },
    { id: 'by', header: t('column.by'), cell: (key) => key.createdBy },
    {
      id: 'used',
      header: t('column.used'),
      cell: (key) => (key.lastUsedAt === null ? t('neverUsed') : time(key.lastUsedAt)),
    },
    {
      id: 'state',
      header: t('column.state'),
      cell: (key) => {
        if (key.revokedAt !== null)
          return (
            <>
              {t('revoked')} {time(key.revokedAt)}
            </>
          );
        return manages ? <RevokeKey slug={slug} keyId={key.keyId} name={key.name} /> : t('active');
      },
    },
  ];
  return <DataTable caption={t('caption')} rows={keys} columns={columns} rowKey={(key) => key.keyId} />;
}
