import { Text } from '@mantine/core';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import Link from 'next/link';
import { PageHead } from '@/app/_components/list/page-head';
import { requirePage, type PageContext } from '@/lib/auth/context';
import { currentRuleSet, findRuleSet, listRuleSets, pinRuleSets } from '@/lib/core/rules/index';
import type { RuleSet } from '@/lib/core/rules/rule';
import { CHECKS_ANCHOR } from '@/lib/present/routes';
import { listComparable } from '@/lib/present/rule-difference';
import { firstParam, type RawParams } from '@/lib/present/scope';
import { CheckList } from './_components/check-list';
import { CompareSwitch } from './_components/compare-switch';
import { DifferenceView } from './_components/difference-view';
import { EditionFacts } from './_components/edition-facts';
import { EditionSwitch } from './_components/edition-switch';
import { RuleTables } from './_components/rule-tables';
import { TryEvent } from './_components/try-event.client';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('rules'))('title') };
}

interface Props {
  params: Promise<{ project: string }>;
  searchParams: Promise<RawParams>;
}

export default async function RulesPage({ params, searchParams }: Props) {
  const [{ project: slug }, raw] = await Promise.all([params, searchParams]);
  const page = await requirePage(slug, 'read');
  const t = await getTranslations('rules');
  const { profiles, ruleSets } = page.project;
  const usual = pinRuleSets(ruleSets)[profiles.defaultProfile] ?? currentRuleSet(profiles.defaultProfile);
  const ruleSet = findRuleSet(firstParam(raw, 'ruleSet') ?? '') ?? usual;
  const others = listComparable(ruleSet, listRuleSets());
  const beside = others.find((set) => set.name === firstParam(raw, 'compare')) ?? null;
  return (
    <>
      <PageHead title={t('title')} />
      <Text size="sm" c="dimmed" maw="70ch" mb="sm">
        {t('intro')} <Link href={`#${CHECKS_ANCHOR}`}>{t('checks.jump')}</Link>
      </Text>
      <EditionSwitch
        slug={page.project.slug}
        shown={ruleSet.name}
        usual={usual.name}
        editions={listRuleSets().map(({ name, title, current }) => ({ name, title: title[page.locale], current }))}
      />
      <CompareSwitch slug={page.project.slug} shown={ruleSet} others={others} beside={beside} />
      {beside ? (
        <DifferenceView slug={page.project.slug} left={ruleSet} right={beside} />
      ) : (
        <Edition page={page} ruleSet={ruleSet} />
      )}
      <CheckList slug={page.project.slug} settings={page.project.settings} />
    </>
  );
}

/** One whole edition, and a place to try an event on it. */
function Edition({ page, ruleSet }: { page: PageContext; ruleSet: RuleSet }) {
  return (
    <>
      <TryEvent key={ruleSet.name} slug={page.project.slug} ruleSet={ruleSet.name} profile={ruleSet.profile} />
      <EditionFacts ruleSet={ruleSet} title={ruleSet.title[page.locale]} />
      <RuleTables ruleSet={ruleSet} locale={page.locale} />
    </>
  );
}
