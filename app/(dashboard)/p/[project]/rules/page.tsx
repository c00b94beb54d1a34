import { Text } from '@mantine/core';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PageHead } from '@/app/_components/list/page-head';
import { requirePage } from '@/lib/auth/context';
import { currentRuleSet, findRuleSet, listRuleSets } from '@/lib/core/rules/index';
import { EditionFacts } from './_components/edition-facts';
import { EditionSwitch } from './_components/edition-switch';
import { RuleTables } from './_components/rule-tables';
import { TryEvent } from './_components/try-event.client';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('rules'))('title') };
}

interface Props {
  params: Promise<{ project: string }>;
  searchParams: Promise<{ ruleSet?: string | string[] }>;
}

export default async function RulesPage({ params, searchParams }: Props) {
  const [{ project: slug }, { ruleSet: asked }] = await Promise.all([params, searchParams]);
  const page = await requirePage(slug, 'read');
  const t = await getTranslations('rules');
  const usual = currentRuleSet(page.project.profiles.defaultProfile);
  const ruleSet = (typeof asked === 'string' ? findRuleSet(asked) : null) ?? usual;
  return (
    <>
      <PageHead title={t('title')} />
      <Text size="sm" c="dimmed" maw="70ch" mb="sm">
        {t('intro')}
      </Text>
      <EditionSwitch
        slug={page.project.slug}
        shown={ruleSet.name}
        usual={usual.name}
        editions={listRuleSets().map(({ name, title, current }) => ({ name, title: title[page.locale], current }))}
      />
      <TryEvent key={ruleSet.name} slug={page.project.slug} ruleSet={ruleSet.name} profile={ruleSet.profile} />
      <EditionFacts ruleSet={ruleSet} title={ruleSet.title[page.locale]} />
      <RuleTables ruleSet={ruleSet} locale={page.locale} />
    </>
  );
}
