import { getTranslations } from 'next-intl/server';
import { headers } from 'next/headers';
import Link from 'next/link';
import { PageHead } from '@/app/_components/list/page-head';
import { Panel } from '@/app/_components/panel/panel';
import { settingsPath } from '@/lib/present/routes';
import classes from '../overview.module.css';
import { CommandBox } from './command-box.client';
import { FirstEventWatch } from './first-event-watch.client';

/** A shell line that reports one write whose answer never came: the case the product is for. */
function curlCommand(origin: string): string {
  const body =
    '{\\"operationId\\":\\"first-$(date +%s)\\",\\"attempt\\":1,\\"startedAt\\":$(date +%s)000,' +
    '\\"service\\":\\"my-service\\",\\"kind\\":\\"write\\",\\"call\\":\\"POST /orders\\",\\"outcome\\":\\"timeout\\"}';
  return [
    `curl -sS ${origin}/api/v1/events \\`,
    '  -H "Authorization: Bearer $READBACK_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d "${body}"`,
  ].join('\n');
}

async function findOrigin(): Promise<string> {
  const head = await headers();
  const host = head.get('x-forwarded-host') ?? head.get('host') ?? 'localhost:3000';
  return `${head.get('x-forwarded-proto') ?? 'http'}://${host}`;
}

/** A project that has never received anything: how to send the first event, and a page that notices it. */
export async function FirstEvent({ slug }: { slug: string }) {
  const [t, origin] = await Promise.all([getTranslations('overview'), findOrigin()]);
  return (
    <>
      <PageHead title={t('title')} />
      <Panel title={t('first.title')}>
        <p>{t('first.lead')}</p>
        <ol className={classes.steps}>
          <li>
            {t.rich('first.key', {
              link: (text) => <Link href={settingsPath(slug, 'keys')}>{text}</Link>,
              code: (text) => <code>{text}</code>,
            })}
          </li>
          <li>
            {t('first.send')}
            <CommandBox command={curlCommand(origin)} />
          </li>
          <li>{t('first.watch')}</li>
        </ol>
        <FirstEventWatch />
      </Panel>
    </>
  );
}
