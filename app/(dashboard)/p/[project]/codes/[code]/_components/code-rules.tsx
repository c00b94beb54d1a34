import { getTranslations } from 'next-intl/server';
import Link from 'next/link';
import type { PageContext } from '@/lib/auth/context';
import { findRulesOfCode } from '@/lib/present/rule-of-code';
import { rulePath } from '@/lib/present/routes';
import type { Scope } from '@/lib/present/scope';
import { listAppliedRules } from '@/lib/queries/code-rules';
import type { CodeDetailView, CodeRowView } from '@/lib/queries/views';
import classes from '../../codes.module.css';
import { RuleWords } from './rule-words';

interface CodeRulesProps {
  page: PageContext;
  scope: Scope;
  code: string;
  detail: Promise<CodeDetailView | null>;
  rows: Promise<CodeRowView[]>;
}

/** The rule that applies, in words, for a read and for a write. */
export async function CodeRules({ page, code, detail, rows }: CodeRulesProps) {
  const [t, found, profiles] = await Promise.all([getTranslations('codes.rule'), detail, rows]);
  const applied = await listAppliedRules(
    page,
    code,
    (found?.recent ?? []).map((operation) => operation.operationId),
  );
  const seen = profiles.length > 0 ? profiles.map((row) => row.profile) : [page.project.profiles.defaultProfile];
  const rules = findRulesOfCode(code, applied, seen);
  return (
    <>
      {rules.map(({ ruleSet, row }, place) => (
        <section key={`${ruleSet.name} ${row.id} ${place}`} className={classes.rule}>
          <h3>
            {ruleSet.title[page.locale]}{' '}
            <Link href={rulePath(page.project.slug, ruleSet.name, row.id)} prefetch={false}>
              {t('link', { rule: row.id })}
            </Link>
          </h3>
          <RuleWords row={row} />
        </section>
      ))}
      {applied.length === 0 ? <p className={classes.quiet}>{t('byTable')}</p> : null}
    </>
  );
}
